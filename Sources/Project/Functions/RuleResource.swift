import Blueprint
import JSON

/// A rule of events of a project, as `new Rule(...)` says it: what it looks for, and who is told.
package struct RuleResource: Sendable, Equatable {
    package struct Target: Sendable, Equatable {
        package var function: String?
        package var queue: String?
        package var stateMachine: String?
        /// The group of a message, for a queue in order.
        package var group: String?
        /// A part of the event that is told, or what is told in its place.
        package var inputPath: String?
        package var input: String?

        package init() {}
    }

    package let name: String
    package var bus: String?
    package var pattern: JSONObject
    package var isEnabled = true
    package var targets: [Target] = []

    package init(_ name: String, pattern: JSONObject) {
        self.name = name
        self.pattern = pattern
    }
}
