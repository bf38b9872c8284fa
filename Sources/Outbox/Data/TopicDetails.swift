import JSON
import Store

/// The properties of a topic beside its name: attributes, and tags.
struct TopicDetails: Sendable {
    var attributes: [(name: String, value: String)] = []
    var tags: [(name: String, value: String)] = []

    /// True if its messages come in their order, each once.
    var isOrdered: Bool { self["FifoTopic"] == "true" }

    subscript(name: String) -> String? { attributes.first { $0.name == name }?.value }
}

/// The place of a message in a topic that is first in, first out.
struct NoticeOrder: Sendable {
    let group: String
    /// By which the same message is known.
    let duplicateID: String
    /// Where the same message is looked for: the topic, or a group of it.
    let key: String
    var number: Int64 = 0

    /// Twenty digits, as the service has them.
    var sequence: String { "1" + String(repeating: "0", count: max(0, 19 - "\(number)".utf8.count)) + "\(number)" }
}

private enum TopicRows {
    static let attributes = RoomStatement(
        "SELECT name, value FROM _homeport_topic_attributes WHERE topic = ? ORDER BY name")
    static let attributeAssignment = RoomStatement(
        """
        INSERT INTO _homeport_topic_attributes (topic, name, value) VALUES (?, ?, ?)
        ON CONFLICT (topic, name) DO UPDATE SET value = excluded.value
        """)
    static let attributeRemoval = RoomStatement(
        "DELETE FROM _homeport_topic_attributes WHERE topic = ? AND name = ?")
    static let tags = RoomStatement("SELECT name, value FROM _homeport_topic_tags WHERE topic = ? ORDER BY name")
    static let tagAssignment = RoomStatement(
        """
        INSERT INTO _homeport_topic_tags (topic, name, value) VALUES (?, ?, ?)
        ON CONFLICT (topic, name) DO UPDATE SET value = excluded.value
        """)
    static let tagRemoval = RoomStatement("DELETE FROM _homeport_topic_tags WHERE topic = ? AND name = ?")
    static let removals = [
        RoomStatement("DELETE FROM _homeport_topic_attributes WHERE topic = ?"),
        RoomStatement("DELETE FROM _homeport_topic_tags WHERE topic = ?"),
        RoomStatement("DELETE FROM _homeport_topic_sequences WHERE topic = ?"),
        RoomStatement("DELETE FROM _homeport_topic_duplicates WHERE topic = ?"),
    ]
    static let nextNumber = RoomStatement(
        """
        INSERT INTO _homeport_topic_sequences (topic, number) VALUES (?, 1)
        ON CONFLICT (topic) DO UPDATE SET number = _homeport_topic_sequences.number + 1
        """)
    static let number = RoomStatement("SELECT number FROM _homeport_topic_sequences WHERE topic = ?")
    static let duplicate = RoomStatement(
        "SELECT id, number FROM _homeport_topic_duplicates WHERE topic = ? AND key = ? AND time > ?")
    static let duplicateInsertion = RoomStatement(
        """
        INSERT INTO _homeport_topic_duplicates (topic, key, id, number, time) VALUES (?, ?, ?, ?, ?)
        ON CONFLICT (topic, key) DO UPDATE SET id = excluded.id, number = excluded.number, time = excluded.time
        """)
    static let oldDuplicates = RoomStatement("DELETE FROM _homeport_topic_duplicates WHERE time <= ?")
}

extension RoomReading {
    func details(of topic: String) throws(StoreError) -> TopicDetails {
        var details = TopicDetails()
        guard try has(OutboxTables.topicDetails) else { return details }
        try rows(TopicRows.attributes, [.text(topic)]) { row throws(StoreError) in
            details.attributes.append((row.text(0), row.text(1)))
            return true
        }
        try rows(TopicRows.tags, [.text(topic)]) { row throws(StoreError) in
            details.tags.append((row.text(0), row.text(1)))
            return true
        }
        return details
    }
}

extension WriteSession {
    func removeDetails(of topic: String) throws {
        for removal in TopicRows.removals { try change(removal, [.text(topic)]) }
    }

    fileprivate func assign(_ attributes: [(name: String, value: String)], to topic: String) throws {
        for (name, value) in attributes {
            if value.isEmpty {
                try change(TopicRows.attributeRemoval, [.text(topic), .text(name)])
            } else {
                try change(TopicRows.attributeAssignment, [.text(topic), .text(name), .text(value)])
            }
        }
    }

