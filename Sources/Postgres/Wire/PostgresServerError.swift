/// An error, or a notice, as a server words it. Control characters are replaced and long texts are cut.
///
/// `detail`, `hint` and `context` may hold values of rows: show them to an operator and write them to no log.
package final class PostgresServerError: Sendable, CustomStringConvertible {
    /// "ERROR", "FATAL", "NOTICE" and so on, in English.
    package let severity: String
    /// Five letters and digits that say what happened (SQLSTATE).
    package let code: String
    package let message: String
    package let detail: String?
    package let hint: String?
    /// Where in functions it happened ("where" of the protocol).
    package let context: String?
    package let schema: String?
    package let table: String?
    package let column: String?
    package let constraint: String?
    /// The character of the statement that it is about, from 1.
    package let position: Int?

    init(_ fields: inout MessageFields, limits: PostgresLimits) throws(PostgresViolation) {
        var texts: [UInt8: String] = [:]
        var count = 0
        while true {
            let field = try fields.byte()
            if field == 0 { break }
            let bytes = try fields.textBytes()
            count += 1
            guard count <= limits.errorFields else { continue }
            let kept = bytes.prefix(limits.errorFieldBytes).map { $0 < 0x20 || $0 == 0x7F ? UInt8(ascii: " ") : $0 }
            texts[field] = String(decoding: kept, as: UTF8.self)
        }
        func text(_ field: Unicode.Scalar) -> String? { texts[UInt8(ascii: field)] }
        severity = text("V") ?? text("S") ?? "ERROR"
        code = text("C") ?? "XX000"
        message = text("M") ?? "no message"
        detail = text("D")
        hint = text("H")
        context = text("W")
        schema = text("s")
        table = text("t")
        column = text("c")
        constraint = text("n")
        position = text("P").flatMap { Int($0) }
    }

    /// Returns whether this is the code. All codes are letters and digits of ASCII.
    package func has(code other: String) -> Bool { code.utf8.elementsEqual(other.utf8) }

    /// Returns whether the code belongs to a class ("08", "57P").
    package func isOf(class start: String) -> Bool { code.utf8.starts(with: start.utf8) }

    /// The server ends the connection after it.
    package var isFatal: Bool {
        severity.utf8.elementsEqual("FATAL".utf8) || severity.utf8.elementsEqual("PANIC".utf8)
    }

    /// The transaction can succeed when it is run again as a whole: another one was in its way.
    package var isTransient: Bool { has(code: "40001") || has(code: "40P01") || has(code: "55P03") }

    /// A prepared statement is of no use any more. The connection has forgotten it: run the transaction again.
    package var isStaleStatement: Bool { has(code: "0A000") || has(code: "26000") }

    /// Without what may hold values.
    package var description: String { "\(severity) \(code): \(message)" }

    /// With everything, for an operator who looks at one error.
    package var longDescription: String {
        var text = description
        if let detail { text += " (detail: \(detail))" }
        if let hint { text += " (hint: \(hint))" }
        if let context { text += " (where: \(context))" }
        if let position { text += " (at character \(position) of the statement)" }
        return text
    }
}
