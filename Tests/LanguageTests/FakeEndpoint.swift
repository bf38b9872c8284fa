import JSON
import Network
import Synchronization
import TestSupport

@testable import Language

/// An endpoint with OpenAI's chat completions that answers what it is told to, and keeps what it was asked.
final class FakeEndpoint: HTTPApplication {
    private let status: HTTPStatus
    private let pieces: [String]
    private let asked = Mutex<[(path: String, authorization: String?, body: JSONValue)]>([])

    /// - Parameter pieces: the body, written piece by piece.
    init(status: HTTPStatus = .ok, _ pieces: String...) {
        self.status = status
        self.pieces = pieces
    }

    func receive(
        _ head: HTTPRequestHead, from peer: SocketAddress, isSecure: Bool, mark: inout Int?
    ) -> HTTPReception {
        .collect(bodyMax: 1 << 22) { [self] request in
            guard case .bytes(let bytes) = request.body else { return HTTPResponse(status: .badRequest) }
            let body = (try? JSONReader.value(of: bytes)) ?? .null
            asked.withLock { $0.append((request.head.path, request.head.fields["authorization"], body)) }
            return HTTPResponse(
                status: status,
                body: .stream(length: nil) { [pieces] writer in
                    for piece in pieces { try await writer.write(Array(piece.utf8)) }
                })
        }
    }

    var requests: [(path: String, authorization: String?, body: JSONValue)] { asked.withLock { $0 } }

    /// Runs with models that this endpoint answers for.
    func run<Value: Sendable>(
        _ settings: LanguageSettings.Compatible? = nil, passing: Bool = false,
        _ body: (Language) async throws -> Value
    ) async throws -> Value {
        let server = try await LoopbackServer(self)
        var whole = LanguageSettings()
        if passing {
            whole.url = server.url
            whole.credentials = LanguageSettings.Credentials(
                accessKeyID: "AK", secretAccessKey: "SK", sessionToken: "ST")
        } else {
            var compatible = settings ?? LanguageSettings.Compatible(url: "")
            compatible.url = server.url + "/v1"
            whole.compatible = compatible
        }
        let client = HTTPClient(on: server.group.loops[0])
        let outcome: Result<Value, any Error>
        do {
            outcome = .success(try await body(Language(whole, client)))
        } catch {
            outcome = .failure(error)
        }
        await server.stop()
        return try outcome.get()
    }
}

extension Language {
    /// All events of a stream.
    func events(_ request: ConverseRequest) async throws -> [ConverseEvent] {
        var events: [ConverseEvent] = []
        try await converse(request) { (event) throws(LanguageError) in events.append(event) }
        return events
    }
}

extension ConverseRequest {
    static func asking(_ text: String, model: String = "maker.model-v1:0") -> ConverseRequest {
        var request = ConverseRequest(model: model)
        request.messages = [ConverseMessage(.user, [.text(text)])]
        return request
    }
}
