/// A line about a function for the log.
package struct FunctionReport: Sendable, Equatable {
    package enum Level: Sendable, Equatable {
        case debug, info, warning
    }

    package let level: Level
    package let function: String
    /// The call that it is about, where it is about one.
    package let request: String?
    package let text: String
}
