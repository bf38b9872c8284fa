import JSON

/// A conversation over a WebSocket, frame by frame.
struct SocketScript: Sendable {
    /// One turn of the conversation.
    enum Turn: Sendable {
        /// With a caller's name, the message gets that caller's `authorization`, as clients of Events write it.
        case send(JSONValue, caller: String?)
        case expect(JSONValue, milliseconds: Int?, saved: [String: String])
        /// These messages, in any order.
        case expectUnordered([JSONValue])
        case expectNothing(milliseconds: Int)
        /// Nothing has come: the next messages are the answers to questions of the runner.
        case expectQuiet
        /// The server closes, with such a code.
        case expectClose(code: JSONValue, milliseconds: Int?)
        case pause(milliseconds: Int)
    }

    let path: String
    let protocols: [String]
    let headers: JSONObject
    /// What the handshake is answered with.
    let status: JSONValue
    let chosenProtocol: JSONValue?
    /// The name under which a later step goes on with the connection; nil: it closes after the turns.
    let keptAs: String?
    let turns: [Turn]

    init(_ fields: CaseFields) throws(CaseFormError) {
        try fields.expectOnly(["ws", "frames"])
        let socket = try fields.fields("ws")
        try socket.expectOnly(["path", "protocols", "headers", "status", "protocol", "keep"])
        path = try socket.text("path")
        protocols = try socket.texts("protocols")
        headers = try socket.object("headers")
        status = socket.members["status"] ?? 101
        chosenProtocol = socket.members["protocol"]
        keptAs = socket.has("keep") ? try socket.text("keep") : nil
        turns = try Self.turns(fields)
    }

    static func turns(_ fields: CaseFields) throws(CaseFormError) -> [Turn] {
        var turns: [Turn] = []
        for (index, value) in try fields.array("frames").enumerated() {
            turns.append(try Turn(CaseFields(value, "frames[\(index)]")))
        }
        return turns
    }
}

extension SocketScript.Turn {
    fileprivate init(_ fields: CaseFields) throws(CaseFormError) {
        if let message = fields.members["send"] {
            try fields.expectOnly(["send", "as"])
            self = .send(message, caller: fields.has("as") ? try fields.text("as") : nil)
        } else if fields.has("expectUnordered") {
            try fields.expectOnly(["expectUnordered"])
            self = .expectUnordered(try fields.array("expectUnordered"))
        } else if fields.has("expectQuiet") {
            try fields.expectOnly(["expectQuiet"])
            self = .expectQuiet
        } else if fields.has("sleepMs") {
            try fields.expectOnly(["sleepMs"])
            self = .pause(milliseconds: try fields.integer("sleepMs", or: 0))
        } else if fields.has("expectNone") {
            try fields.expectOnly(["expectNone"])
            self = .expectNothing(milliseconds: try fields.integer("expectNone", or: 400))
        } else {
            let milliseconds = fields.has("withinMs") ? try fields.integer("withinMs", or: 0) : nil
            if let code = fields.members["expectClose"] {
                try fields.expectOnly(["expectClose", "withinMs"])
                self = .expectClose(code: code, milliseconds: milliseconds)
            } else {
                try fields.expectOnly(["expect", "withinMs", "save"])
                self = .expect(
                    try fields.value("expect"), milliseconds: milliseconds, saved: try Step.saved(fields))
            }
        }
    }
}
