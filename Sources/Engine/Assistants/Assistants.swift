import JSON

/// Who asks language models for the fields of a schema. The engine knows what is to be asked, and they know whom.
package protocol Assistants: AnyObject, Sendable {
    /// What a model answers to a body of Converse.
    func converse(
        _ model: String, _ body: JSONValue, milliseconds: Int
    ) async throws(AssistantFault) -> JSONValue

    /// Takes note of one more turn of a conversation; false when there are as many as may be.
    func beginTurn() -> Bool

    /// Takes a turn: asks the model, and publishes what it answers by requests of the one who began it. Ends what `beginTurn` began.
    func take(_ turn: JSONValue, by requests: CallerRequests) async

    /// Where the API is for functions that take turns, when the request that began one does not tell.
    var endpoint: String { get }
}

/// Why a model has not answered.
package struct AssistantFault: Error, Sendable {
    package let type: String
    package let message: String

    package init(_ type: String, _ message: String) {
        self.type = type
        self.message = message
    }
}

/// Requests to the API by the caller of a field, with the caller's rights and no others.
package struct CallerRequests: Sendable {
    private let operation: WaitingOperation

    var engine: Engine { operation.engine }
    var shard: EngineShard { operation.shard }
    /// What is asked on the way is not what the log tells of.
    var requester: Requester { Requester(operation.requester.identity, sender: operation.requester.sender) }

    init(_ operation: WaitingOperation) { self.operation = operation }

    /// The response, `{"data": …}`, perhaps with `errors`. Called on the loop of the caller.
    package func answer(_ query: String, _ variables: JSONObject) async -> JSONValue {
        let body = JSONWriter.bytes(of: ["query": .string(query), "variables": .object(variables)])
        // What was just written must be seen.
        shard.endTurn()
        let bytes = await response(engine.answer(body, from: requester, on: shard))
        return (try? JSONReader.value(of: bytes)) ?? Self.error("The API answered with something that is not JSON")
    }

    private func response(_ answer: Engine.Answer) async -> [UInt8] {
        switch answer {
        case .response(let bytes), .invalid(let bytes): bytes
        case .pending(let pending): await pending.response()
        case .preparing(let preparation): await response(preparation.answer())
        case .refused(let error): JSONWriter.bytes(of: Self.error(error.message))
        case .unauthorized(let message, _): JSONWriter.bytes(of: Self.error(message))
        }
    }

    private static func error(_ message: String) -> JSONValue {
        ["data": .null, "errors": [["message": .string(message)]]]
    }
}
