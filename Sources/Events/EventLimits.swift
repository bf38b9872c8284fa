/// How much events may be.
package enum EventLimits {
    /// A call, and what an event of it may have.
    package static let bodyBytesMax = 2 << 20
    package static let nestingMax = 64
    static let entriesMax = 10
    static let entriesBytesMax = 1 << 20
    /// What a rule looks for.
    static let patternNestingMax = 16
    static let patternLeavesMax = 1_000
    static let wildcardBytesMax = 1_024
    /// A longer text is no address of a network.
    static let addressBytesMax = 64
    static let numbers: ClosedRange<Double> = -5e9...5e9
    /// What patterns look at of the events of a call: on a loop, some two milliseconds, and altogether, about half a second.
    static let loopSteps = 400_000
    static let stepsMax = 100_000_000
    /// What a rule makes of an event.
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

    /// What is wrong with a pattern, without the words around it.
    package let reason: String

    init(_ type: String, _ message: String, status: Int = 400, reason: String? = nil) {
        (self.type, self.message, self.status) = (type, message, status)
        self.reason = reason ?? message
    }

    /// Of a setting.
    package init(setting message: String) { self.init("ValidationException", message) }

    static func invalid(_ message: String) -> EventError { EventError("ValidationException", message) }

    static func pattern(_ reason: String) -> EventError {
        EventError(
            "InvalidEventPatternException", "Event pattern is not valid. Reason: \(reason)", reason: reason)
    }
}
