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

    /// Hands the store to the closure, closes it, and says what has failed.
    func use(
        _ database: String, _ configuration: Configuration, _ output: CommandOutput, _ work: (Store) -> Failure?
    ) -> ExitCode {
        do throws(StoreError) {
            // What fails for good is in the answer of the call that met it.
            let store = try Store(
                .file(database), for: blueprint, sync: configuration.sync,
                nowMilliseconds: Timestamp.now.millisecondsSince1970
            ) { _ in }
            let failure = work(store)
            let kept = WaitedFor.value { await KeptFiles.keep(configuration, in: store) }
            do throws(StoreError) {
                try store.close()
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
