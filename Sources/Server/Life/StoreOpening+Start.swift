import Blueprint
import Glibc
import JSON
import Network
import Store

extension StoreOpening {
    /// The exit code when nothing can be written any more.
    private static let failureCode = ExitCode.unwritableOutput

    /// Begins to open the database that a configuration names.
    ///
    /// - Parameter isWorld: whether it is going to lie over the database of another server.
    convenience init(_ configuration: Configuration, isWorld: Bool) {
        let isLayered = isWorld && configuration.database == .memory
        self.init(isLayered ? .layered : configuration.database.place)
    }

    /// The database of a configuration, with the tables of the blueprint.
    func store(
        for blueprint: Blueprint, _ configuration: Configuration, isShared: Bool = false, _ log: Log
    ) throws(StartError) -> Store {
        do throws(SystemError) {
            switch configuration.database {
            case .memory: break
            case .file(let path): try DataFolder.make(for: path)
            case .server: try DataFolder.make(configuration.data)
            }
        } catch {
            throw StartError(
                .unwritableOutput,
                "cannot make the folder \(error.subject): \(String(cString: strerror(error.code)))")
        }
        do throws(StoreError) {
            let store = try store(
                for: blueprint, forcing: Set(texts: configuration.forcedMigrations),
                sync: configuration.sync,
                nowMilliseconds: Timestamp.now.millisecondsSince1970, isShared: isShared,
                onFailure: { error in Self.end(after: error, log) })
            if store.wasUnclean { log.info("the database was not closed the last time; it was checked and is whole") }
            if let copy = store.backupPath {
                log.warning("a copy of the data was written before it was changed", ["path": .string(copy)])
            }
            return store
        } catch {
            throw StartError(
                Self.code(of: error, configuration.database),
                error.message + Self.version(behind: error, configuration.database))
        }
    }

    /// The code of a start whose database cannot be opened.
    static func code(of error: StoreError, _ database: DatabaseLocation) -> ExitCode {
        switch error.kind {
        case .migrationRefused: .failure
        case .unexpected where database.isOnServer: .internalError
        default: database.isOnServer ? .configuration : .unwritableOutput
        }
    }

    /// Names the version that reads what this one cannot.
    private static func version(behind error: StoreError, _ database: DatabaseLocation) -> String {
        guard error.kind == .unknownFormat, let version = KeptFiles.version(of: database) else { return "" }
        return ". Homeport \(version) has served it last, and can read it"
    }

    /// Ends the process: pages that SQLite believes to be on the disk may not be there, so nothing is tried again.
    static func end(after error: StoreError, _ log: Log) {
        log.error(
            "the database failed: nothing is written any more, and the server ends", ["reason": .string(error.message)])
        log.queue.flush()
        ProcessEnd.now(failureCode)
    }
}
