import JSON
import Store

/// Somebody who is told what is published to a topic.
struct TopicFollower: Sendable {
    /// `email`, `email-json`, `sms` or `lambda`.
    let way: String
    let endpoint: String
    let id: String
}

/// A topic, by its name.
enum Topic {
    fileprivate static let selection = RoomStatement("SELECT 1 FROM _homeport_topics WHERE name = ?")
    fileprivate static let count = RoomStatement("SELECT count(*) FROM _homeport_topics")
    fileprivate static let list = RoomStatement(
        "SELECT name FROM _homeport_topics WHERE name > ? ORDER BY name LIMIT ?")
    fileprivate static let insertion = RoomStatement(
        "INSERT INTO _homeport_topics (name, created) VALUES (?, ?) ON CONFLICT (name) DO NOTHING")
    fileprivate static let deletion = RoomStatement("DELETE FROM _homeport_topics WHERE name = ?")
    fileprivate static let followersDeletion = RoomStatement("DELETE FROM _homeport_topic_followers WHERE topic = ?")
    fileprivate static let followers = RoomStatement(
        "SELECT protocol, endpoint, id FROM _homeport_topic_followers WHERE topic = ? ORDER BY protocol, endpoint")
    fileprivate static let followerInsertion = RoomStatement(
        """
        INSERT INTO _homeport_topic_followers (topic, protocol, endpoint, id) VALUES (?, ?, ?, ?)
        ON CONFLICT (topic, protocol, endpoint) DO NOTHING
        """)
    fileprivate static let followerDeletion = RoomStatement(
        "DELETE FROM _homeport_topic_followers WHERE topic = ? AND id = ?")
}

extension RoomReading {
    private func count(_ statement: RoomStatement, _ values: [StoredValue]) throws(StoreError) -> Int64 {
        var count: Int64 = 0
        try rows(statement, values) { row throws(StoreError) in
            count = row.integer(0)
            return false
        }
        return count
    }

    fileprivate func isTopic(_ name: String) throws(StoreError) -> Bool {
        try count(Topic.selection, [.text(name)]) > 0
    }

    fileprivate func topicCount() throws(StoreError) -> Int64 { try count(Topic.count, []) }

    fileprivate func followers(of topic: String) throws(StoreError) -> [TopicFollower] {
        var followers: [TopicFollower] = []
        try rows(Topic.followers, [.text(topic)]) { row throws(StoreError) in
            followers.append(TopicFollower(way: row.text(0), endpoint: row.text(1), id: row.text(2)))
            return true
        }
        return followers
    }
}

extension Outbox {
    /// Makes a topic, if it is not there.
    func addTopic(_ name: String) async throws(OutboxError) {
        let now = now
        try await write { session in
            guard try session.isTopic(name) || session.topicCount() < OutboxLimits.topicsMax else {
                throw OutboxError(
                    "TopicLimitExceeded", "There are \(OutboxLimits.topicsMax) topics at most.", status: 403)
            }
            try session.change(Topic.insertion, [.text(name), .integer(now)])
        }
    }

    /// Makes a topic of the project, and has functions follow it. What is there stays.
    package func keepTopic(_ name: String, followedBy functions: [String]) async throws(OutboxError) {
        kept.withLock { kept in
            kept.removeAll { $0.topic.utf8.elementsEqual(name.utf8) }
            kept.append((name, functions))
        }
        try await make(name, followedBy: functions)
    }

    /// Begins anew where other data hold: the topics of the project are there.
    package func beginAnew() async throws(OutboxError) {
        for (topic, functions) in kept.withLock({ $0 }) { try await make(topic, followedBy: functions) }
    }

    private func make(_ name: String, followedBy functions: [String]) async throws(OutboxError) {
        try await addTopic(name)
        for function in functions {
            let arn = "arn:aws:lambda:\(region):\(accountID):function:\(function)"
            _ = try await follow(name, "lambda", arn, id: Self.makeIdentifier())
        }
    }

    func removeTopic(_ name: String) async throws(OutboxError) {
        try await write { session in
            try session.change(Topic.deletion, [.text(name)])
            try session.change(Topic.followersDeletion, [.text(name)])
        }
    }

    func topics(behind name: String, max: Int) async throws(OutboxError) -> [String] {
        try await read(
            { reader throws(StoreError) in
                var names: [String] = []
                try reader.rows(Topic.list, [.text(name), .integer(Int64(max))]) { row throws(StoreError) in
                    names.append(row.text(0))
                    return true
                }
                return names
            }, ifNone: [])
    }

    /// Those who follow it; nil: there is no such topic.
    func followers(of topic: String) async throws(OutboxError) -> [TopicFollower]? {
        try await read(
            { reader throws(StoreError) in try reader.isTopic(topic) ? try reader.followers(of: topic) : nil },
            ifNone: nil)
    }

    /// Has somebody follow a topic, and answers by which id; nil: there is no such topic.
    func follow(_ topic: String, _ way: String, _ endpoint: String, id: String) async throws(OutboxError) -> String? {
        try await write { session in
            guard try session.isTopic(topic) else { return nil }
            let followers = try session.followers(of: topic)
            guard followers.count < OutboxLimits.followersMax else {
                throw OutboxError(
                    "SubscriptionLimitExceeded", "A topic has \(OutboxLimits.followersMax) subscriptions at most.",
                    status: 403)
            }
            try session.change(Topic.followerInsertion, [.text(topic), .text(way), .text(endpoint), .text(id)])
            return try session.followers(of: topic).first { $0.way == way && $0.endpoint == endpoint }?.id
        }
    }

    func unfollow(_ topic: String, id: String) async throws(OutboxError) {
        try await write { try $0.change(Topic.followerDeletion, [.text(topic), .text(id)]) }
    }
}
