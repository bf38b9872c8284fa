import JSON
import Network
import Synchronization

/// Models of language, as Bedrock's runtime has them. This is the room's front page.
///
///     call ─▶ what it asks, in one form (Converse) ─▶ who answers ─▶ the answer in the form of the call
///
/// - `Messages/` is that form: what is said, tools, answers, and answers piece by piece.
/// - `Encoding/` is how pieces go over the wire: AWS's event streams, and the server-sent events of others.
/// - `Invocations/` is what the makers of models have their own forms for (InvokeModel).
/// - `Backends/` is who answers: the service itself, an endpoint with OpenAI's chat completions, rules of a file, a stand-in.
/// - `Turns/` is a conversation's turn: history, tools, and the answer as it comes.
///
/// Invariants: a call ends, whatever a model does; what a model asks of a tool is done with the rights of the one who asks
/// the model.
package final class Language: Sendable {
    private let backend: any LanguageBackend
    private let passing: PassingBackend?
    private let calls = Mutex(0)

    /// - Parameter client: by which models at other places are called.
    package init(_ settings: LanguageSettings, _ client: HTTPClient) {
        let client = ModelClient(client)
        passing = settings.url.map { PassingBackend($0, settings, client) }
        if let passing {
            backend = passing
        } else if let compatible = settings.compatible {
            backend = CompatibleBackend(compatible, client)
        } else if let rules = settings.rules {
            backend = RuleBackend(rules)
        } else {
            backend = StandInBackend()
        }
    }

    // MARK: Converse

    package func converse(_ request: ConverseRequest) async throws(LanguageError) -> ConverseAnswer {
        try begin()
        defer { end() }
        return try await backend.answer(request)
    }

    package func converse(
        _ request: ConverseRequest, _ tell: (ConverseEvent) async throws(LanguageError) -> Void
    ) async throws(LanguageError) {
        try begin()
        defer { end() }
        try await backend.stream(request, tell)
    }

    // MARK: Calls over HTTP

    /// Answers a call that is no stream: its type and its body.
    package func answer(
        _ call: LanguageCall, of model: String, _ body: [UInt8], accept: String
    ) async throws(LanguageError) -> (type: String, body: [UInt8]) {
        try Self.check(model)
        if let passing {
            try begin()
            defer { end() }
            return try await passing.pass(call, model, body, accept: accept)
        }
        let value = try Self.value(of: body)
        let start = Timestamp.monotonicMilliseconds
        let answer: JSONValue
        if call == .converse {
            answer = try await converse(ConverseRequest(model: model, value))
                .json(milliseconds: Timestamp.monotonicMilliseconds - start)
        } else {
            let form = try InvocationForm(of: model, value)
            answer = form.answer(try await converse(try form.request(model, value)), model)
        }
        return ("application/json", JSONWriter.bytes(of: answer))
    }

    /// The same as a stream: messages as they come. What is wrong with the call itself is thrown before the first.
    package func stream(
        _ call: LanguageCall, of model: String, _ body: [UInt8],
        _ tell: ([UInt8]) async throws(LanguageError) -> Void
    ) async throws(LanguageError) {
        try Self.check(model)
        if let passing {
            try begin()
            defer { end() }
            return try await passing.passStream(call, model, body) { (_, piece) throws(LanguageError) in
                try await tell(piece)
            }
        }
        let value = try Self.value(of: body)
        let start = Timestamp.monotonicMilliseconds
        if call == .converseStream {
            try await converse(ConverseRequest(model: model, value)) { (event) throws(LanguageError) in
                let content = event.json(milliseconds: Timestamp.monotonicMilliseconds - start)
                try await tell(EventStreamMessage(event: event.name, content).bytes)
            }
            return
        }
        let form = try InvocationForm(of: model, value)
        var chunks = InvocationChunks(form, model)
        try await converse(try form.request(model, value)) { (event) throws(LanguageError) in
            for chunk in chunks.chunks(of: event, milliseconds: Timestamp.monotonicMilliseconds - start) {
                try await tell(EventStreamMessage(event: "chunk", chunk).bytes)
            }
        }
    }

    private static func check(_ model: String) throws(LanguageError) {
        guard !model.isEmpty, model.utf8.count <= LanguageLimits.modelBytesMax else {
            throw .invalid("The provided model identifier is invalid.")
        }
    }

    private static func value(of body: [UInt8]) throws(LanguageError) -> JSONValue {
        guard let value = try? JSONReader.value(of: body), value.object != nil else {
            throw .invalid("Malformed input request, please reformat your input and try again.")
        }
        return value
    }

    // MARK: How many there are

    private func begin() throws(LanguageError) {
        let isFree = calls.withLock { count in
            guard count < LanguageLimits.callsMax else { return false }
            count += 1
            return true
        }
        guard isFree else { throw .tooManyCalls }
    }

    private func end() { calls.withLock { $0 -= 1 } }
}
