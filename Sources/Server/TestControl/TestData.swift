import Engine
import Files
import Glibc
import Items
import JSON
import Network
import Outbox
import Store
import Synchronization
import Threads
import UserPool

/// Puts all data back to what it was: to the start, or to a snapshot.
///
///     snapshot ─▶ NAME.sqlite, NAME.files/     a copy of the database, and a second name for every file, between two commits
///     restore  ─▶ one transaction               readers see what was before, or the snapshot
///     reset    ─▶ the same, with a copy that was emptied and filled with the seed, and is made once
final class TestData: Sendable {
    /// What has data, or waits for some.
    struct Parts: Sendable {
        let application: Application
        let files: FileService
        /// Those that bring a copy to what they count on.
        let copied: [any CopiedRoom]
        let parts: [any ServedPart]
        let seed: String?
        let sync: SyncSettings
        let log: Log
    }

    private struct Snapshot: Sendable {
        let created: Int64
        let bytes: Int64
    }

    /// What the copy for a reset was made of; it is made anew where that is something else.
    private struct ResetMark: Equatable, Sendable {
        let layout: DatabaseLayout
        let seed: [Int64]
        let moved: Int64
    }

    private struct State: Sendable {
        var snapshots: [ByteText: Snapshot] = [:]
        var reset: ResetMark?
        /// True if the copy for a reset is what a command has filled the database with.
        var isGiven = false
        /// The copy that worlds begin with, and its moment: it is made anew when something has changed since.
        var lent: (path: String, moment: DataMoment)?
        var lastLent = 0
        var last: Task<Void, Never>?
    }

    private let parts: Parts
    private let loop: EventLoop?
    private let folder: String
    private let state = Mutex(State())
    /// Imports wait for their commits, and take long.
    private let worker = WorkersAside(threadsMax: 1, waitingMax: 1, niceness: 0)

    /// - Parameters:
    ///   - parts: what has data. The snapshots lie beside the files, on the same disk.
    ///   - loop: where turns are taken, in a world, which needs no threads but those that it has; nil: beside all loops.
    init(_ parts: Parts, on loop: EventLoop?) {
        self.parts = parts
        self.loop = loop
        folder = "\(parts.files.path)-snapshots"
        // Those of a process that did not end in order.
        FolderContent.remove(folder)
    }

    /// Called when nothing is served any more.
    func close() { FolderContent.remove(folder) }

    private var store: Store { parts.application.engine.store }
    private var rooms: [any CopiedRoom] { parts.copied }

    // MARK: Calls

    /// Everything as at the start.
    func reset() async throws(ErrorAnswer) {
        try await inTurn { () async throws(ErrorAnswer) in
            try await self.makeResetCopy()
            let isGiven = self.state.withLock { $0.isGiven }
            try await self.restore(self.path(of: nil), files: isGiven ? self.files(of: nil) : nil)
        }
    }

    func snapshot(_ name: String) async throws(ErrorAnswer) {
        try Self.check(name)
        try await inTurn { () async throws(ErrorAnswer) in
            let isFull = self.state.withLock { state in
                state.snapshots[name] == nil && state.snapshots.count >= TestControlLimits.snapshotsMax
            }
            guard !isFull else {
                throw .test(
                    "There are \(TestControlLimits.snapshotsMax) snapshots: remove some with DELETE \(TestPlace.folder)/snapshot/NAME."
                )
            }
            let bytes = try await self.copy(to: name)
            self.state.withLock {
                $0.snapshots[ByteText(name)] = Snapshot(created: Timestamp.now.millisecondsSince1970, bytes: bytes)
            }
        }
    }

    func restore(_ name: String) async throws(ErrorAnswer) {
        try await inTurn { () async throws(ErrorAnswer) in
            try self.demand(name)
            try await self.restore(self.path(of: name), files: self.files(of: name))
        }
    }

    func remove(_ name: String) async throws(ErrorAnswer) {
        try await inTurn { () async throws(ErrorAnswer) in
            try self.demand(name)
            self.state.withLock { _ = $0.snapshots.removeValue(forKey: ByteText(name)) }
            unlink(self.path(of: name))
            FolderContent.remove(self.files(of: name))
        }
    }

