import Events
import JSON
import Network

/// EventBridge over HTTP.
struct EventRoute: CloudService {
    private let calls: EventCalls
    private let service: TargetedService

    private static let signedService = "events"

    init(_ events: Events, _ callers: ServiceCallers) {
        calls = EventCalls(events)
        service = TargetedService(
            "AWSEvents", version: "1.1", signedFor: Self.signedService,
            JSONLimits(bytesMax: EventLimits.bodyBytesMax, nestingMax: EventLimits.nestingMax), callers)
    }

    var route: Route { .events }
    var targets: [String] { [service.target] }
    var scopes: [String] { [Self.signedService] }

    func reception(_ head: HTTPRequestHead, on _: @escaping @Sendable (EventLoop) -> LoopShard) -> HTTPReception {
        if let refusal = service.refusal(of: head) { return .answer(refusal) }
        return .collect(bodyMax: service.limits.bytesMax) { request in
            await BesideLoop.ifLong(request) { await answer(request) }
        }
    }

    private func answer(_ request: HTTPRequest) async -> HTTPResponse {
        await service.answer(request, demands: EventDemand.demands) {
            (operation, input) async throws(TargetedService.CallRefusal) in
            do throws(EventError) { return try await calls.answer(operation, input) } catch {
                throw TargetedService.CallRefusal(status: error.status, type: error.type, message: error.message)
            }
        }
    }

    func refusal(of error: HTTPParseError) -> HTTPResponse { service.refusal(of: error) }
}
