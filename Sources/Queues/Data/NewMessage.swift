import JSON

/// A message before it is in its queue.
package struct NewMessage: Sendable {
    let body: String
    var attributes: MessageAttributes
    /// `AWSTraceHeader`
    var trace: String?
    var sender: String
    /// How long nobody receives it; nil: as its queue says.
    var delayMilliseconds: Int64?
    var group: String?
    var deduplication: String?

    package init(_ body: String, group: String? = nil, deduplication: String? = nil, sender: String) {
        self.body = body
        attributes = MessageAttributes()
        self.group = group
        self.deduplication = deduplication
        self.sender = sender
    }

    init(_ body: String, _ attributes: MessageAttributes, sender: String) {
        self.body = body
        self.attributes = attributes
        self.sender = sender
    }

    var byteCount: Int { body.utf8.count + attributes.byteCount }
}

/// The number and digests of a message that was sent.
package struct SentMessageMark: Sendable {
    package let id: String
    /// In an ordered queue.
    package let sequence: String?
}
