import Cloud
import Console
import Events
import Items
import JSON
import Network
import Queues
import Workflows

extension ConsoleHouse {
    func call(
        _ service: ConsoleService, _ operation: String, _ input: JSONValue, on loop: EventLoop
    ) async throws(ConsoleError) -> JSONObject {
        switch service {
        case .queues: try await callQueues(operation, input, on: loop)
        case .workflows: try await callWorkflows(operation, input)
        case .events: try await callEvents(operation, input)
        case .tables: try await callTables(operation, input, on: loop)
        }
    }

    private func callQueues(
        _ operation: String, _ input: JSONValue, on loop: EventLoop
    ) async throws(ConsoleError) -> JSONObject {
        let place = QueueService.Place(endpoint: "http://localhost", loop: loop)
        do throws(QueueError) {
            return try await QueueService(parts.queues).answer(operation, input, at: place)
        } catch {
            throw ConsoleError(400, error.type, error.message)
        }
    }

    private func callWorkflows(_ operation: String, _ input: JSONValue) async throws(ConsoleError) -> JSONObject {
        let table = WorkflowCalls(parts.workflows).table
        // Histories are long, and reading them needs no loop.
        let answer = await BesideLoop.always { () -> Result<JSONObject, WorkflowError> in
            do throws(WorkflowError) { return .success(try await table.answer(operation, input)) } catch {
                return .failure(error)
            }
        }
        switch answer {
        case .success(let object): return object
        case .failure(let error): throw ConsoleError(400, error.type, error.message)
        }
    }

    private func callEvents(_ operation: String, _ input: JSONValue) async throws(ConsoleError) -> JSONObject {
        do throws(CloudError) { return try await EventCalls(parts.events).table.answer(operation, input) } catch {
            throw ConsoleError(400, error.type, error.message)
        }
    }

    private func callTables(
        _ operation: String, _ input: JSONValue, on loop: EventLoop
    ) async throws(ConsoleError) -> JSONObject {
        let call = ItemCall(target: "DynamoDB_20120810.\(operation)", body: JSONWriter.bytes(of: input))
        let answer = await parts.items.answer(call, on: parts.application.shard(on: loop).items)
        let object = answer.object ?? JSONObject()
        guard answer.status < 400 else {
            let type = object["__type"]?.string?.parts(separatedBy: "#").last ?? "error"
            throw ConsoleError(400, type, object["message"]?.string ?? "The table refused the call.")
        }
        return object
    }

    /// What the project has of each service, for the page's rail.
    var roomsOfServices: [(name: String, isThere: Bool)] {
        [
            ("queues", !configuration.declaredQueues.isEmpty), ("workflows", !configuration.stateMachines.isEmpty),
            ("events", !configuration.eventRules.isEmpty || !configuration.eventBuses.isEmpty),
        ]
    }
}
