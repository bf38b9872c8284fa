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

    /// Takes hold of a database on a server, and watches it; nil for one in a file or in memory.
    static func hold(of configuration: Configuration, _ log: Log) throws(StartError) -> ServerHold? {
        guard case .server(let place) = configuration.database else { return nil }
        do throws(StoreError) {
            let hold = try ServerHold.take(place)
            try hold.watch { obstacle in
                if let obstacle {
                    log.error(
                        "the database does not answer: requests fail until it does", ["reason": .string(obstacle)])
                } else {
                    log.info("the database answers again")
                }
            } onLoss: { error in
                StoreOpening.end(after: error, log)
            }
            return hold
        } catch {
            throw StartError(
                error.kind == .locked ? .systemRefused : StoreOpening.code(of: error, configuration.database),
                error.message)
        }
    }
}
