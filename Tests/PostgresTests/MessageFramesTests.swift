@testable import Postgres
import TestSupport
import Testing

@Suite("The messages of a server")
struct MessageFramesTests {
    private static let limits: PostgresLimits = {
        var limits = PostgresLimits()
        limits.rowMessageBytes = 1_000
        limits.messageBytes = 500
        limits.signInMessageBytes = 100
        limits.columns = 3
        limits.errorFields = 4
        limits.errorFieldBytes = 40
        return limits
    }()

    /// All that is found in some bytes that arrive in pieces, as one text.
    static func outcome(of bytes: [UInt8], piece: Int, limits: PostgresLimits, isSignedIn: Bool = true) -> String {
        var frames = MessageFrames(limits: limits)
        frames.isSignedIn = isSignedIn
        var text = ""
        var position = 0
        while position < bytes.count {
            let next = min(bytes.count, position + max(1, piece))
            bytes[position..<next].withUnsafeBytes { frames.receive($0) }
            position = next
            do throws(PostgresViolation) {
                while let frame = try frames.next() {
                    if frame.kind == .dataRow {
                        var rows = AnswerRows()
                        let columns = Int(frames.bytes(of: frame).dropFirst().first ?? 0)
                        try frames.withBytes(of: frame) { row throws(PostgresViolation) in
                            try rows.append(row, columns: columns)
                        }
                        text +=
                            " row\((0..<columns).map { rows.value(row: 0, column: $0, columns: columns).map { Array($0) } })"
                    } else {
                        text += " \(try ServerMessage(frame.kind, frames.bytes(of: frame), limits: limits))"
                    }
                }
            } catch {
                return "\(text) \(error)"
            }
        }
        return "\(text) +\(frames.heldBytes)"
    }

    private static let good: [[UInt8]] = [
        ServerMessages.start, ServerMessages.answer, ServerMessages.error("23505") + ServerMessages.ready,
        ServerMessages.notice("careful"), ServerMessages.row([nil, [], [1, 2, 3]]),
        ServerMessages.complete("INSERT 0 5"),
        ServerMessages.message("A", ServerMessages.number(5) + ServerMessages.text("c") + ServerMessages.text("p")),
        ServerMessages.message("R", ServerMessages.number(10) + ServerMessages.text("SCRAM-SHA-256") + [0]),
        ServerMessages.message("R", ServerMessages.number(5) + [1, 2, 3, 4]),
        ServerMessages.message("t", ServerMessages.short(2) + ServerMessages.number(20) + ServerMessages.number(25)),
        ServerMessages.message("n"), ServerMessages.message("I"), ServerMessages.message("s"),
        ServerMessages.message("3"),
    ]

