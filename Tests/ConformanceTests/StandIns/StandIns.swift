import JSON
import Network
import Synchronization
import TestSupport

/// Stands in for everything that a server under test calls: functions, the authorizer, HTTP servers. One for all cases.
///
///     /CASE/authorize     decides about the token in the body
///     /CASE/fn/NAME       answers what the function answers to the event in the body
///     /CASE/http/NAME/... answers what the HTTP server answers
final class StandIns: HTTPApplication {
    /// Runs from the first use on until the tests end. The loops are the group's, so it must stay.
    private static let running: (group: EventLoopGroup, server: HTTPServer) = {
        do {
            let group = try EventLoopGroup(count: 1)
            let server = HTTPServer(StandIns(), options: HTTPServerOptions(), on: group)
            let failure: SystemError? = group.loops[0].wait {
                do throws(SystemError) {
                    try await server.start(on: [.loopback(port: 0)])
                    return nil
                } catch {
                    return error
                }
            }
            if let failure { throw failure }
            return (group, server)
        } catch {
            fatalError("the stand-ins cannot listen: \(error)")
        }
    }()

    static func url(of testCase: ConformanceCase) -> String {
        "http://127.0.0.1:\(running.server.addresses.first?.port ?? 0)/\(testCase.name)"
    }

    /// The bodies of all calls of cases that look at them, by the case's name and the place.
    private static let calls = Mutex<[String: [JSONValue]]>([:])

    /// What a stand-in of a case was called with so far: `authorize`, or `fn/NAME`.
    static func calls(of place: String, in testCase: String) -> JSONValue {
        .array(calls.withLock { $0["\(testCase)/\(place)"] ?? [] })
    }

    private static let bodyBytesMax = 1 << 20
    private let cases = Dictionary(uniqueKeysWithValues: ConformanceCase.everyCase.map { ($0.name, $0) })

    func receive(
        _ head: HTTPRequestHead, from peer: SocketAddress, isSecure: Bool, mark: inout Int?
    ) -> HTTPReception {
        .compute(bodyMax: Self.bodyBytesMax) { [self] request in
            guard case .bytes(let body) = request.body else { return .now(HTTPResponse(status: .badRequest)) }
            return .now(answer(request.head, body))
        }
    }

    private func answer(_ head: HTTPRequestHead, _ body: [UInt8]) -> HTTPResponse {
        let steps = head.path.split(separator: "/").map(String.init)
        guard steps.count >= 2, let testCase = cases[steps[0]] else { return Self.nothing }
        if testCase.looksAtCalls, let value = try? JSONReader.value(of: body) {
            Self.calls.withLock { $0[steps.joined(separator: "/"), default: []].append(value) }
        }
        switch (steps[1], steps.count) {
        case ("authorize", 2):
            return Self.response(200, Self.decision(in: testCase, body))
        case ("fn", 3):
            guard let function = testCase.functions[steps[2]], let event = try? JSONReader.value(of: body) else {
                return Self.nothing
            }
            let result = function.result(of: event)
            var response = Self.response(200, result.value)
            if result.isError { response.fields.append("x-amz-function-error", "Unhandled") }
            return response
        case ("http", 3...):
            let call = StandInRoute.Call(
                method: head.methodText, path: "/" + steps.dropFirst(3).joined(separator: "/"), query: head.query,
                fields: head.fields, body: body)
            guard let route = testCase.httpServers[steps[2]]?.first(where: { $0.takes(call) }) else {
                return Self.nothing
            }
            let answer = route.answer(to: call)
            return Self.response(answer.status, answer.value)
        default:
            return Self.nothing
        }
    }

    private static func decision(in testCase: ConformanceCase, _ body: [UInt8]) -> JSONValue {
        let token = (try? JSONReader.value(of: body))?["authorizationToken"]?.string
        for case .authorized(let identity) in testCase.identities.values where identity.token == token {
            return identity.decision
        }
        return ["isAuthorized": false, "ttlOverride": 0]
    }

    private static let nothing = response(404, ["message": "nothing stands here"])

    private static func response(_ status: Int, _ value: JSONValue) -> HTTPResponse {
        HTTPResponse(
            status: HTTPStatus(code: status), fields: HTTPFieldLines(["content-type": "application/json"]),
            body: .bytes(JSONWriter.bytes(of: value)))
    }
}
