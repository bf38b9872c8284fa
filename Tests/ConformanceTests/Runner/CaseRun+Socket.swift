import JSON
import TestSupport

extension CaseRun {
    /// Has the conversation of a script on a connection of its own.
    func run(_ script: SocketScript) throws {
        let names = try allNames()
        var socket = try WebSocketClient(
            port: server.port, path: names.filled(script.path), protocols: script.protocols,
            fields: Self.fields(try names.filled(script.headers)))
        let matcher = Matcher(self.names.values)
        try matcher.check(.integer(Int64(socket.head.status)), script.status, at: path("ws.status"))
        if let expected = script.chosenProtocol {
            let got = socket.head.fields["sec-websocket-protocol"].map(JSONValue.string)
            try matcher.check(got ?? .null, expected, at: path("ws.protocol"))
        }
        for (index, turn) in script.turns.enumerated() {
            try take(turn, on: &socket, names, at: path("frames").appending(index))
        }
    }

    private func take(
        _ turn: SocketScript.Turn, on socket: inout WebSocketClient, _ names: Substitution, at path: JSONPath
    ) throws {
        switch turn {
        case .send(let message):
            var all = names
            all.values.merge(self.names.values) { $1 }
            let filled = try all.filled(message)
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