    /// Has another server begin with what there is here.
    ///
    /// - Parameters:
    ///   - folder: where the copy goes, on the disk of the files.
    ///   - take: has the other one take it; what it was copied from stays until then.
    func lend(
        _ origin: WorldWish.Origin, to folder: String,
        _ take: @escaping @Sendable (WorldState) async throws(ErrorAnswer) -> Void
    ) async throws(ErrorAnswer) {
        try await inTurn { () async throws(ErrorAnswer) in
            let (path, ownFiles) = (WorldState.database(in: folder), WorldState.files(in: folder))
            var linked: String? = ownFiles
            let source: String
            switch origin {
            case .present: source = try await self.present(files: ownFiles)
            case .snapshot(let name):
                try self.demand(name)
                linked = self.files(of: name)
                source = self.path(of: name)
            case .start:
                try await self.makeResetCopy()
                let isGiven = self.state.withLock { $0.isGiven }
                linked = isGiven ? self.files(of: nil) : nil
                source = self.path(of: nil)
            }
            try await self.share(source, as: path)
            let status = Self.status(of: path)
            try await take(
                WorldState(
                    database: path, files: linked, movedMilliseconds: SystemClock.moved,
                    bytes: Int64(status.st_size), copy: UInt64(status.st_ino)))
        }
    }

    /// A copy of what is there now, with names for its files in a folder of a world. It is the copy of before where nothing has changed.
    private func present(files ownFiles: String) async throws(ErrorAnswer) -> String {
        try makeFolder()
        let (known, path) = state.withLock { state in
            state.lastLent += 1
            return (state.lent, "\(folder)/.present-\(state.lastLent).sqlite")
        }
        let outcome: (moment: DataMoment, isWritten: Bool)
        do throws(StoreError) {
            outcome = try await store.copy(to: path, unlessUnchangedSince: known?.moment) {
                [files = parts.files] () throws(StoreError) in try files.link(to: ownFiles)
            }
        } catch {
            unlink(path)
            throw Self.failure(error)
        }
        guard outcome.isWritten else { return known?.path ?? path }
        state.withLock { $0.lent = (path, outcome.moment) }
        // Worlds that begin with it have names of their own for it.
        if let known { unlink(known.path) }
        return path
    }

    /// Gives a copy another name, for a world: nobody changes what is in it. One that is too long for that is copied.
    private func share(_ source: String, as target: String) async throws(ErrorAnswer) {
        guard Store.isShareable(source), link(source, target) == 0 else {
            return try await copyFile(source, to: target)
        }
    }

    /// Begins with the state of another server, to which a reset goes back from then on.
    func adopt(_ state: WorldState) async throws(ErrorAnswer) {
        try await inTurn { () async throws(ErrorAnswer) in
            try self.keepAsStart(state)
            let (path, files) = (self.path(of: nil), state.files == nil ? nil : self.files(of: nil))
            if try await !self.begin(as: path, files: files) { try await self.restore(path, files: files) }
        }
    }

    /// What was taken is what a reset goes back to: it is kept as it is, without another copy of the database.
    private func keepAsStart(_ taken: WorldState) throws(ErrorAnswer) {
        try makeFolder()
        let (path, linked) = (path(of: nil), files(of: nil))
        unlink(path)
        FolderContent.remove(linked)
        let hasFiles = taken.files.map { rename($0, linked) == 0 } ?? (mkdir(linked, 0o700) == 0)
        guard hasFiles, rename(taken.database, path) == 0 else {
            throw Self.failure(SystemError(call: "rename", subject: path))
        }
        let mark = mark(of: store)
        state.withLock { ($0.reset, $0.isGiven) = (mark, true) }
    }

    var json: JSONValue {
        let snapshots = state.withLock { $0.snapshots }.sorted { $0.key < $1.key }
        return [
            "snapshots": .array(
                snapshots.map { name, snapshot in
                    let created = Timestamp(
                        seconds: snapshot.created / 1_000, milliseconds: Int(snapshot.created % 1_000))
                    return [
                        "name": .string(name.string), "createdAt": .string(created.text),
                        "bytes": .integer(snapshot.bytes),
                    ]
                })
        ]
    }

    /// Adds records as `homeport import` does, or, without any, those of the seed where there are none.
    func seed(_ body: [UInt8], replaces: Bool) async throws(ErrorAnswer) -> JSONValue {
        try await inTurn { () async throws(ErrorAnswer) in
            let engine = self.parts.application.engine
            let options = RecordImport.Options(now: .now, replaces: replaces)
            if body.isEmpty {
                guard let seed = self.parts.seed else {
                    throw .test("Send records as lines of JSON, or name a file with --seed.")
                }
                let outcome = try await self.aside { () throws(TransferError) in
                    try Seed.load(seed, into: engine.store, of: engine.blueprint, options)
                }
                switch outcome {
                case .loaded(let outcome): return Self.json(of: outcome)
                case .skipped(let model):
                    throw .test("There are records of \(model) already: reset first, or send lines.", status: 409)
                }
            }
            let path = "\(self.folder)/seed.jsonl"
            try self.makeFolder()
            do throws(SystemError) { try SmallFile.replace(path, with: body, mode: 0o600) } catch {
                throw Self.failure(error)
            }
            defer { unlink(path) }
            let outcome = try await self.aside { () throws(TransferError) in
                let descriptor = open(path, O_RDONLY | O_CLOEXEC)
                guard descriptor >= 0 else { throw .unwritable("\(path) cannot be read") }
                defer { Glibc.close(descriptor) }
                return try RecordImport(into: engine.store, of: engine.blueprint, options)
                    .run(descriptor: descriptor, name: "the body")
            }
            return Self.json(of: outcome)
        }
    }

