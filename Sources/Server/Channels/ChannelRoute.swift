import Access
import Channels
import JSON
import Network

/// `POST /event`: publishes to a channel.
struct ChannelRoute: Sendable {
    let service: ChannelService
    let forwarding: Forwarding

    /// The longest body that is collected before anybody has looked at who sends it.
    private static let unknownBodyBytesMax = 64 << 10

    func reception(
        _ head: HTTPRequestHead, from peer: SocketAddress, _ crossOrigin: CrossOrigin,
        shard: @escaping @Sendable (EventLoop) -> CallerShard
    ) -> HTTPReception {
        switch head.framing {
        case .none, .length(...Self.unknownBodyBytesMax): break
        default:
            if let refusal = service.refusal(ofHead: head, from: peer) {
                let fault = ChannelFault(
                    refusal.status, refusal.errorType, refusal.message, reason: refusal.reason)
                return .answer(Self.response(to: fault, crossOrigin.fields(for: head)))
            }
        }
        return .collect(bodyMax: ChannelLimits.bodyBytesMax) { [self] request in
            let fields = crossOrigin.fields(for: request.head)
            switch await answer(request, on: shard(request.loop)) {
            case .success(let report):
                return Self.response(.ok, .object(report.json), fields)
            case .failure(let fault): return Self.response(to: fault, fields)
            }
        }
    }

    private func answer(
        _ request: HTTPRequest, on shard: CallerShard
    ) async -> Result<PublishReport, ChannelFault> {
        guard case .bytes(let body) = request.body else { return .failure(.unreadable) }
        let read = { @Sendable in try? JSONReader.value(of: body, limits: ChannelLimits.messageLimits) }
        let value = BesideLoop.isLong(request) ? await BesideLoop.always { read() } : read()
        let head = request.head
        return await service.publish(
            value?["channel"]?.string ?? "", value?["events"] ?? .null, request.credentials(body: body),
            from: ChannelService.Origin(
                addresses: [forwarding.client(of: head, from: request.peer)],
                fields: OwnCookies.hidden(in: head.fields.all)),
            on: shard)
    }

    private static func response(to fault: ChannelFault, _ fields: HTTPFieldLines) -> HTTPResponse {
        var fields = fields
        fields.append("x-amzn-errortype", fault.type)
        var response = response(HTTPStatus(code: fault.status), ["errors": [fault.entry]], fields)
        response.reason = fault.reason ?? fault.message
        return response
    }

    private static func response(_ status: HTTPStatus, _ body: JSONValue, _ fields: HTTPFieldLines) -> HTTPResponse {
        var fields = fields
        fields.append("content-type", "application/json;charset=UTF-8")
        return HTTPResponse(status: status, fields: fields, body: .bytes(JSONWriter.bytes(of: body)))
    }
}
