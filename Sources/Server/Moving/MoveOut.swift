import Blueprint
import Files
import Glibc
import JSON
import Moving
import Network
import Store
import UserPool

/// One run of `homeport move-out`: a copy of the database of one moment, and everything that is written from it.
///
///     .move-out/data.sqlite ─▶ tables/MODEL/, users/        an interrupted move goes on from the same copy
final class MoveOut {
    private let configuration: Configuration
    private let wish: MoveOutCommand.Wish
    private let output: CommandOutput
    private let isWanted: @Sendable () -> Bool
    private let progress: MoveProgress

    private static let workName = ".move-out"

    init(
        _ configuration: Configuration, _ wish: MoveOutCommand.Wish, _ output: CommandOutput,
        isWanted: @escaping @Sendable () -> Bool
    ) {
        self.configuration = configuration
        self.wish = wish
        self.output = output
        self.isWanted = isWanted
        progress = MoveProgress(output, listsIn: wish.folder)
    }

    private var work: String { "\(wish.folder)/\(Self.workName)" }
    private var copy: String { "\(work)/data.sqlite" }

    /// - Parameter files: writes the files to a folder, each at a path of work first.
    func run(
        _ database: DatabaseLocation, _ blueprint: Blueprint,
        files: (_ folder: String, _ part: String, MoveProgress) throws(MoveFailure) -> Int
    ) throws(MoveFailure) {
        defer { progress.clear() }
        try demandPlace()
        let moment = try copied(database)
        try step()
        let layout: DatabaseLayout
        let reader: Reader
        do throws(StoreError) {
            layout = try RecordExport(path: copy).layout
            reader = try Reader.beside(copy)
        } catch { throw MoveFailure(error) }
        let tables = TablesOut(
            TableMap(blueprint, layout), of: reader, to: "\(wish.folder)/tables", wish.format, moment: moment,
            tombstoneMilliseconds: configuration.sync.tombstoneMilliseconds, isWanted: isWanted, progress)
        let records = try tables.run()
        let users = try writeUsers(reader)
        try step()
        let count = try files("\(wish.folder)/files", "\(work)/file.part", progress)
        try step()
        FolderContent.remove(work)
        progress.clear()
        output.print(
            "\(Counted.text(records, "record")) and \(Counted.text(users, "user")) of "
                + "\(BackupCommand.text(of: moment)), and \(Counted.text(count, "file")), are in \(wish.folder)")
        progress.faults.report(to: output)
        guard progress.faults.count == 0 else {
            throw MoveFailure("\(Counted.text(progress.faults.count, "file")) could not be written, see above")
        }
    }

    private func step() throws(MoveFailure) {
        guard isWanted() else { throw MoveFailure.stopped }
    }

    /// A folder that holds something else than an interrupted move is refused.
    private func demandPlace() throws(MoveFailure) {
        guard FileStatus.isFolder(wish.folder), !FileStatus.isFolder(work) else { return }
        let names = try MoveFailure.reading { () throws(MovingFault) in try FolderWalk.names(in: wish.folder) }
        guard names.isEmpty else {
            throw MoveFailure("\(wish.folder) is not empty: name a new folder", code: .unwritableOutput)
        }
    }

    /// Copies the database, unless an interrupted move has. Answers with its moment, in milliseconds since 1970.
    private func copied(_ database: DatabaseLocation) throws(MoveFailure) -> Int64 {
        let note = "\(work)/moment"
        if FileStatus.isFile(copy), FileStatus.isFile(note) {
            let bytes = try MoveFailure.reading { () throws(MovingFault) in try SourceFile.content(of: note) }
            guard let moment = Int64(String(decoding: bytes, as: UTF8.self)) else {
                throw MoveFailure("\(note) is no moment: remove \(wish.folder) and begin anew", code: .unreadableInput)
            }
            progress.line("It continues a move of \(BackupCommand.text(of: moment)).")
            return moment
        }
        try MoveFailure.reading { () throws(MovingFault) in try WholeFile.makeFolder(work) }
        let part = "\(copy).part"
        for name in [part, "\(part)-wal", "\(part)-shm"] { unlink(name) }
        let moment: Int64
        do throws(StoreError) {
            switch database {
            case .file(let path):
                let snapshot = try DatabaseSnapshot(of: path)
                moment = snapshot.milliseconds
                try snapshot.copy(to: part, keeping: { $0 })
            case .server, .memory:
                moment = Timestamp.now.millisecondsSince1970
                try copy(database, to: part)
            }
        } catch { throw MoveFailure(error) }
        try MoveFailure.reading { () throws(MovingFault) in
            try WholeFile.write(Array("\(moment)".utf8), to: note)
            guard rename(part, copy) == 0 else { throw .system(.unwritable, copy) }
        }
        return moment
    }

    /// Copies a database on a server into a file, as it is at one moment.
    private func copy(_ database: DatabaseLocation, to part: String) throws(StoreError) {
        let bar = ProgressBar("rows")
        defer { bar.clear() }
        let wish = DatabaseMove.Wish(from: database.place, to: .file(part), rooms: RoomTables.ofAllRooms)
        let move = try DatabaseMove(
            wish,
            report: { progress in
                bar.show(
                    count: Int(clamping: progress.rowCount),
                    part: Double(progress.rowCount) / Double(max(1, progress.rowMax)))
            }, isWanted: isWanted)
        _ = try move.run()
    }

    private func writeUsers(_ reader: Reader) throws(MoveFailure) -> Int {
        guard configuration.auth.userPools.issuer == nil else { return 0 }
        let identifiers: PoolIdentifiers
        do throws(PoolFile.Failure) { identifiers = try PoolFile.identifiers(of: configuration) } catch {
            throw MoveFailure(error.message, code: .unwritableOutput)
        }
        let users = UsersOut(UserExport(reader, of: identifiers), to: "\(wish.folder)/users", progress)
        let count = try users.run()
        try writeIdentities(reader)
        if users.notInTable > 0 {
            progress.note(
                "\(Counted.text(users.notInTable, "user")) cannot be in Cognito's table: it takes users with a verified "
                    + "address and a password. users.json has them")
        }
        return count
    }

    /// The pairs that `move-in --identities` takes.
    private func writeIdentities(_ reader: Reader) throws(MoveFailure) {
        var lines: [UInt8] = []
        var failure: MovingFault?
        try MoveFailure.storing { () throws(StoreError) in
            try IdentityImport.forEach(in: reader) { subject, id throws(StoreError) in
                lines += Array("\(subject),\(id)\n".utf8)
            }
        }
        do throws(MovingFault) { try WholeFile.write(lines, to: "\(wish.folder)/identities.csv") } catch {
            failure = error
        }
        if let failure { throw MoveFailure(failure) }
    }
}
