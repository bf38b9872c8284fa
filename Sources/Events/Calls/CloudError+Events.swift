import Cloud
import EventPatterns

/// The refusals that EventBridge alone has.
extension CloudError {
    static func invalid(_ message: String) -> CloudError { CloudError("ValidationException", message) }

    /// Of a setting.
    package static func setting(_ message: String) -> CloudError { .invalid(message) }

    /// Of a pattern.
    package init(_ error: EventPatternError) {
        if error.isOfTime {
            self.init("InternalFailure", error.reason, status: 500)
        } else {
            self.init("InvalidEventPatternException", "Event pattern is not valid. Reason: \(error.reason)")
        }
    }

    /// Does what may fail by a pattern.
    static func of<Value>(_ body: () throws(EventPatternError) -> Value) throws(CloudError) -> Value {
        do throws(EventPatternError) { return try body() } catch { throw CloudError(error) }
    }
}
