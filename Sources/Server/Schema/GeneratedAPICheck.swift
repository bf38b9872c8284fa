import Engine
import GraphQL
import Threads

/// Checks what Homeport has added to the API of a schema, when the first requests of a start are answered. What the schema itself has
/// is checked before that.
///
/// A mistake ends the server: an API that AppSync would refuse is not served.
enum GeneratedAPICheck {
    static func begin(_ check: EngineDesign.LaterCheck, _ log: Log) {
        _ = WorkAside { run(check, log) }
    }

    private static func run(_ check: EngineDesign.LaterCheck, _ log: Log) {
        do throws(SchemaErrors) { try check.run() } catch {
            log.error(ProjectSchema.refusal(error).message)
            log.queue.flush()
            ProcessEnd.now(.failure)
        }
    }
}
