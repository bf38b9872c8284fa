import Blueprint
import JSON

/// A topic of a project, as `new Topic(...)` says it, with the functions that follow it.
package struct TopicResource: Sendable, Equatable {
    package let name: String
    package var followers: [Follower] = []

    /// A function that follows it, by the name that it is called by.
    package struct Follower: Sendable, Equatable {
        package let function: String
        package var filter: Filter

        package init(_ function: String, filter: Filter = .none) { (self.function, self.filter) = (function, filter) }
    }

    /// Which of the messages somebody gets.
    package enum Filter: Sendable, Equatable {
        /// All of them.
        case none
        case attributes(JSONObject)
        case body(JSONObject)
        /// Something that is known only when the app is deployed, or that is written in no known way.
        case unread
    }

    /// By the names that they are called by.
    package var functions: [String] { followers.map(\.function) }

    private static let lettersMax = 256

    package init(_ name: String) { self.name = name }

    /// A name of what the project calls it.
    package static func name(_ text: String) -> String {
        text.isEmpty ? "Topic" : ResourceName.of(text, bytesMax: lettersMax, signs: "-_.")
    }
}
