import JSON
import TestSupport

/// A WebSocket that several steps may talk over.
final class OpenSocket {
    var socket: WebSocketClient

    init(_ socket: consuming WebSocketClient) { self.socket = socket }
}

extension CaseRun {
    /// Has the conversation of a script on a connection of its own.
    func run(_ script: SocketScript) throws {
        let names = try allNames()
        let open = OpenSocket(
            try WebSocketClient(
                port: server.port, path: names.filled(script.path), protocols: script.protocols.map(names.filled),
                fields: Self.fields(try names.filled(script.headers))))
        let matcher = Matcher(self.names.values)
        try matcher.check(.integer(Int64(open.socket.head.status)), script.status, at: path("ws.status"))
        if let expected = script.chosenProtocol {
            let got = open.socket.head.fields["sec-websocket-protocol"].map(JSONValue.string)
            try matcher.check(got ?? .null, expected, at: path("ws.protocol"))
        }
        try take(script.turns, on: &open.socket)
        if let name = script.keptAs { sockets[name] = open }
    }

    /// Goes on with a conversation on a connection that an earlier step kept.
    func goOn(_ name: String, _ turns: [SocketScript.Turn]) throws {
        guard let open = sockets[name] else { throw Mismatch(path(name), "a connection", "nothing") }
        try take(turns, on: &open.socket)
    }

    private func take(_ turns: [SocketScript.Turn], on socket: inout WebSocketClient) throws {
        let names = try allNames()
        for (index, turn) in turns.enumerated() {
            try take(turn, on: &socket, names, at: path("frames").appending(index))
        }
    }

    private func take(
        _ turn: SocketScript.Turn, on socket: inout WebSocketClient, _ names: Substitution, at path: JSONPath
    ) throws {
        switch turn {
        case .send(let message, let caller):
            var all = names
            all.values.merge(self.names.values) { $1 }
            var filled = try all.filled(message)
            if let caller { filled = try authorized(filled, by: caller) }
            try socket.send(filled.string ?? JSONWriter.text(of: filled))
        case .pause(let milliseconds):
            Self.pause(milliseconds)
        case .expect(let expected, let milliseconds, let saved):
            let wantsSignOfLife = expected["type"] == "ka"
            let arrival = try socket.nextMessage(within: limit(milliseconds), passingOverSignsOfLife: !wantsSignOfLife)
            guard case .text(let text) = arrival else {
                throw Mismatch(path, JSONWriter.text(of: expected), "\(arrival)")
            }
            let message = try JSONReader.value(of: text)
            try Matcher(self.names.values).check(message, expected, at: path)
            try self.names.keep(saved, of: message)
        case .expectUnordered(let expected):
            var messages: [JSONValue] = []
            while messages.count < expected.count {
                guard case .text(let text) = try socket.nextMessage(within: patience) else { break }
                messages.append(try JSONReader.value(of: text))
            }
            try Matcher(self.names.values).check(.array(messages), ["$unordered": .array(expected)], at: path)
        case .expectQuiet:
            // Events of the turn in which the first question is read are written after its answer: hence two.
            for id in ["quiet1", "quiet2"] {
                try socket.send(JSONWriter.text(of: ["type": "unsubscribe", "id": .string(id)]))
                let arrival = try socket.nextMessage(within: patience)
                guard case .text(let text) = arrival, try JSONReader.value(of: text)["id"]?.string == id else {
                    throw Mismatch(path, "nothing", "\(arrival)")
                }
            }
        case .expectNothing(let milliseconds):
            let arrival = try socket.nextMessage(within: .milliseconds(milliseconds))
            guard arrival == .silence else { throw Mismatch(path, "nothing", "\(arrival)") }
        case .expectClose(let code, let milliseconds):
            let arrival = try socket.nextMessage(within: limit(milliseconds))
            guard case .end(let got) = arrival else { throw Mismatch(path, "the end", "\(arrival)") }
            // A connection that ends without a word has this code by RFC 6455.
            let number = got.map { Int64($0.rawValue) } ?? 1006
            try Matcher(self.names.values).check(.integer(number), code, at: path)
        }
    }
}

extension CaseRun {
    /// A message of Events with its caller's `authorization`, beside the members that this has. Signers sign `channel` and `events`.
    private func authorized(_ message: JSONValue, by caller: String) throws -> JSONValue {
        guard var object = message.object else { return message }
        let signed = JSONObject(["channel", "events"].compactMap { key in object[key].map { (key, $0) } })
        var authorization = try eventAuthorization(of: caller, JSONWriter.text(of: .object(signed)))
        for member in object["authorization"]?.object ?? JSONObject() {
            authorization.set(member.key, to: member.value)
        }
        object.set("authorization", to: .object(authorization))
        return .object(object)
    }
}

extension WebSocketClient {
    mutating func nextMessage(within limit: Duration, passingOverSignsOfLife: Bool = true) throws -> Arrival {
        let deadline = ContinuousClock.now + limit
        while true {
            let arrival = try next(until: deadline)
            guard passingOverSignsOfLife, case .text(let text) = arrival, try JSONReader.value(of: text)["type"] == "ka"
            else { return arrival }
        }
    }
}
