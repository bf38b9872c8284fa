import Blueprint
import JSON
import Store

/// The database of a data folder, as commands change it beside a running server.
struct CommandStore {
    let blueprint: Blueprint
    /// The configuration with its project, which is read once.
    let resolution: ConfigurationResolver.Resolution

    /// Why a command ends before its work; it has been said already.
    struct End: Error {
        let code: ExitCode
    }

    /// Why the work of a command was not done.
    struct Failure: Error {
        let message: String
        var code = ExitCode.failure
    }

    /// Reads the schema, without which nobody may open the database for changes.
    init(_ resolution: ConfigurationResolver.Resolution, _ output: CommandOutput) throws(End) {
        let schema: ProjectSchema
        do throws(UnreadableSchema) {
            self.resolution = resolution.holding(try resolution.foundProject())
            schema = try ProjectSchema.read(self.resolution)
        } catch {
            output.report("homeport: \(error)")
            throw End(code: error.code)
        }
        guard let blueprint = schema.blueprint else {
            for diagnostic in schema.diagnostics { output.report(diagnostic.description) }
            throw End(code: .failure)
        }
        self.blueprint = blueprint
    }

    /// A database that is open for a command, and what keeps servers away from it meanwhile.
    struct Opened {
        let store: Store
        /// Set for a database on a server that no server serves.
        fileprivate let hold: ServerHold?

        func close() throws(StoreError) {
            defer { hold?.end() }
            try store.close()
        }
    }

    /// Opens the database. Tables of one on a server are made or changed only while nobody serves it.
    static func open(
        _ database: DatabaseLocation, for blueprint: Blueprint, sync: SyncSettings, nowMilliseconds: Int64
    ) throws(StoreError) -> Opened {
        var hold: ServerHold?
        var mayChangeTables = true
        if case .server(let place) = database {
            hold = try ServerHold.takeIfFree(place)
            mayChangeTables = hold != nil
        }
        do throws(StoreError) {
            // What fails for good is in the answer of the call that met it.
            let store = try Store(
                database.place, for: blueprint, sync: sync, nowMilliseconds: nowMilliseconds,
                mayChangeTables: mayChangeTables
            ) { _ in }
            return Opened(store: store, hold: hold)
        } catch {
            hold?.end()
            throw error
        }
    }

    /// Hands the store to the closure, closes it, and says what has failed.
    func use(
        _ configuration: Configuration, _ output: CommandOutput, _ work: (Store) -> Failure?
    ) -> ExitCode {
        do throws(StoreError) {
            let opened = try Self.open(
                configuration.database, for: blueprint, sync: configuration.sync,
                nowMilliseconds: Timestamp.now.millisecondsSince1970)
            let store = opened.store
            let failure = work(store)
            let kept = WaitedFor.value { await KeptFiles.keep(configuration, in: store) }
            do throws(StoreError) {
                try opened.close()
                if let kept { throw kept }
            } catch {
                // The first failure says what to do; others follow from it.
                if failure == nil { throw error }
            }
            guard let failure else { return .success }
            output.report("homeport: \(failure.message)")
            return failure.code
        } catch {
            output.report("homeport: \(error.message)")
            return ExitCode(error)
        }
    }
}
