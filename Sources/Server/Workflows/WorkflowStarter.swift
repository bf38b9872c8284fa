import Access
import Events
import JSON
import Workflows

/// Starts executions with events: who consumes the events of functions calls this in the place of one.
final class WorkflowStarter: OutsideService {
    private let workflows: Workflows

    static let callsAtOnce = 10
    static let timeoutSeconds = 30

    /// By what events are kept for a state machine.
    static func key(of machine: String) -> String { Events.starting(machine) }

    init(_ workflows: Workflows) { self.workflows = workflows }

    func send(_ request: OutsideRequest) async throws(OutsideError) -> OutsideResponse {
        throw .invalidURL(request.url)
    }

    /// - Parameter call: its address is the name of the machine.
    func invoke(_ call: FunctionInvocation) async throws(OutsideError) -> OutsideResponse {
        do throws(WorkflowError) {
            _ = try await workflows.begin(call.address, input: String(decoding: call.payload, as: UTF8.self))
            return OutsideResponse(status: 202, body: [])
        } catch {
            // What is wrong with the event is wrong however often it is told; all else may come right.
            guard error.status >= 500 || error.isOfRoom else {
                return OutsideResponse(
                    status: 200, fields: [("x-amz-function-error", error.type)], body: Array(error.message.utf8))
            }
            throw .unreachable(error.message)
        }
    }
}