    @Test("are the same however their bytes arrive", arguments: good)
    func pieces(bytes: [UInt8]) {
        let whole = Self.outcome(of: bytes, piece: bytes.count, limits: Self.limits)
        #expect(whole.hasSuffix(" +0"), "\(whole)")
        for piece in 1...7 { #expect(Self.outcome(of: bytes, piece: piece, limits: Self.limits) == whole) }
    }

    @Test("are waited for where they are cut anywhere", arguments: good)
    func cut(bytes: [UInt8]) {
        let whole = Self.outcome(of: bytes, piece: bytes.count, limits: Self.limits)
        for count in 0..<bytes.count {
            let part = Self.outcome(of: Array(bytes.prefix(count)), piece: 64, limits: Self.limits)
            #expect(!part.contains("a message") && part != whole)
        }
    }

    private static let bad: [([UInt8], String)] = [
        (Array("HTTP/1.1 400 Bad Request\r\n".utf8), "a message of the kind 'H'"),
        ([0x16, 3, 1, 0, 5], "a message of the kind 22"),
        ([0], "a message of the kind 0"),
        ([UInt8(ascii: "Z"), 0, 0, 0, 3], "impossible length 3"),
        ([UInt8(ascii: "Z"), 0, 0, 0, 6], "impossible length 6"),
        ([UInt8(ascii: "1"), 0, 0, 0, 5], "impossible length 5"),
        ([UInt8(ascii: "D"), 0, 0, 0, 5], "impossible length 5"),
        ([UInt8(ascii: "R"), 0, 0, 0, 7], "impossible length 7"),
        // A row of a gigabyte: refused before any byte of it.
        ([UInt8(ascii: "D"), 0x40, 0, 0, 0], "of 1073741824 bytes; the limit is 1000"),
        ([UInt8(ascii: "D"), 0xFF, 0xFF, 0xFF, 0xFF], "of 4294967295 bytes"),
        ([UInt8(ascii: "E"), 0, 0, 2, 0], "of 512 bytes; the limit is 500"),
        (ServerMessages.message("Z", [UInt8(ascii: "X")]), "whose fields"),
        (ServerMessages.message("S", Array("no end".utf8)), "whose fields"),
        (ServerMessages.message("S", ServerMessages.text("one")), "whose fields"),
        (ServerMessages.message("S", ServerMessages.text("a") + ServerMessages.text("b") + [1]), "whose fields"),
        (ServerMessages.message("E", [UInt8(ascii: "M")]), "whose fields"),
        (ServerMessages.message("E", Array("Mtext".utf8)), "whose fields"),
        (ServerMessages.message("T", ServerMessages.short(4)), "more than 3 columns"),
        (ServerMessages.message("T", ServerMessages.short(1) + ServerMessages.text("c") + [0]), "whose fields"),
        (ServerMessages.message("t", ServerMessages.short(0xFFFF)), "whose fields"),
        (ServerMessages.message("D", ServerMessages.short(1)), "whose fields"),
        (ServerMessages.message("D", ServerMessages.short(1) + ServerMessages.number(9) + [1]), "whose fields"),
        (ServerMessages.message("D", ServerMessages.short(1) + ServerMessages.number(.max - 1)), "whose fields"),
        (ServerMessages.message("D", ServerMessages.short(0) + [0]), "whose fields"),
        (ServerMessages.message("R", ServerMessages.number(5) + [1]), "whose fields"),
        (ServerMessages.message("R", ServerMessages.number(10) + Array("a".utf8)), "whose fields"),
        (ServerMessages.message("A", ServerMessages.number(5)), "whose fields"),
    ]

    @Test("are refused where they break the protocol or a limit", arguments: bad)
    func refuses(bytes: [UInt8], reason: String) {
        for piece in [1, 3, bytes.count] {
            let outcome = Self.outcome(of: bytes, piece: piece, limits: Self.limits)
            #expect(outcome.contains(reason), "\(outcome)")
        }
    }

    @Test("are shorter before the sign-in is over")
    func signIn() {
        let bytes = ServerMessages.message("E", Array(repeating: 65, count: 200))
        #expect(Self.outcome(of: bytes, piece: 500, limits: Self.limits, isSignedIn: false).contains("limit is 100"))
    }

    @Test("have their errors cut and cleaned")
    func errors() throws {
        var fields = Array("M".utf8) + ServerMessages.text("line\nbreak\u{1B}[31m" + String(repeating: "x", count: 99))
        for field in ["C", "V", "D", "H", "W"] { fields += Array(field.utf8) + ServerMessages.text("42\(field)") }
        let message = try ServerMessage(.error, (fields + [0])[...], limits: Self.limits)
        guard case .error(let error) = message else { return }
        #expect(error.message.utf8.count == 40 && error.message.hasPrefix("line break [31mxx"))
        #expect(error.code == "42C" && error.detail == "42D" && error.context == nil)
        #expect(error.description == "42V 42C: \(error.message)")
    }

    @Test("hold no more memory than what is under way")
    func memory() {
        var frames = MessageFrames(limits: Self.limits)
        for _ in 0..<1_000 {
            ServerMessages.ready.withUnsafeBytes { frames.receive($0) }
            #expect((try? frames.next()) != nil)
        }
        #expect(frames.heldBytes == 0)
        [UInt8(ascii: "D"), 0x40, 0, 0, 0].withUnsafeBytes { frames.receive($0) }
        #expect(throws: PostgresViolation.self) { try frames.next() }
        Array(repeating: UInt8(0), count: 100_000).withUnsafeBytes { frames.receive($0) }
        #expect(frames.heldBytes == 0)
        #expect(throws: PostgresViolation.self) { try frames.next() }
    }
}

@Suite("The messages of a server, fed with changed messages")
struct MessageFramesFuzzTests {
    private static let rounds = Fuzz.rounds(ordinarily: 800)

