import Blueprint
import Glibc
import JSON
import Network
import Store

/// Opens the database that a configuration names: begins at once, and goes on when the schema is known.
///
/// Either `store(for:)` or `cancel()` must be called.
struct OpenedStore {
    private let configuration: Configuration
    private let log: Log
    private let opening: StoreOpening

    /// What the process ends with when nothing can be written any more.
    private static let failureCode = ExitCode.unwritableOutput

    init(_ configuration: Configuration, _ log: Log) {
        self.configuration = configuration
        self.log = log
        switch configuration.database {
        case .memory: opening = StoreOpening(.memory)
        case .file(let path):
            if let process = DatabaseHolder.process(of: path) {
                log.warning(
                    "another process has the database open. If it is a server, the subscribers of one do not hear of what "
                        + "the other changes: stop one of them, or give each its own --data",
                    ["database": .string(path), "process": .integer(Int64(process))])
            }
            opening = StoreOpening(.file(path))
        }
    }

    /// Says for which blueprint the database is going to be asked, so that its tables can be thought of meanwhile.
    func expect(_ blueprint: Blueprint) { opening.expect(blueprint) }

    /// Closes what was opened, when nobody wants it any more.
    func cancel() { opening.cancel() }

    /// The database with the tables of the blueprint.
    func store(for blueprint: Blueprint) throws(StartError) -> Store {
        if case .file(let path) = configuration.database {
            do throws(SystemError) { try DataFolder.make(for: path) } catch {
                throw StartError(
                    .unwritableOutput,
                    "cannot make the folder \(error.subject): \(String(cString: strerror(error.code)))")
            }
        }
        do throws(StoreError) {
            let store = try opening.store(
                for: blueprint, forcing: Set(texts: configuration.forcedMigrations),
                sync: configuration.sync,
                nowMilliseconds: Timestamp.now.millisecondsSince1970,
                onFailure: { [log] error in Self.end(after: error, log) })
            if store.wasUnclean { log.info("the database was not closed the last time; it was checked and is whole") }
            if let copy = store.backupPath {
                log.warning("a copy of the data was written before it was changed", ["path": .string(copy)])
            }
            return store
        } catch {
            throw StartError(error.kind == .migrationRefused ? .failure : .unwritableOutput, error.message)
        }
    }

    /// What SQLite holds to be on the disk may not be there: the process must end, and nothing is tried again.
    private static func end(after error: StoreError, _ log: Log) {
        log.error(
            "the database failed: nothing is written any more, and the server ends", ["reason": .string(error.message)])
        log.queue.flush()
        ProcessEnd.now(failureCode)
    }
}