    fileprivate func tag(_ tags: [(name: String, value: String)], _ topic: String) throws {
        for (name, value) in tags {
            try change(TopicRows.tagAssignment, [.text(topic), .text(name), .text(value)])
        }
        guard try details(of: topic).tags.count <= OutboxLimits.tagsMax else {
            throw OutboxError(
                "TagLimitExceeded", "Could not complete request: tag quota of per resource exceeded")
        }
    }

    /// The place of a message among those of its topic; `isKnown` where the same has come before, whose id and number it has.
    func place(
        _ order: NoticeOrder, of topic: String, id: String, now: Int64
    ) throws -> (id: String, order: NoticeOrder, isKnown: Bool) {
        var order = order
        let since = now - OutboxLimits.duplicateMilliseconds
        try change(TopicRows.oldDuplicates, [.integer(since)])
        var known: (id: String, number: Int64)?
        try rows(TopicRows.duplicate, [.text(topic), .text(order.key), .integer(since)]) { row throws(StoreError) in
            known = (row.text(0), row.integer(1))
            return false
        }
        if let known {
            order.number = known.number
            return (known.id, order, true)
        }
        try change(TopicRows.nextNumber, [.text(topic)])
        try rows(TopicRows.number, [.text(topic)]) { row throws(StoreError) in
            order.number = row.integer(0)
            return false
        }
        try change(
            TopicRows.duplicateInsertion,
            [.text(topic), .text(order.key), .text(id), .integer(order.number), .integer(now)])
        return (id, order, false)
    }
}

extension Outbox {
    /// The properties of a topic; nil: there is no such topic.
    func details(of topic: String) async throws(OutboxError) -> TopicDetails? {
        try await read(
            { reader throws(StoreError) in try reader.isTopic(topic) ? try reader.details(of: topic) : nil },
            ifNone: nil)
    }

    /// Makes a topic with all that is said of it. One that is there has to be the same.
    func addTopic(_ name: String, _ wanted: TopicDetails, title: String?) async throws(OutboxError) {
        let known = try await details(of: name)
        if let known {
            let knownTitle = try await self.title(of: name) ?? ""
            let hasAll = wanted.attributes.allSatisfy { known[$0.name] == $0.value }
            guard hasAll, title.map({ $0 == knownTitle }) ?? true else {
                throw Self.isOther("Attributes", "attributes")
            }
            guard
                wanted.tags.allSatisfy({ tag in known.tags.contains { $0.name == tag.name && $0.value == tag.value } })
            else { throw Self.isOther("Tags", "tags") }
            return
        }
        try await addTopic(name)
        if let title { _ = try await setTitle(title, of: name) }
        try await write { session in
            try session.assign(wanted.attributes, to: name)
            try session.tag(wanted.tags, name)
        }
    }

    private static func isOther(_ member: String, _ words: String) -> OutboxError {
        OutboxError(
            "InvalidParameter", "Invalid parameter: \(member) Reason: Topic already exists with different \(words)")
    }

    /// Answers whether there is such a topic.
    func setAttribute(_ name: String, to value: String, of topic: String) async throws(OutboxError) -> Bool {
        try await write { session in
            guard try session.isTopic(topic) else { return false }
            try session.assign([(name, value)], to: topic)
            return true
        }
    }

    /// Changes an attribute by what it is, in one transaction. Answers whether there is such a topic.
    func changeAttribute(
        _ name: String, of topic: String, _ body: @escaping @Sendable (_ value: String?) throws(OutboxError) -> String
    ) async throws(OutboxError) -> Bool {
        try await write { session in
            guard try session.isTopic(topic) else { return false }
            try session.assign([(name, try body(try session.details(of: topic)[name]))], to: topic)
            return true
        }
    }

    /// Answers whether there is such a topic.
    func tag(_ topic: String, _ tags: [(name: String, value: String)]) async throws(OutboxError) -> Bool {
        try await write { session in
            guard try session.isTopic(topic) else { return false }
            try session.tag(tags, topic)
            return true
        }
    }

    /// Answers whether there is such a topic.
    func untag(_ topic: String, _ names: [String]) async throws(OutboxError) -> Bool {
        try await write { session in
            guard try session.isTopic(topic) else { return false }
            for name in names { try session.change(TopicRows.tagRemoval, [.text(topic), .text(name)]) }
            return true
        }
    }
}
