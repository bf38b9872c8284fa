import Dispatch
import Glibc
import Network
@testable import Postgres
import PostgresSupport
import TestSupport
import Testing

@Suite("Servers that break the protocol")
struct HostileServerTests {
    private static let question = PostgresStatement("SELECT 5::int8")

    /// What a server says in the place of its first messages, and what becomes of the attempt.
    private static let starts: [([UInt8], String)] = [
        ([], "closed the connection"),
        (Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8), "'H'"),
        (Array(ServerMessages.start.prefix(12)), "closed the connection"),
        (ServerMessages.ready, "'Z' that nothing asked for"),
        (ServerMessages.status("a", "b") + ServerMessages.start, "'S' that nothing asked for"),
        (ServerMessages.accepted + ServerMessages.accepted, "'R' that nothing asked for"),
        (ServerMessages.accepted + ServerMessages.row([]), "'D' that nothing asked for"),
        (ServerMessages.accepted + ServerMessages.ready, "version is unknown"),
        (
            ServerMessages.accepted + ServerMessages.status("server_version", "13.9") + ServerMessages.ready,
            "version is 13.9; 14 or later"
        ),
        (
            ServerMessages.accepted + ServerMessages.status("server_version", "99999999999999999999")
                + ServerMessages.ready,
            "14 or later"
        ),
        (
            ServerMessages.accepted + ServerMessages.status("server_version", "15") + ServerMessages.ready,
            "ENCODING 'UTF8'"
        ),
        (ServerMessages.message("R", ServerMessages.number(3)), "in clear text"),
        (ServerMessages.message("R", ServerMessages.number(5) + [1, 2, 3, 4]), "by MD5"),
        (ServerMessages.message("R", ServerMessages.number(7)), "sign-in method 7"),
        (ServerMessages.message("R", ServerMessages.number(12)), "SCRAM messages are wrong"),
        (ServerMessages.message("R", ServerMessages.number(10) + ServerMessages.text("X") + [0]), "no SASL mechanism"),
        (
            ServerMessages.message("R", ServerMessages.number(10) + ServerMessages.text("SCRAM-SHA-256") + [0])
                + ServerMessages.start, "did not prove"
        ),
        (ServerMessages.error("28P01", severity: "FATAL", "wrong"), "28P01: wrong"),
        (ServerMessages.error("57P03", severity: "FATAL", "starting"), "not available"),
        (Array((0..<201).map { _ in ServerMessages.notice("x") }.joined()), "more than 200 messages"),
        ([UInt8(ascii: "R"), 0x7F, 0xFF, 0xFF, 0xFF], "the limit is 65536"),
    ]

    @Test("end in an error before the sign-in is over, whatever they say", arguments: starts)
    func beforeSignIn(bytes: [UInt8], reason: String) throws {
        let server = ScriptedPostgres { _, peer in
            _ = peer.read()
            peer.send(bytes)
        }
        let error = try #require(throws: PostgresError.self) { _ = try server.connect(password: "hunter2") }
        #expect("\(error)".contains(reason), "\(error)")
        #expect(!"\(error)".contains("hunter2"))
    }

    /// What a server answers to one question, and what becomes of it.
    private static let answers: [([UInt8], String)] = [
        ([], "closed the connection"),
        ([0], "a message of the kind 0"),
        (ServerMessages.ready, "'Z' that nothing asked for"),
        (ServerMessages.bound + ServerMessages.ready, "'2' that nothing asked for"),
        (ServerMessages.parsed + ServerMessages.bound, "'2' that nothing asked for"),
        (
            ServerMessages.message("1")
                + ServerMessages.message("t", ServerMessages.short(1) + ServerMessages.number(20)), "'t'"
        ),
        (
            ServerMessages.parsed + ServerMessages.columns([20]) + ServerMessages.row([nil]),
            "'D' that nothing asked for"
        ),
        (
            ServerMessages.parsed + ServerMessages.columns([20]) + ServerMessages.bound
                + ServerMessages.row([nil, nil]),
            "'D' whose fields"
        ),
        (
            ServerMessages.parsed + ServerMessages.message("n") + ServerMessages.bound + ServerMessages.row([nil]),
            "'D' that nothing asked for"
        ),
        (ServerMessages.parsed + ServerMessages.message("H", [0, 0, 0]), "'H', which it must not send"),
        (ServerMessages.parsed + ServerMessages.message("G", [0, 0, 0]), "'G' that nothing asked for"),
        (ServerMessages.accepted, "'R' that nothing asked for"),
        (
            ServerMessages.message("K", ServerMessages.number(1) + ServerMessages.number(2)),
            "'K' that nothing asked for"
        ),
        (ServerMessages.answer.dropLast(6) + ServerMessages.complete("SELECT 1"), "'C' that nothing asked for"),
        (ServerMessages.error("57P01", severity: "FATAL", "going"), "57P01: going"),
        ([UInt8(ascii: "D"), 0x40, 0, 0, 0], "of 1073741824 bytes"),
    ]

    @Test("end in an error during a trip, whatever they answer", arguments: answers, [true, false])
    func duringTrip(answer: ([UInt8], String), isWaiting: Bool) throws {
        let (bytes, reason) = answer
        let server = ScriptedPostgres { _, peer in
            peer.start()
            if peer.readTo("S") { peer.send(bytes) }
        }
        let connection = try server.connect()
        try connection.ask(Self.question)
        let error = try #require(throws: PostgresError.self) { _ = try connection.answers(isWaiting: isWaiting) }
        #expect("\(error)".contains(reason), "\(error)")
        #expect(connection.isClosed)
        let later = try #require(throws: PostgresError.self) { _ = try connection.answers(isWaiting: isWaiting) }
        #expect("\(later)".contains("connection is closed"))
    }

    @Test("are read byte by byte as well, with what may come at any time", arguments: [true, false])
    func slowly(isWaiting: Bool) throws {
        let seen = Seen()
        let server = ScriptedPostgres { _, peer in
            peer.start()
            guard peer.readTo("S") else { return }
            let aside =
                ServerMessages.notice("careful") + ServerMessages.status("TimeZone", "UTC")
                + ServerMessages.message(
                    "A", ServerMessages.number(5) + ServerMessages.text("c") + ServerMessages.text("p"))
            for byte in aside + ServerMessages.answer { peer.send([byte]) }
            peer.readToEnd()
        }
        let connection = try server.connect { seen.add($0.message) }
        try connection.ask(Self.question)
        let answers = try connection.answers(isWaiting: isWaiting)
        #expect(try answers[0][0].integer(0) == 5)
        #expect(connection.serverParameter("TimeZone") == "UTC" && seen.all == ["careful"])
        #expect(connection.takeNotification()?.payload == "p")
    }

    @Test("that do not read end a connection whose questions the system does not take at once")
    func unread() throws {
        let isOver = DispatchSemaphore(value: 0)
        let server = ScriptedPostgres { _, peer in
            peer.start()
            isOver.wait()
        }
        defer { isOver.signal() }
        let connection = try server.connect()
        // More than the system keeps for a socket.
        let (echo, bytes) = (PostgresStatement("SELECT $1", [.bytea]), [UInt8](repeating: 7, count: 2 << 20))
        for _ in 0..<7 { try connection.ask(echo, [.bytea(bytes)]) }
        #expect(throws: PostgresError.self) { try connection.send() }
        #expect(connection.isClosed)
    }

    @Test("are given up at the deadline where they say nothing", arguments: [0, 1])
    func silent(connections: Int) throws {
        var limits = PostgresLimits()
        limits.cancelMilliseconds = 20
        limits.afterCancelMilliseconds = 20
        let server = ScriptedPostgres { number, peer in
            if number < connections { peer.start() }
            peer.readToEnd()
        }
        let error = try #require(throws: PostgresError.self) {
            let milliseconds = connections == 0 ? 20 : 60_000
            let connection = try server.connect(limits, until: .now.advanced(byMilliseconds: milliseconds))
            try connection.ask(Self.question)
            _ = try connection.trip(until: .now.advanced(byMilliseconds: 20))
        }
        #expect("\(error)".contains("in time"), "\(error)")
    }

    @Test("cannot hold a connection beyond its deadline by notices that never end")
    func chatty() throws {
        var limits = PostgresLimits()
        limits.tripNotices = 3
        limits.cancelMilliseconds = 10
        limits.afterCancelMilliseconds = 10
        let seen = Seen()
        let server = ScriptedPostgres { number, peer in
            guard number == 0 else { return peer.readToEnd() }
            peer.start()
            let notices = Array((0..<100).map { _ in ServerMessages.notice("x") }.joined())
            while send(peer.descriptor, notices, notices.count, Int32(MSG_NOSIGNAL)) > 0 {}
        }
        let connection = try server.connect(limits) { seen.add($0.message) }
        try connection.ask(Self.question)
        #expect(throws: PostgresError.self) { _ = try connection.trip(until: .now.advanced(byMilliseconds: 20)) }
        #expect(seen.all.count <= 3)
    }

    @Test("are believed where they end a cancelled trip well, and the connection is not used again")
    func lateCancel() throws {
        let isCancelled = DispatchSemaphore(value: 0)
        let server = ScriptedPostgres { number, peer in
            guard number == 0 else {
                _ = peer.read()
                isCancelled.signal()
                return
            }
            peer.start()
            guard peer.readTo("S") else { return }
            // The request to cancel is a connection of its own; the answer comes after it.
            isCancelled.wait()
            peer.send(ServerMessages.answer)
            peer.readToEnd()
        }
        var limits = PostgresLimits()
        limits.cancelMilliseconds = 30_000
        limits.afterCancelMilliseconds = 30_000
        let connection = try server.connect(limits)
        try connection.ask(Self.question)
        let answers = try connection.trip(until: .now.advanced(byMilliseconds: 50))
        #expect(try answers[0][0].integer(0) == 5)
        #expect(connection.isClosed)
    }

    @Test("do not fill memory with notifications, settings or columns")
    func memory() throws {
        var limits = PostgresLimits()
        limits.notificationsHeld = 5
        limits.serverParameters = 6
        let server = ScriptedPostgres { _, peer in
            peer.start()
            guard peer.readTo("S") else { return }
            var bytes: [UInt8] = []
            for number in 0..<200 {
                bytes += ServerMessages.message(
                    "A", ServerMessages.number(5) + ServerMessages.text("c") + ServerMessages.text("\(number)"))
                bytes += ServerMessages.status("setting\(number)", "x")
            }
            peer.send(bytes + ServerMessages.answer)
            peer.readToEnd()
        }
        let connection = try server.connect(limits)
        try connection.ask(Self.question)
        _ = try connection.trip(until: .inTime)
        #expect(connection.takeOverrun() && !connection.takeOverrun())
        #expect(
            (0..<6).map { _ in connection.takeNotification()?.payload } == ["195", "196", "197", "198", "199", nil])
        #expect(connection.serverParameter("setting3") == "x" && connection.serverParameter("setting4") == nil)
    }

    @Test("is sent nothing that breaks the protocol or a limit")
    func misuse() throws {
        var limits = PostgresLimits()
        limits.questions = 2
        limits.outgoingBytes = 2_000
        let server = ScriptedPostgres { _, peer in
            peer.start()
            peer.readToEnd()
        }
        let connection = try server.connect(limits)
        let statement = PostgresStatement("SELECT $1, $2", [.text, .int8])
        func refusal(_ statement: PostgresStatement, _ values: [PostgresValue]) throws -> String {
            "\(try #require(throws: PostgresError.self) { try connection.ask(statement, values) })"
        }
        #expect(try refusal(statement, [.text("a")]).contains("2 parameters, and 1"))
        #expect(try refusal(statement, [.int8(1), .int8(1)]).contains("$1 is of another type"))
        #expect(try refusal(statement, [.text("a\u{0}"), .null]).contains("$1 contains U+0000"))
        #expect(try refusal(PostgresStatement("SELECT 1\u{0}"), []).contains("its text contains U+0000"))
        #expect(try refusal(statement, [.text(String(repeating: "x", count: 2_000)), .null]).contains("2000 bytes"))
        let long = PostgresStatement(String(repeating: " ", count: PostgresLimits.statementBytes + 1))
        #expect(try refusal(long, []).contains("beyond the limit"))
        try connection.ask(statement, [.text("a"), .null])
        try connection.ask(statement, [.null, .int8(1)])
        #expect(try refusal(statement, [.null, .null]).contains("at most 2 questions"))
    }
}
