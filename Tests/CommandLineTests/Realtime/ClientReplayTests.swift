import Foundation
import Network
import Server
import TestSupport
import Testing

@testable import homeport

/// What client libraries send, against the real program: from the upgrade over a mutation to its event.
@Suite("Client libraries")
struct ClientReplayTests {
    private static func texts(_ client: inout WebSocketClient, count: Int) throws -> [String] {
        var texts: [String] = []
        while texts.count < count {
            guard case .text(let text) = try client.next(until: .now + .seconds(20)) else { break }
            texts.append(text)
        }
        return texts
    }

    private static func create(_ id: String, through client: OperationClient) throws {
        let answer = try client.answer(
            to: #"mutation { createTodo(input: { id: "\#(id)", name: "of \#(id)" }) { id name } }"#)
        #expect(answer == #"{"data":{"createTodo":{"id":"\#(id)","name":"of \#(id)"}}}"#)
    }

    @Test("each gets the event of a mutation as it expects it, and no more once it has stopped")
    func replays() throws {
        let server = try HomeportProcess()
        let operations = try OperationClient(port: server.port)
        let first = ClientScript.all[0]
        var witness = try WebSocketClient(port: server.port, path: first.path, protocols: first.protocols)
        try witness.send(first.initial)
        try witness.send(first.start)
        #expect(try Self.texts(&witness, count: first.beginning.count) == first.beginning)
        for (number, script) in ClientScript.all.enumerated() {
            var client = try WebSocketClient(
                port: server.port, path: script.path, protocols: script.protocols, fields: script.fields)
            #expect(client.head.status == 101, "\(script.name)")
            #expect(client.head.fields["sec-websocket-protocol"] == script.protocols.first, "\(script.name)")
            try client.send(script.initial)
            // One protocol closes the connection of who asks for something before it is acknowledged.
            var beginning = script.dialect == .transport ? try Self.texts(&client, count: 1) : []
            try client.send(script.start)
            if let barrier = script.barrier { try client.send(barrier) }
            beginning += try Self.texts(&client, count: script.beginning.count - beginning.count)
            #expect(beginning == script.beginning, "\(script.name)")
            for id in ["\(number)-1", "\(number)-2"] {
                try Self.create(id, through: operations)
                #expect(try Self.texts(&client, count: 1) == [script.event(id)], "\(script.name)")
            }
            try client.send(script.stop)
            if let ending = script.ending {
                #expect(try Self.texts(&client, count: 1) == [ending], "\(script.name)")
            } else if let barrier = script.barrier {
                try client.send(barrier)
                #expect(try Self.texts(&client, count: 2) == script.beginning.suffix(2), "\(script.name)")
            }
            try Self.create("\(number)-3", through: operations)
            // Who has not stopped hears of all three. Behind that nothing comes but the end.
            let heard = try Self.texts(&witness, count: 3)
            #expect(heard == (1...3).map { first.event("\(number)-\($0)") }, "\(script.name)")
            client.finishSending()
            #expect(try client.next(until: .now + patience) == .end(nil), "\(script.name)")
        }
        server.signal(SIGTERM)
        #expect(server.exitStatus() == ExitCode.success.rawValue)
    }

    @Test("every subscriber is told that the server stops, and one that comes back finds it where it was")
    func restarts() throws {
        let script = ClientScript.all[0]
        let folder = TemporaryFolder()
        for round in 1...2 {
            let server = try HomeportProcess(in: folder)
            var client = try WebSocketClient(port: server.port, path: script.path, protocols: script.protocols)
            try client.send(script.initial)
            try client.send(script.start)
            #expect(try Self.texts(&client, count: 3) == script.beginning)
            try Self.create("\(round)", through: OperationClient(port: server.port))
            #expect(try Self.texts(&client, count: 1) == [script.event("\(round)")])
            server.signal(SIGTERM)
            #expect(try client.next(until: .now + .seconds(20)) == .end(.internalError))
            #expect(server.exitStatus() == ExitCode.success.rawValue)
        }
    }
}
