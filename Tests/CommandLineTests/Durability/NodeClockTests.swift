import Foundation
import PostgresSupport
import TestSupport
import Testing

/// Several servers over one database whose machines have other times of day.
@Suite(
    "Several servers with other times of day",
    .enabled(if: PostgresServer.isInstalled, PostgresServer.absence),
    .enabled(if: MovedClock.isPossible, "there is no compiler for the library that moves a clock"))
struct NodeClockTests {
    private static func creation(_ id: String) -> String {
        #"mutation { createTodo(input: {id: "\#(id)", name: "n"}) { id } }"#
    }

    @Test("one whose clock is more than five seconds off is not ready and says so, until it is right; the others go on")
    func clocks() throws {
        let url = try PostgresServer.shared.get().url(ofNewSchema: "nodeclocks")
        func node(_ leadMilliseconds: Int64) throws -> (clock: MovedClock, server: HomeportProcess) {
            let clock = try MovedClock(leadMilliseconds: leadMilliseconds)
            return (clock, try NodeTests.serve(url, [], clock.environment))
        }
        // The first is the keeper, and goes on with that.
        let (ahead, behind) = (try node(10_000), try node(-10_000))
        let (right, near) = (try NodeTests.serve(url), try node(2_000))
        for (server, says) in [(ahead.server, "ahead of"), (behind.server, "behind")] {
            // Ten seconds, and on a busy machine a little less: it asks the database meanwhile.
            let text = try Regex("503 .*its clock is (9|10)\\.[0-9] s \(says) the database's")
            try eventually("it is not ready") {
                try NodeServiceTests.readiness(of: server).firstMatch(of: text) != nil
            }
            #expect(server.logs(" s \(says) the database's. Set both by a time server"), "\(server.log)")
        }
        #expect(near.server.logs(" s ahead of the database's. Set both by a time server"), "\(near.server.log)")
        let subscriber = try NodeTests.subscriber(of: near.server)
        for (number, server) in [right, near.server, right].enumerated() {
            #expect(try NodeServiceTests.readiness(of: server).hasPrefix("200 "))
            #expect(try server.answer(to: Self.creation("t\(number)")).contains(#""id":"t\#(number)""#))
        }
        _ = try subscriber.read(through: #"{"data":{"onCreateTodo":{"id":"t2"}}}"#)
        #expect(right.logCount(of: "the clock of this machine") == 0, "\(right.log)")
        // Set right, they are ready by themselves.
        for node in [ahead, behind] { try node.clock.set(leadMilliseconds: 0) }
        for node in [ahead, behind] {
            try eventually("it is ready again") {
                try NodeServiceTests.readiness(of: node.server).hasPrefix("200 ")
            }
        }
    }
}
