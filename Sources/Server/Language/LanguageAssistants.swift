import Engine
import JSON
import Language
import Synchronization

/// Language models for the fields of a schema: generations, and turns of conversations. The API is made before the models can be
/// reached, so they come later.
final class LanguageAssistants: Assistants {
    private struct State {
        var language: Language?
        var endpoint = ""
        var turns = 0
    }

    private let state = Mutex(State())
    private let report: @Sendable (String) -> Void

    /// - Parameter report: is told why a turn has failed.
    init(report: @escaping @Sendable (String) -> Void) { self.report = report }

    /// - Parameter endpoint: where the API is.
    func begin(_ language: Language, endpoint: String) {
        state.withLock { ($0.language, $0.endpoint) = (language, endpoint) }
    }

    /// Called when nothing is served any more, where something may be served again.
    func end() { state.withLock { ($0.language, $0.endpoint) = (nil, "") } }

    var endpoint: String { state.withLock { $0.endpoint } }

    private var language: Language? { state.withLock { $0.language } }

    func converse(
        _ model: String, _ body: JSONValue, milliseconds: Int
    ) async throws(AssistantFault) -> JSONValue {
        guard let language else { throw Self.unready }
        do throws(LanguageError) {
            var request = try ConverseRequest(model: model, body)
            request.milliseconds = milliseconds
            return try await language.converse(request).json(milliseconds: 0)
        } catch {
            throw AssistantFault(error.type, error.message)
        }
    }

    private static let unready = AssistantFault("ServiceUnavailableException", "The server is not ready yet.")

    // MARK: Turns

    func beginTurn() -> Bool {
        state.withLock { state in
            guard state.turns < LanguageLimits.turnsMax else { return false }
            state.turns += 1
            return true
        }
    }

    func take(_ turn: JSONValue, by requests: CallerRequests) async {
        defer { state.withLock { $0.turns -= 1 } }
        guard let language else { return }
        if let failure = await ConversationTurn.run(turn, on: language, for: Host(requests: requests)) {
            report("a turn of a conversation failed: \(failure)")
        }
    }

    private struct Host: TurnHost {
        let requests: CallerRequests

        func answer(_ query: String, _ variables: JSONObject) async -> JSONValue {
            await requests.answer(query, variables)
        }
    }
}