    /// Says that what is there now is what a reset goes back to: a command has filled the database.
    func keepAsStart() async {
        do throws(ErrorAnswer) {
            try await inTurn { () async throws(ErrorAnswer) in
                let mark = self.mark(of: self.store)
                _ = try await self.copy(to: nil)
                self.state.withLock { ($0.reset, $0.isGiven) = (mark, true) }
            }
        } catch {
            parts.log.warning("a reset will not go back to the data of the seed's command: \(error.message)")
        }
    }

    // MARK: Copies

    /// Nil is the copy for a reset.
    private func path(of name: String?) -> String { "\(folder)/\(name ?? "").sqlite" }

    private func files(of name: String?) -> String { "\(folder)/\(name ?? "").files" }

    private func makeFolder() throws(ErrorAnswer) {
        do throws(SystemError) {
            try DataFolder.make(for: folder)
            guard mkdir(folder, 0o700) == 0 || errno == EEXIST else {
                throw SystemError(call: "mkdir", subject: folder)
            }
        } catch {
            throw Self.failure(error)
        }
    }

    /// Writes what is there in the place of a copy, and says how long the database is.
    private func copy(to name: String?) async throws(ErrorAnswer) -> Int64 {
        try makeFolder()
        let (path, linked) = (path(of: name), files(of: name))
        let (newPath, newLinked) = ("\(path).new", "\(linked).new")
        unlink(newPath)
        FolderContent.remove(newLinked)
        do throws(StoreError) {
            try await store.copy(to: newPath) { [files = parts.files] () throws(StoreError) in
                try files.link(to: newLinked)
            }
        } catch {
            unlink(newPath)
            FolderContent.remove(newLinked)
            throw Self.failure(error)
        }
        FolderContent.remove(linked)
        guard rename(newPath, path) == 0, rename(newLinked, linked) == 0 else {
            throw Self.failure(SystemError(call: "rename", subject: path))
        }
        return Int64(Self.status(of: path).st_size)
    }

    /// The state of a file; all 0 where there is none.
    private static func status(of path: String) -> stat {
        var status = stat()
        return stat(path, &status) == 0 ? status : stat()
    }

    /// Copies a database that nobody has open.
    private func copyFile(_ source: String, to target: String) async throws(ErrorAnswer) {
        let isCopied = await worker.value(of: { DatabaseFileCopy.make(of: source, at: target) })
        guard isCopied == true else {
            throw .test(
                "\(target) cannot be written, or an import goes on: check the disk, and try again.", status: 503)
        }
    }

    private func mark(of store: Store) -> ResetMark {
        ResetMark(layout: store.layout, seed: parts.seed.map(Self.mark) ?? [], moved: SystemClock.moved)
    }

    private func makeResetCopy() async throws(ErrorAnswer) {
        let engine = parts.application.engine
        let store = engine.store
        let mark = mark(of: store)
        let isThere = state.withLock { state in
            // What a command has filled does not fit other tables.
            if state.reset?.layout != mark.layout { state.isGiven = false }
            return state.isGiven || state.reset == mark
        }
        guard !isThere else { return }
        state.withLock { $0.reset = nil }
        try makeFolder()
        let path = path(of: nil)
        for file in [path, "\(path)-wal", "\(path)-shm"] { unlink(file) }
        do throws(StoreError) {
            try await store.copy(to: path)
            try await store.empty(path, rooms)
        } catch {
            throw Self.failure(error)
        }
        if let seed = parts.seed {
            let sync = parts.sync
            try await aside { () throws(TransferError) in
                let copy: Store
                do throws(StoreError) {
                    copy = try Store(
                        .file(path), for: engine.blueprint, sync: sync,
                        nowMilliseconds: Timestamp.now.millisecondsSince1970, onFailure: { _ in })
                } catch {
                    throw .store(error)
                }
                defer { try? copy.close() }
                _ = try Seed.load(seed, into: copy, of: engine.blueprint, RecordImport.Options(now: .now))
            }
        }
        state.withLock { $0.reset = mark }
    }

