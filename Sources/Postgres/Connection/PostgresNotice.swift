/// A notice of a server, without the parts that may hold values of rows.
package struct PostgresNotice: Sendable, CustomStringConvertible {
    /// "WARNING", "NOTICE" and so on, in English.
    package let severity: String
    package let code: String
    package let message: String

    init(_ error: PostgresServerError) {
        severity = error.severity
        code = error.code
        message = error.message
    }

    package var description: String { "\(severity) \(code): \(message)" }

    /// Takes notices to a log. Called on the thread that is waiting for an answer.
    package typealias Hook = @Sendable (PostgresNotice) -> Void
}
