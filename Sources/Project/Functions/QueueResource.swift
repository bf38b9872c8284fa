import Blueprint

/// A queue of a project, as `new Queue(...)` or a template says it.
package struct QueueResource: Sendable, Equatable {
    /// Letters, digits, `-` and `_`; one in order ends in `.fifo`.
    package let name: String
    package var visibilitySeconds: Int?
    package var delaySeconds: Int?
    package var retentionSeconds: Int?
    package var waitSeconds: Int?
    package var messageBytesMax: Int?
    /// The name of the queue for what was received too often, and how often that is.
    package var deadLetterQueue: String?
    package var receivesMax: Int?
    package var namesByContent: Bool?
    package var deduplicationScope: String?

    package static let orderedEnding = ".fifo"
    private static let lettersMax = 75

    package init(_ name: String) { self.name = name }

    /// A name of what the project calls it.
    package static func name(_ text: String, isOrdered: Bool) -> String {
        let bare = text.hasSuffix(orderedEnding) ? String(text.dropLast(orderedEnding.count)) : text
        return ResourceName.of(bare, bytesMax: lettersMax) + (isOrdered ? orderedEnding : "")
    }
}

/// The queue of whose messages a function of a project is told.
package struct QueueSubscription: Sendable, Equatable {
    package let queue: String
    package var batch: Int?
    package var tellsFailures = false
    package var callsAtOnce: Int?

    package init(_ queue: String) { self.queue = queue }
}