    /// Has what nobody has used yet begin as a copy; false: that has to be restored.
    private func begin(as path: String, files linked: String?) async throws(ErrorAnswer) -> Bool {
        let isBegun: Bool
        do throws(StoreError) {
            isBegun = try await store.begin(as: path) { [files = parts.files] () throws(StoreError) in
                if let linked { try files.linkBack(from: linked) }
                files.beginAnew(without: .none)
            }
        } catch {
            throw Self.failure(error)
        }
        if isBegun { try await parts.parts.beginAnew() }
        return isBegun
    }

    private func restore(_ path: String, files linked: String?) async throws(ErrorAnswer) {
        let files = parts.files
        let box = GoneBox()
        do throws(StoreError) {
            try await store.restore(
                path, rooms,
                before: { live, copy throws(StoreError) in
                    if let linked { try files.linkBack(from: linked) }
                    box.set(try files.filesGone(live, copy))
                }, behind: { files.beginAnew(without: box.value) })
        } catch {
            throw Self.failure(error)
        }
        try await parts.parts.beginAnew()
    }

    // MARK: Turns

    /// Does one thing after the other.
    private func inTurn<Value: Sendable>(
        _ work: @escaping @Sendable () async throws(ErrorAnswer) -> Value
    ) async throws(ErrorAnswer) -> Value {
        let task = state.withLock { state in
            let before = state.last
            let task = Task(executorPreference: loop) { () async -> Result<Value, ErrorAnswer> in
                await before?.value
                do throws(ErrorAnswer) { return .success(try await work()) } catch { return .failure(error) }
            }
            state.last = Task(executorPreference: loop) { _ = await task.value }
            return task
        }
        return try await task.value.get()
    }

    private func aside<Value: Sendable>(
        _ work: @escaping @Sendable () throws(TransferError) -> Value
    ) async throws(ErrorAnswer) -> Value {
        let result = await worker.value { () -> Result<Value, TransferError> in
            do throws(TransferError) { return .success(try work()) } catch { return .failure(error) }
        }
        switch result {
        case .success(let value)?: return value
        case .failure(let error)?: throw .test("The records are not all imported: \(error)")
        case nil: throw .test("Another import goes on: try again when it has ended.", status: 503)
        }
    }

    // MARK: Names and errors

    /// Returns whether a name can be one of a snapshot, or of a world: it is a part of paths.
    static func isName(_ name: String) -> Bool {
        let isNamed = name.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
        }
        return isNamed && (1...TestControlLimits.nameBytesMax).contains(name.utf8.count)
    }

    private static func check(_ name: String) throws(ErrorAnswer) {
        guard isName(name) else {
            throw .test(
                "The name of a snapshot has 1 to \(TestControlLimits.nameBytesMax) letters and digits of ASCII, - and _."
            )
        }
    }

    private func demand(_ name: String) throws(ErrorAnswer) {
        try Self.check(name)
        let names = state.withLock { $0.snapshots.keys.sorted().map(\.string) }
        guard !names.contains(where: { ByteText($0) == ByteText(name) }) else { return }
        let known = names.isEmpty ? "there is none" : "there are \(names.prefix(20).joined(separator: ", "))"
        throw .test(
            "There is no snapshot \(name): \(known). Take it with POST \(TestPlace.folder)/snapshot/\(name).",
            status: 404)
    }

    private static func failure(_ error: StoreError) -> ErrorAnswer {
        .test(
            "\(error.message.prefix(1).uppercased())\(error.message.dropFirst()).",
            status: error.kind == .migrationRefused ? 409 : 503)
    }

    private static func failure(_ error: SystemError) -> ErrorAnswer {
        .test("Snapshots cannot be kept: \(error). Check the disk.", status: 503)
    }

    private static func json(of outcome: RecordImport.Outcome) -> JSONValue {
        ["imported": .integer(Int64(outcome.createdCount)), "present": .integer(Int64(outcome.presentCount))]
    }

    /// The state of a file in the file system.
    private static func mark(of file: String) -> [Int64] {
        var status = stat()
        guard stat(file, &status) == 0 else { return [] }
        return [
            Int64(status.st_ino), Int64(status.st_size), Int64(status.st_mtim.tv_sec), Int64(status.st_mtim.tv_nsec),
        ]
    }
}

/// The files that a restore leaves to nobody, from one moment of it to the next.
private final class GoneBox: Sendable {
    private let gone = Mutex(FilesGone.none)

    var value: FilesGone { gone.withLock { $0 } }

    func set(_ gone: FilesGone) { self.gone.withLock { $0 = gone } }
}
