import Glibc
import JSON
import Network
import Store

/// `homeport move`: a whole database from a file to a server, back, or to another place of the same kind, while nobody serves it.
package enum MoveCommand {
    package struct Wish: Sendable {
        let source: String
        let target: String
        let replacesZeros: Bool

        package init(from source: String, to target: String, replacesZeros: Bool) {
            (self.source, self.target, self.replacesZeros) = (source, target, replacesZeros)
        }
    }

    /// The reason why nothing was moved.
    private struct Refusal: Error {
        let message: String
        var code = ExitCode.configuration
    }

    package static func run(_ wish: Wish, environment: [String: String], _ output: CommandOutput) -> ExitCode {
        // A file beyond the limit of the system is an error of write, not the end by a signal.
        signal(SIGXFSZ, SIG_IGN)
        do throws(Refusal) {
            let source = try Side.source(wish.source, environment)
            defer { source.end() }
            let target = try Side.target(wish.target, environment, from: source)
            defer { target.end() }
            return move(wish, source, target, output)
        } catch {
            output.report("homeport: \(error.message)")
            return error.code
        }
    }

    private static func move(_ wish: Wish, _ source: Side, _ target: Side, _ output: CommandOutput) -> ExitCode {
        let bar = ProgressBar("rows")
        var shown = DatabaseMove.Progress.Part.rows
        do throws(StoreError) {
            var whole = DatabaseMove.Wish(
                from: source.location, to: target.location, rooms: RoomTables.ofAllRooms)
            whole.replacesZeros = wish.replacesZeros
            whole.notes = { source.notes(over: $0) }
            let outcome = try DatabaseMove(whole) { progress in
                if progress.part != shown {
                    shown = progress.part
                    bar.clear()
                    output.report(
                        shown == .check
                            ? "Comparing both sides ..."
                            : "\(ProgressBar.grouped(Int(clamping: progress.rowCount))) rows came; making indexes ...")
                }
                bar.show(
                    count: Int(clamping: progress.rowCount),
                    part: Double(progress.rowCount) / Double(max(1, progress.rowMax)))
            }.run()
            bar.clear()
            say(outcome, source, target, output)
            return .success
        } catch {
            bar.clear()
            output.report("homeport: \(error.message)")
            return ExitCode(error)
        }
    }

    private static func say(
        _ outcome: DatabaseMove.Outcome, _ source: Side, _ target: Side, _ output: CommandOutput
    ) {
        let rows = Counted.text(Int(clamping: outcome.rowCount), "row")
        guard !outcome.wasWhole else {
            return output.print("\(target.shown) has been whole since an earlier move of \(source.shown), with \(rows)")
        }
        output.print(
            "\(target.shown) is whole: \(rows) in \(Counted.text(outcome.tableCount, "table")), with the checksum of "
                + "\(source.shown), \(outcome.checksum)")
        if outcome.replacedCount > 0 {
            output.print(
                "\(Counted.text(Int(clamping: outcome.replacedCount), "value")) had U+0000, and now U+FFFD in its place"
            )
        }
        if let folder = source.folder, FileStatus.isFolder("\(folder)/files") {
            output.print("The files of buckets are no part of a database: copy \(folder)/files too")
        }
    }

    /// One of the two databases, with what keeps servers and other moves away from it.
    private struct Side: Sendable {
        let location: Store.Location
        let shown: String
        /// The folder around a database in a file.
        var folder: String?
        /// True for a file that was made for this move.
        var isNew = false
        private let hold: ServerHold?
        /// It is let go with this value.
        private let lock: HeldLock?

        /// Unchecked: it is only kept.
        private final class HeldLock: @unchecked Sendable {
            let lock: ServerLock?
            init(_ lock: ServerLock?) { self.lock = lock }
        }

        static func source(_ text: String, _ environment: [String: String]) throws(Refusal) -> Side {
            guard !ServerPlace.isURL(text), access(text, F_OK) != 0 else { return try Side(text, environment) }
            throw Refusal(message: "--from: there is no \(text)", code: .unreadableInput)
        }

        static func target(
            _ text: String, _ environment: [String: String], from source: Side
        ) throws(Refusal) -> Side {
            guard !ServerPlace.isURL(text) else { return try Side(text, environment) }
            if case .file(let path) = source.location, DataFolder.absolute(path) == DataFolder.absolute(text) {
                throw Refusal(message: "--to: \(text) is the database that is to be moved. Name another file")
            }
            do throws(SystemError) { try DataFolder.make(for: text) } catch {
                throw Refusal(
                    message: "cannot make the folder \(error.subject): \(String(cString: strerror(error.code)))",
                    code: .unwritableOutput)
            }
            let isNew = access(text, F_OK) != 0
            let descriptor = open(text, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else {
                throw Refusal(
                    message: "cannot make \(text): \(String(cString: strerror(errno)))", code: .unwritableOutput)
            }
            close(descriptor)
            var side = try Side(text, environment)
            side.isNew = isNew
            do throws(Refusal) { try side.demandNames(of: source) } catch {
                side.end()
                throw error
            }
            return side
        }

        private init(_ text: String, _ environment: [String: String]) throws(Refusal) {
            guard ServerPlace.isURL(text) else {
                location = .file(text)
                shown = text
                let path = DataFolder.absolute(text)
                folder = path.lastIndex(of: "/").map { String(path[..<$0]) }
                hold = nil
                do throws(StartError) { lock = HeldLock(try ServerLock.take(of: text)) } catch {
                    throw Self.inUse(text)
                }
                return
            }
            lock = nil
            do throws(StoreError) {
                let place = try ServerPlace(text).with(password: environment["PGPASSWORD"] ?? "")
                location = .server(place)
                shown = "PostgreSQL at \(place)"
                hold = try ServerHold.takeIfFree(place)
            } catch {
                throw Refusal(message: error.message)
            }
            if hold == nil { throw Self.inUse(shown) }
        }

        private static func inUse(_ shown: String) -> Refusal {
            Refusal(
                message: "a server or another move uses \(shown). Stop it: nothing may change either side meanwhile",
                code: .systemRefused)
        }

        func end() {
            hold?.end()
            // A move that has not begun leaves nothing behind.
            guard isNew, case .file(let path) = location else { return }
            do throws(StoreError) {
                guard try !Reader.beside(path).hasData() else { return }
            } catch {
                return
            }
            for name in [path, "\(path)-wal", "\(path)-shm"] { unlink(name) }
        }

        /// The names and keys of the folder around a file, in place of those that its database knows.
        func notes(over known: KeptNotes) -> KeptNotes {
            folder.map { KeptFiles.notes(ofFolder: $0, over: known) } ?? known
        }

        /// Refuses a file in the folder of another backend: the names there would be those of its users.
        private func demandNames(of source: Side) throws(Refusal) {
            guard let folder, source.folder != folder else { return }
            let known: KeptNotes
            do throws(StoreError) {
                let reader: Reader
                switch source.location {
                case .server(let place): reader = try .beside(place)
                case .file(let path): reader = try .beside(path)
                case .memory, .layered, .replayed: return
                }
                known = try reader.keptNotes()
            } catch {
                throw Refusal(message: error.message, code: ExitCode(error))
            }
            let own = KeptFiles.notes(ofFolder: folder, over: [:])
            guard let names = own[ByteText(PoolFile.name)], names != source.notes(over: known)[ByteText(PoolFile.name)]
            else { return }
            throw Refusal(
                message: "\(folder)/\(PoolFile.name) has the names of another backend. Choose a file in a new folder")
        }
    }
}
