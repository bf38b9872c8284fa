import Network
import Postgres
import PostgresSupport
import TestSupport
import Testing

/// Against a real server.
@Suite(
    "PostgreSQL itself", .enabled(if: PostgresServer.isInstalled, PostgresServer.absence), .serialized)
struct PostgresServerTests {
    private let server: PostgresServer

    init() throws { server = try PostgresServer.shared.get() }

    @Test(
        "answers the questions of one trip in their order, from statements that are prepared once",
        arguments: [true, false])
    func trips(isWaiting: Bool) throws {
        let connection = try server.app()
        let double = PostgresStatement("SELECT $1 * 2", [.int8])
        let echo = PostgresStatement("SELECT $1 || '!'", [.text])
        for round in 0..<3 {
            for number in 0..<10 {
                try connection.ask(double, [.int8(Int64(number + round))])
                try connection.ask(echo, [.text("\(number)")])
            }
            let answers = try connection.answers(isWaiting: isWaiting)
            #expect(answers.count == 20)
            for number in 0..<10 {
                #expect(try answers[number * 2][0].integer(0) == Int64(2 * (number + round)))
                #expect(try answers[number * 2 + 1][0].text(0) == "\(number)!")
            }
        }
        #expect(connection.statementCount == 2)
        #expect(try connection.answer("SELECT count(*) FROM pg_prepared_statements")[0].integer(0) == 2)
    }

