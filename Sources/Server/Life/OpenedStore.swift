import Blueprint
import Glibc
import JSON
import Network
import Store

/// Opens the database that a configuration names.
enum OpenedStore {
    /// What the process ends with when nothing can be written any more.
    private static let failureCode = ExitCode.unwritableOutput

    static func open(
        _ configuration: Configuration, for blueprint: Blueprint, _ log: Log
    ) throws(StartError) -> Store {
        let location: Store.Location
        switch configuration.database {
        case .memory: location = .memory
        case .file(let path):
            do throws(SystemError) { try DataFolder.make(for: path) } catch {
                throw StartError(
                    .unwritableOutput,
                    "cannot make the folder \(error.subject): \(String(cString: strerror(error.code)))")
            }
            location = .file(path)
        }
        do throws(StoreError) {
            let store = try Store(
                location, for: blueprint, forcing: Set(configuration.forcedMigrations),
                nowMilliseconds: Timestamp.now.millisecondsSince1970,
                onFailure: { error in end(after: error, log) })
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
        _exit(failureCode.rawValue)
    }
}