    private static let seeds: [[UInt8]] = [
        ServerMessages.start, ServerMessages.answer, ServerMessages.error("40001") + ServerMessages.ready,
        ServerMessages.row([nil, [], [1, 2, 3]]) + ServerMessages.complete("SELECT 1"),
        ServerMessages.message("A", ServerMessages.number(5) + ServerMessages.text("c") + ServerMessages.text("p")),
        ServerMessages.message("R", ServerMessages.number(10) + ServerMessages.text("SCRAM-SHA-256") + [0]),
    ]

    private static let pieces: [[UInt8]] = [
        [0], [0xFF, 0xFF, 0xFF, 0xFF], [0, 0, 0, 4], [0, 0, 0, 5], [0x7F, 0xFF, 0xFF, 0xFF], ServerMessages.ready,
        ServerMessages.error("57P01", severity: "FATAL"), ServerMessages.row([]), [UInt8(ascii: "D")],
        [UInt8(ascii: "T")],
    ]

    private static func change(_ bytes: inout [UInt8], _ random: inout SeededRandom) {
        let position = Int.random(in: 0...bytes.count, using: &random)
        let end = min(bytes.count, position + Int.random(in: 0...6, using: &random))
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes.removeSubrange(position..<end)
        case 1: bytes.insert(contentsOf: pieces[Int.random(in: 0..<pieces.count, using: &random)], at: position)
        case 2: bytes.insert(contentsOf: bytes[position..<end], at: position)
        default: for index in position..<end { bytes[index] = UInt8.random(in: 0...255, using: &random) }
        }
    }

    @Test("come to the same end however the bytes arrive, and a trip takes them or refuses them")
    func changed() {
        var random = SeededRandom(test: "MessageFramesFuzzTests")
        var limits = PostgresLimits()
        limits.rowMessageBytes = 2_000
        limits.messageBytes = 2_000
        for round in 0..<Self.rounds {
            var bytes = Self.seeds[Int.random(in: 0..<Self.seeds.count, using: &random)]
            for _ in 0..<Int.random(in: 1...4, using: &random) { Self.change(&bytes, &random) }
            let whole = MessageFramesTests.outcome(of: bytes, piece: bytes.count, limits: limits)
            let some = MessageFramesTests.outcome(
                of: bytes, piece: Int.random(in: 1...9, using: &random), limits: limits)
            #expect(whole == some, "round \(round): \(bytes)")
            if whole != some { return }
            Self.trip(bytes, limits)
        }
    }

    /// Gives the messages to a trip with two questions, which keeps its promises whatever they are.
    private static func trip(_ bytes: [UInt8], _ limits: PostgresLimits) {
        var progress = TripProgress(limits: limits)
        for _ in 0..<2 {
            _ = progress.expect(PreparedStatement(PostgresStatement("SELECT 1"), name: "s"), isParsed: true)
        }
        var frames = MessageFrames(limits: limits)
        frames.isSignedIn = true
        bytes.withUnsafeBytes { frames.receive($0) }
        do throws(PostgresViolation) {
            while let frame = try frames.next() {
                if frame.kind == .dataRow {
                    try frames.withBytes(of: frame) { row throws(PostgresViolation) in try progress.take(row: row) }
                } else {
                    try progress.take(
                        try ServerMessage(frame.kind, frames.bytes(of: frame), limits: limits), frame.kind)
                }
            }
        } catch {}
        #expect(progress.answers.count <= 2)
        for answer in progress.answers {
            if let parts = answer.parts(2) { #expect(parts.reduce(0) { $0 + $1.rowCount } == answer.rowCount) }
            for row in 0..<answer.rowCount {
                for column in 0..<answer.columns.count {
                    _ = try? answer[row].integer(column)
                    _ = try? answer[row].text(column)
                }
            }
        }
    }
}
