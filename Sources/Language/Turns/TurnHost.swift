import JSON

/// Runs queries and mutations for a turn of a conversation, with the rights of the user who began it.
package protocol TurnHost: Sendable {
    /// The response, `{"data": …}`, perhaps with `errors`.
    func answer(_ query: String, _ variables: JSONObject) async -> JSONValue
}

/// Why a turn has failed, as whoever follows the conversation is told.
struct TurnFailure: Error {
    let type: String
    let message: String

    init(_ type: String, _ message: String) {
        self.type = type
        self.message = message
    }

    init(_ error: LanguageError) { self.init(error.type, error.message) }

    static func unanswered(_ name: String, _ response: JSONValue) -> TurnFailure {
        TurnFailure(
            "Error", "GraphQL request failed, \(name): \(LanguageError.shortened(JSONWriter.text(of: response)))")
    }
}
