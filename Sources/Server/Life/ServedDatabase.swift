import JSON
import Store

/// A database on a server, as a start takes hold of it.
enum ServedDatabase {
    /// Refuses what a database on a server cannot do, by the name of the setting that asks for it.
    static func check(_ configuration: Configuration, hasGuest: Bool) throws(StartError) {
        guard case .server(let place) = configuration.database else { return }
        func refuse(_ setting: String, _ reason: String) -> StartError {
            StartError(.configuration, "\(setting): \(reason), and the data is on a server (\(place))")
        }
        if hasGuest {
            throw refuse("exec", "commands run beside data that is theirs alone, in memory or in a file")
        }
        if configuration.hasTestControl == true {
            throw refuse("testControl", "a reset and snapshots need a database in a file or in memory")
        }
        if configuration.backup.seconds != nil {
            throw refuse("backup.every", "backups are made of a database in a file (use pg_dump)")
        }
        if !configuration.forcedMigrations.isEmpty {
            throw refuse("forcedMigrations", "no change that loses data can be forced without a copy in a file")
        }
    }

    private static func failure(_ error: StoreError, _ configuration: Configuration) -> StartError {
        StartError(
            error.kind == .locked ? .systemRefused : StoreOpening.code(of: error, configuration.database), error.message
        )
    }

    /// Takes hold of a database on a server; nil for one in a file or in memory.
    static func hold(of configuration: Configuration) throws(StartError) -> ServerHold? {
        guard case .server(let place) = configuration.database else { return nil }
        do throws(StoreError) {
            return try ServerHold.take(place, isShared: configuration.hasNodes)
        } catch {
            throw failure(error, configuration)
        }
    }

    /// Returns whether other nodes serve the database that this one opens.
    static func isShared(_ hold: ServerHold?, _ configuration: Configuration) throws(StartError) -> Bool {
        guard configuration.hasNodes, let hold else { return false }
        do throws(StoreError) { return try !hold.isAlone() } catch {
            throw failure(error, configuration)
        }
    }

    /// Lets the next node open the database, with the names and keys that all nodes have. Returns the keys of functions.
    static func endOpening(
        _ hold: ServerHold?, _ configuration: Configuration, isShared: Bool
    ) throws(StartError) -> RoleKeys {
        guard configuration.hasNodes, let hold else { return RoleKeys() }
        let keys: RoleKeys
        do throws(PoolFile.Failure) {
            try KeptFiles.agree(configuration)
            keys = try KeptFiles.roleKeys(configuration, isShared: isShared)
        } catch {
            throw StartError(error.code, error.message)
        }
        do throws(StoreError) { try hold.endOpening() } catch {
            throw failure(error, configuration)
        }
        return keys
    }

    /// Watches a database on a server, whose nodes one after the other have opened it.
    static func watch(_ hold: ServerHold?, _ log: Log) throws(StartError) {
        do throws(StoreError) {
            try hold?.watch { obstacle in
                if let obstacle {
                    log.error(
                        "the database does not answer: requests fail until it does", ["reason": .string(obstacle)])
                } else {
                    log.info("the database answers again")
                }
            } onLoss: { error in
                StoreOpening.end(after: error, log)
            }
        } catch {
            throw StartError(.internalError, error.message)
        }
    }
}
