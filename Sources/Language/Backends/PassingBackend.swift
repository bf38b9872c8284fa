import JSON
import Network

/// The service itself, or something that speaks as it does: calls are passed on, and signed where there are credentials.
struct PassingBackend: LanguageBackend {
    private let url: String
    private let signer: RequestSigner?
    private let client: ModelClient

    init(_ url: String, _ settings: LanguageSettings, _ client: ModelClient) {
        self.url = url.hasSuffix("/") ? String(url.dropLast()) : url
        signer = settings.credentials.map { RequestSigner($0, region: settings.region) }
        self.client = client
    }

    func answer(_ request: ConverseRequest) async throws(LanguageError) -> ConverseAnswer {
        let bytes = try await pass(
            .converse, request.model, JSONWriter.bytes(of: request.body), accept: "application/json",
            milliseconds: request.milliseconds)
        guard let value = try? JSONReader.value(of: bytes.body) else {
            throw .failed("The service answered with something that is not JSON.")
        }
        return try ConverseAnswer(value)
    }

    func stream(
        _ request: ConverseRequest, _ tell: (ConverseEvent) async throws(LanguageError) -> Void
    ) async throws(LanguageError) {
        var decoder = EventStreamDecoder()
        let body = JSONWriter.bytes(of: request.body)
        try await passStream(.converseStream, request.model, body) { (_, piece) throws(LanguageError) in
            let messages: [EventStreamMessage]
            do throws(EventStreamDecoder.Malformed) {
                messages = try decoder.decode(piece)
            } catch {
                throw LanguageError.failed("The service sent a stream that cannot be read: \(error.reason)")
            }
            for message in messages {
                let value = (try? JSONReader.value(of: message.payload)) ?? .null
                if let name = message.header(":exception-type") {
                    let type = String(name.prefix(1)).uppercased() + name.dropFirst()
                    throw LanguageError(
                        type, value["message"]?.string ?? name, status: LanguageError.status(of: type))
                }
                guard let name = message.header(":event-type"), let event = ConverseEvent(name, value) else { continue }
                try await tell(event)
            }
        }
    }

    // MARK: As it is

    /// Passes a call on as it has come.
    func pass(
        _ call: LanguageCall, _ model: String, _ body: [UInt8], accept: String,
        milliseconds: Int = LanguageLimits.milliseconds
    ) async throws(LanguageError) -> (type: String, body: [UInt8]) {
        let (url, fields) = try request(call, model, body, accept)
        let response = try await client.send(url, fields, body, milliseconds: milliseconds)
        guard response.status == .ok else { throw Self.fault(of: response) }
        return (response.fields["content-type"] ?? "application/json", response.body)
    }

    /// The same with an answer that comes piece by piece. Its first piece comes when the service has accepted the call.
    func passStream(
        _ call: LanguageCall, _ model: String, _ body: [UInt8],
        _ take: (String, [UInt8]) async throws(LanguageError) -> Void
    ) async throws(LanguageError) {
        let (url, fields) = try request(call, model, body, EventStreamMessage.contentType)
        let response = try await client.stream(url, fields, body) { (piece) throws(LanguageError) in
            try await take(EventStreamMessage.contentType, piece)
        }
        guard response.status == .ok else { throw Self.fault(of: response) }
    }

    private func request(
        _ call: LanguageCall, _ model: String, _ body: [UInt8], _ accept: String
    ) throws(LanguageError) -> (url: String, fields: [(name: String, value: String)]) {
        let path = "/model/\(PercentCoding.encoded(model))/\(call.rawValue)"
        var fields = [(name: "content-type", value: "application/json"), (name: "accept", value: accept)]
        guard let signer else { return (url + path, fields) }
        let place: HTTPURL
        do throws(HTTPURLError) {
            place = try HTTPURL(url + path)
        } catch {
            throw .unavailable("bedrock.url cannot be called: \(error)")
        }
        fields += signer.fields(of: place, path: place.target, fields, body, now: .now)
        return (url + path, fields)
    }

    private static func fault(of response: HTTPClientResponse) -> LanguageError {
        let value = try? JSONReader.value(of: response.body)
        let told = response.fields["x-amzn-errortype"] ?? ""
        let type = told.parts(separatedBy: ":").first { !$0.isEmpty } ?? "ModelErrorException"
        let words =
            value?["message"]?.string ?? value?["Message"]?.string
            ?? String(decoding: response.body, as: UTF8.self)
        return LanguageError(type, LanguageError.shortened(words), status: response.status.code)
    }
}