    @Test("takes rows by COPY with other questions of a trip, and goes on behind those that it refuses")
    func copies() throws {
        let connection = try server.app()
        defer { connection.close() }
        _ = try connection.answer("CREATE TEMP TABLE copied (number bigint PRIMARY KEY, word text)")
        let copying = PostgresStatement("COPY copied (number, word) FROM STDIN")
        for round in 0..<2 {
            try connection.ask(PostgresStatement("SELECT 1", isKept: false))
            try connection.copy(copying, Array("\(round)1\tone\n\(round)2\t\\N\n".utf8))
            try connection.ask(PostgresStatement("SELECT count(word) FROM copied", isKept: false))
            let answers = try connection.trip(until: .inTime)
            #expect(try answers.map(\.count) == [1, 2, 1] && answers[2][0].integer(0) == Int64(round + 1))
        }
        for rows in ["01\tagain\n", "x\ty\n", "5\n"] {
            #expect(throws: PostgresError.self) {
                try connection.copy(copying, Array(rows.utf8))
                _ = try connection.trip(until: .inTime)
            }
        }
        // More than the system takes at once, and a table that is not there.
        let many = (100..<100_000).map { "\($0)\t\(String(repeating: "w", count: 50))\n" }.joined()
        #expect(throws: PostgresError.self) {
            try connection.copy(PostgresStatement("COPY nowhere FROM STDIN", isKept: false), Array(many.utf8))
            _ = try connection.trip(until: .inTime)
        }
        try connection.copy(copying, Array(many.utf8))
        #expect(try connection.trip(until: .inTime).first?.count == 99_900)
        #expect(try connection.answer("SELECT count(*) FROM copied")[0].integer(0) == 99_904)
    }

    @Test("gives back the values that it was given, at the ends of their types")
    func values() throws {
        let connection = try server.app()
        let types: [PostgresType] = [.bool, .int4, .int8, .float8, .text, .bytea, .jsonb, .timestamptz]
        let statement = PostgresStatement("SELECT $1, $2, $3, $4, $5, $6, $7, $8", types)
        let emoji = "e\u{301} é 👩‍👩‍👧 '\"\\\n"
        try connection.ask(
            statement,
            [
                .bool(true), .int4(.min), .int8(.min), .float8(-0.0), .text(emoji), .bytea([0, 255, 0]),
                .jsonb(#"{"b": [1, null]}"#), .timestamptz(-1),
            ])
        try connection.ask(
            statement,
            [
                .bool(false), .int4(.max), .int8(.max), .float8(.infinity), .text(""), .bytea([]), .jsonb("1e3"),
                .timestamptz(.max),
            ])
        try connection.ask(statement, Array(repeating: .null, count: 8))
        let answers = try connection.trip(until: .inTime)
        let (first, second, third) = (answers[0][0], answers[1][0], answers[2][0])
        #expect(try first.bool(0) == true && second.bool(0) == false)
        #expect(try first.integer(1) == Int64(Int32.min) && second.integer(1) == Int64(Int32.max))
        #expect(try first.integer(2) == .min && second.integer(2) == .max)
        #expect(try first.float8(3)?.sign == .minus && second.float8(3) == .infinity)
        #expect(try first.text(4).map { Array($0.utf8) } == Array(emoji.utf8))
        #expect(try second.text(4)?.utf8.isEmpty == true)
        #expect(try first.bytea(5) == [0, 255, 0] && second.bytea(5) == [])
        #expect(try first.text(6) == #"{"b": [1, null]}"# && second.text(6) == "1000")
        #expect(try first.timestamptz(7) == -1)
        #expect((0..<8).allSatisfy { third.isNull($0) })
        #expect(throws: PostgresRow.Misfit.self) { try first.integer(4) }
        #expect(throws: PostgresRow.Misfit.self) { try first.text(8) }
        let moment = try connection.answer(
            "SELECT extract(epoch FROM $1)::int8 * 1000000", [.timestamptz], [.timestamptz(0)])
        #expect(try moment[0].integer(0) == PostgresValue.epochMicroseconds)
    }

    @Test("takes arrays of values")
    func arrays() throws {
        let connection = try server.app()
        defer { connection.close() }
        func elements(_ type: PostgresType, _ values: [PostgresValue]) throws -> PostgresAnswer {
            let array = try #require(type.array)
            try connection.ask(
                PostgresStatement(
                    "SELECT element, number FROM unnest($1) WITH ORDINALITY AS given(element, number)", [array]),
                [.array(of: type, values)])
            return try #require(try connection.trip(until: .inTime).first)
        }
        let texts = try elements(.text, [.text("é, {\"}"), .null, .text("")])
        #expect(try [texts[0].text(0), texts[1].text(0), texts[2].text(0)] == ["é, {\"}", nil, ""])
        #expect(try texts[2].integer(1) == 3)
        let numbers = try elements(.int8, [.int8(.min), .int8(.max)])
        #expect(try [numbers[0].integer(0), numbers[1].integer(0)] == [.min, .max])
        #expect(try elements(.float8, [.float8(-0.5)])[0].float8(0) == -0.5)
        let bytes = try elements(.bytea, [.bytea([]), .bytea([0, 255])])
        #expect(try [bytes[0].bytea(0), bytes[1].bytea(0)] == [[], [0, 255]])
        #expect(try elements(.text, []).rowCount == 0)
        // They are checked as single values are.
        #expect(throws: PostgresError.self) { try elements(.text, [.text("a"), .text("\0")]) }
        #expect(throws: PostgresError.self) {
            try connection.ask(PostgresStatement("SELECT $1", [.int8Array]), [.array(of: .text, [])])
        }
    }

    @Test("gives the rows of an answer in parts, by the number in their last column")
    func parts() throws {
        let connection = try server.app()
        defer { connection.close() }
        func parts(_ count: Int, _ rows: String) throws -> [[String?]]? {
            let answer = try connection.answer("SELECT word, number FROM (VALUES \(rows)) AS given(word, number)")
            guard let parts = answer.parts(count) else { return nil }
            #expect(parts.reduce(0) { $0 + $1.byteCount } == answer.byteCount)
            return try parts.map { part in
                #expect(part.count == part.rowCount)
                return try (0..<part.rowCount).map { try part[$0].text(0) }
            }
        }
        let inOrder = "('a', 1::bigint), ('b', 3), (NULL, 3), ('d', 4)"
        #expect(try parts(5, inOrder) == [["a"], [], ["b", nil], ["d"], []])
        #expect(try parts(4, inOrder)?.count == 4)
        #expect(
            try parts(3, "('a', 3::bigint), ('b', 1), ('c', 3), ('d', 2), ('e', 1)") == [
                ["b", "e"], ["d"], ["a", "c"],
            ])
        #expect(try connection.answer("SELECT 1::bigint WHERE false").parts(2)?.map(\.rowCount) == [0, 0])
        for wrong in [
            "('a', 5::bigint)", "('a', 0::bigint)", "('a', -1::bigint)", "('a', NULL::bigint)", "('a', 1::int)",
            "('a', 'b')",
        ] {
            #expect(try parts(4, wrong) == nil, "\(wrong)")
        }
    }

    @Test("says what is wrong with a statement, undoes the trip, and goes on", arguments: [true, false])
    func errors(isWaiting: Bool) throws {
        let connection = try server.app()
        _ = try connection.answer("CREATE TEMP TABLE note (id int8 PRIMARY KEY, text text NOT NULL)")
        let insert = PostgresStatement("INSERT INTO note VALUES ($1, $2)", [.int8, .text])
        let select = PostgresStatement("SELECT text FROM note ORDER BY id")
        let wrong = PostgresStatement("SELECT nothing FROM note")
        try connection.ask(insert, [.int8(1), .text("secret value")])
        #expect(try connection.answers(isWaiting: isWaiting)[0].count == 1)
        // What stands behind the error is skipped, its Parse too.
        try connection.ask(insert, [.int8(2), .text("b")])
        try connection.ask(insert, [.int8(1), .text("again")])
        try connection.ask(select)
        let error = try #require(throws: PostgresError.self) { try connection.answers(isWaiting: isWaiting) }
        guard case .server(let refusal, question: 1) = error else {
            Issue.record("\(error)")
            return
        }
        #expect(refusal.code == "23505" && refusal.table == "note" && refusal.constraint == "note_pkey")
        #expect(refusal.detail?.utf8.isEmpty == false && refusal.longDescription.contains("detail"))
        #expect(!"\(error)".contains("secret value") && !"\(error)".contains("(id)=(1)"))
        try connection.ask(select)
        let answers = try connection.answers(isWaiting: isWaiting)
        #expect(answers[0].rowCount == 1)
        #expect(connection.statementCount == 2)
        // A statement that cannot be parsed is not kept.
        try connection.ask(wrong)
        let syntax = try #require(throws: PostgresError.self) { try connection.answers(isWaiting: isWaiting) }
        #expect(syntax.isServer(code: "42703"))
        #expect(connection.statementCount == 2)
        #expect(connection.status == .idle && !connection.isClosed)
    }

    @Test("prepares a statement anew when a table has changed under it")
    func stale() throws {
        let connection = try server.app()
        _ = try connection.answer("CREATE TEMP TABLE shape (a int8)")
        let select = PostgresStatement("SELECT * FROM shape")
        try connection.ask(select)
        _ = try connection.trip(until: .inTime)
        _ = try connection.answer("ALTER TABLE shape ADD COLUMN b text")
        try connection.ask(select)
        let error = try #require(throws: PostgresError.self) { try connection.trip(until: .inTime) }
        #expect(error.isServer(code: "0A000"))
        try connection.ask(select)
        #expect(try connection.trip(until: .inTime)[0].columns.count == 2)
    }

    @Test("lets go of the statements that were used the longest time ago")
    func statementLimit() throws {
        var limits = PostgresLimits()
        limits.statements = 3
        let connection = try server.app(limits)
        let statements = (0..<8).map { PostgresStatement("SELECT \($0)::int8") }
        for _ in 0..<2 {
            for statement in statements {
                try connection.ask(statement)
                _ = try connection.trip(until: .inTime)
            }
        }
        #expect(connection.statementCount == 3)
        #expect(try connection.answer("SELECT count(*) FROM pg_prepared_statements")[0].integer(0) == 3)
        // More in one trip than it keeps.
        for statement in statements { try connection.ask(statement) }
        let answers = try connection.trip(until: .inTime)
        #expect(try answers.map { try $0[0].integer(0) } == (0..<8).map { Int64($0) })
    }

    @Test("cancels at the deadline, and the connection goes on", arguments: ["sslmode=disable", "sslmode=require"])
    func cancel(words: String) throws {
        var limits = PostgresLimits()
        limits.cancelMilliseconds = 30_000
        limits.afterCancelMilliseconds = 30_000
        var goesOn = false
        // A busy server may be asked to cancel before it has begun with the statement, and ignores that.
        for time in [50, 1_000, 20_000] where !goesOn {
            let connection = try PostgresConnector(server.settings(words), limits: limits).connect(until: .inTime)
            try connection.ask(PostgresStatement("SELECT pg_sleep(600)"))
            let error = try #require(throws: PostgresError.self) {
                try connection.trip(until: .now.advanced(byMilliseconds: time))
            }
            guard case .deadline(isClosed: false) = error else { continue }
            goesOn = try connection.answer("SELECT 1::int8")[0].integer(0) == 1
        }
        #expect(goesOn)
    }

    @Test("takes much in one trip in both directions")
    func large() throws {
        let connection = try server.app()
        let echo = PostgresStatement("SELECT $1", [.bytea])
        // More than both systems keep for us: who only wrote would wait for ever.
        let bytes = [UInt8](repeating: 7, count: 2 << 20)
        for _ in 0..<4 { try connection.ask(echo, [.bytea(bytes)]) }
        let answers = try connection.trip(until: .inTime)
        #expect(answers.count == 4)
        #expect(try answers.allSatisfy { try $0[0].bytea(0)?.count == bytes.count })
    }

    @Test("takes a long answer in parts where nobody waits for it", arguments: ["sslmode=disable", "sslmode=require"])
    func parts(words: String) throws {
        let settings = try server.settings(words)
        let connection = try PostgresConnector(settings).connect(until: .inTime)
        try connection.ask(PostgresStatement("SELECT repeat('x', 4000000)"))
        try connection.send()
        var calls = 0
        var answers: [PostgresAnswer]?
        while answers == nil {
            try connection.awaitInput()
            answers = try connection.takeAnswers()
            calls += 1
        }
        #expect(try answers?[0][0].text(0)?.utf8.count == 4_000_000)
        #expect(calls > 10)
    }

    @Test("answers as many rows as are wanted")
    func pages() throws {
        let connection = try server.app()
        let statement = PostgresStatement("SELECT generate_series(1, 10)::int8")
        try connection.ask(statement, rowsMax: 3)
        try connection.ask(statement)
        let answers = try connection.trip(until: .inTime)
        #expect(answers[0].rowCount == 3 && answers[0].isCut)
        #expect(answers[1].rowCount == 10 && !answers[1].isCut && answers[1].count == 10)
    }

    @Test("refuses more rows, or bytes of rows, than the limits, and closes the connection")
    func rowLimits() throws {
        var limits = PostgresLimits()
        limits.tripRows = 100
        let connection = try server.app(limits)
        try connection.ask(PostgresStatement("SELECT generate_series(1, 101)"))
        let rows = try #require(throws: PostgresError.self) { try connection.trip(until: .inTime) }
        #expect("\(rows)".contains("more than 100 rows") && connection.isClosed)
        limits.tripBytes = 1_000
        limits.rowMessageBytes = 700
        let other = try server.app(limits)
        try other.ask(PostgresStatement("SELECT repeat('x', 600) FROM generate_series(1, 2)"))
        #expect("\(try #require(throws: PostgresError.self) { try other.trip(until: .inTime) })".contains("1000 bytes"))
        let third = try server.app(limits)
        try third.ask(PostgresStatement("SELECT repeat('x', 701)"))
        #expect(
            "\(try #require(throws: PostgresError.self) { try third.trip(until: .inTime) })".contains("limit is 700"))
    }

    @Test("hears what others announce, and says at first that some may be missed")
    func notifications() throws {
        let listener = try PostgresListener(
            PostgresConnector(server.socketSettings()), channels: ["home\"port"], until: .inTime)
        guard case .missed = try listener.next(until: .inTime) else {
            Issue.record("the first event must be that some may be missed")
            return
        }
        let other = try server.app()
        try other.ask(PostgresListener.announcement, [.text("home\"port"), .text("q:mails")])
        _ = try other.trip(until: .inTime)
        guard case .notification(let notification) = try listener.next(until: .inTime) else {
            Issue.record("no notification came")
            return
        }
        #expect(notification.payload == "q:mails" && notification.process == other.serverProcess)
        guard case .nothing = try listener.next(until: .now.advanced(byMilliseconds: 1)) else {
            Issue.record("there is nothing more")
            return
        }
        try listener.checkServerAnswers(until: .inTime)
    }

    @Test("gives notices to the log, without what may hold values")
    func notices() throws {
        let seen = Seen()
        let connection = try PostgresConnector(server.socketSettings(), notice: { seen.add($0.description) })
            .connect(until: .inTime)
        _ = try connection.answer(
            "DO $$ BEGIN RAISE WARNING 'be careful' USING DETAIL = 'a value', HINT = 'another'; END $$")
        #expect(seen.all == ["WARNING 01000: be careful"])
    }
}
