import JSON
import Network
import Workflows

/// Step Functions over HTTP.
struct WorkflowRoute: CloudService {
    private let calls: WorkflowCalls
    private let service: TargetedService

    private static let signedService = "states"

    init(_ workflows: Workflows, _ callers: ServiceCallers) {
        calls = WorkflowCalls(workflows)
        service = TargetedService(
            "AWSStepFunctions", version: "1.0", signedFor: Self.signedService,
            JSONLimits(bytesMax: WorkflowLimits.bodyBytesMax, nestingMax: WorkflowLimits.bodyNestingMax),
            errorsIn: "com.amazonaws.swf.service.v2.model#", callers)
    }

    var route: Route { .workflows }
    var targets: [String] { [service.target] }
    var scopes: [String] { [Self.signedService] }

    func reception(_ head: HTTPRequestHead, on _: @escaping @Sendable (EventLoop) -> LoopShard) -> HTTPReception {
        if let refusal = service.refusal(of: head) { return .answer(refusal) }
        return .compute(bodyMax: service.limits.bytesMax) { request in
            // Definitions, data of executions and histories are long, and reading them needs no loop.
            // What has been begun goes on whoever still listens; only the waiting ends.
            guard WorkflowCalls.waits(service.operation(of: request.head)) else {
                return .later { await BesideLoop.always { await answer(request) } }
            }
            return .whileWaited { await BesideLoop.always { await answer(request) } }
        }
    }

    private func answer(_ request: HTTPRequest) async -> HTTPResponse {
        await service.answer(request, demands: WorkflowDemand.demands) {
            (operation, input) async throws(TargetedService.CallRefusal) in
            do throws(WorkflowError) { return try await calls.answer(operation, input) } catch {
                throw TargetedService.CallRefusal(status: error.status, type: error.type, message: error.message)
            }
        }
    }

    func refusal(of error: HTTPParseError) -> HTTPResponse { service.refusal(of: error) }
}
