import Engine
import GraphQL
import Network
import Threads

/// Checks what Homeport has added to the API of a schema, when the first requests of a start are answered. What the schema itself has
/// is checked before that.
///
/// A mistake ends the server: an API that AppSync would refuse is not served.
enum GeneratedAPICheck {
    private static let delayMilliseconds = 1_000

    static func beginLater(_ check: EngineDesign.LaterCheck, _ log: Log, on loop: EventLoop) {
        loop.execute {
            _ = loop.schedule(at: loop.now.advanced(byMilliseconds: delayMilliseconds)) {
                _ = WorkAside { run(check, log) }
            }
        }
    }

    private static func run(_ check: EngineDesign.LaterCheck, _ log: Log) {
        do throws(SchemaErrors) { try check.run() } catch {
            log.error(ProjectSchema.refusal(error).message)
            log.queue.flush()
            ProcessEnd.now(.failure)
        }
    }
}
