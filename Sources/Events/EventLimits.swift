import EventPatterns

/// How much events may be.
package enum EventLimits {
    /// A call, and what an event of it may have.
    package static let bodyBytesMax = 2 << 20
    package static let nestingMax = 64
    static let entriesMax = 10
    static let entriesBytesMax = 1 << 20
    /// The bounds of templates.
    static let templateBytesMax = 8_192
    static let toldBytesMax = 1 << 20
    static let pathsMax = 100
    static let pathStepsMax = 64
}

/// Why a call of the events is refused, in the words of the service.
package struct EventError: Error, Sendable {
    package let type: String
    package let message: String
    package let status: Int

    init(_ type: String, _ message: String, status: Int = 400) {
        (self.type, self.message, self.status) = (type, message, status)
    }

    /// Of a setting.
    package init(setting message: String) { self.init("ValidationException", message) }

    static func invalid(_ message: String) -> EventError { EventError("ValidationException", message) }

    /// Of a pattern.
    package init(_ error: EventPatternError) {
        if error.isOfTime {
            self.init("InternalFailure", error.reason, status: 500)
        } else {
            self.init("InvalidEventPatternException", "Event pattern is not valid. Reason: \(error.reason)")
        }
    }

    /// Does what may fail by a pattern.
    static func of<Value>(_ body: () throws(EventPatternError) -> Value) throws(EventError) -> Value {
        do throws(EventPatternError) { return try body() } catch { throw EventError(error) }
    }
}
