@testable import Postgres

/// Messages as a server sends them, for tests.
enum ServerMessages {
    static func message(_ kind: Unicode.Scalar, _ body: [UInt8] = []) -> [UInt8] {
        [UInt8(ascii: kind)] + number(UInt32(body.count + 4)) + body
    }

    static func number(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) } }

    static func short(_ value: UInt16) -> [UInt8] { [UInt8(value >> 8), UInt8(truncatingIfNeeded: value)] }

    static func text(_ text: String) -> [UInt8] { Array(text.utf8) + [0] }

    static let accepted = message("R", number(0))
    static let ready = message("Z", [UInt8(ascii: "I")])
    static let parsed = message("1") + message("t", short(0))
    static let bound = message("2")

    static func status(_ name: String, _ value: String) -> [UInt8] { message("S", text(name) + text(value)) }

    static func columns(_ types: [UInt32]) -> [UInt8] {
        message(
            "T",
            short(UInt16(types.count))
                + types.flatMap { text("c") + [0, 0, 0, 0, 0, 0] + number($0) + [0, 8, 0, 0, 0, 0, 0, 1] })
    }

    static func row(_ values: [[UInt8]?]) -> [UInt8] {
        message(
            "D",
            short(UInt16(values.count)) + values.flatMap { $0.map { number(UInt32($0.count)) + $0 } ?? number(.max) })
    }

    static func complete(_ tag: String) -> [UInt8] { message("C", text(tag)) }

    static func error(_ code: String, severity: String = "ERROR", _ text: String = "no") -> [UInt8] {
        message("E", errorFields(code, severity: severity, text))
    }

    static func notice(_ text: String) -> [UInt8] { message("N", errorFields("00000", severity: "NOTICE", text)) }

    private static func errorFields(_ code: String, severity: String, _ text: String) -> [UInt8] {
        Array("V".utf8) + self.text(severity) + Array("C".utf8) + self.text(code) + Array("M".utf8) + self.text(text)
            + [0]
    }

    /// What a server says once it takes a connection.
    static let start =
        accepted + status("server_version", "15.18 (Debian)") + status("server_encoding", "UTF8")
        + message("K", number(77) + number(99)) + ready

    /// The whole answer to one question that has not been prepared before: one number.
    static let answer =
        parsed + columns([20]) + bound + row([[0, 0, 0, 0, 0, 0, 0, 5]]) + complete("SELECT 1") + ready
}
