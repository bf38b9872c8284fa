import Cloud
import JSON
import Store

/// Somebody who is told what is published to a topic.
struct TopicFollower: Sendable {
    /// `email`, `email-json`, `sms`, `lambda` or `sqs`.
    let way: String
    let endpoint: String
    let id: String
    /// Which messages it gets, as `NoticeFilter` reads it; nil: all of them.
    var policy: String?
    var scope = NoticeFilter.Scope.attributes
    /// True if it gets the bare message, without what is around it.
    var isRaw = false
    /// Where what it does not get goes, as `NoticeRedrive` reads it; nil: nowhere.
    var redrive: String?

    /// Returns whether what is said of its messages is what holds already.
    func has(_ filter: FollowerFilter) -> Bool {
        (filter.scope ?? scope) == scope && (filter.isRaw ?? isRaw) == isRaw
            && (filter.policy.map { Self.isSame($0, policy ?? "{}") } ?? true)
            && (filter.redrive.map { Self.isSame($0, redrive ?? "{}") } ?? true)
    }

    private static func isSame(_ left: String, _ right: String) -> Bool {
        let limits = JSONLimits(bytesMax: OutboxLimits.policyBytesMax, nestingMax: OutboxLimits.nestingMax)
        func value(_ text: String) -> JSONValue? { try? JSONReader.value(of: Array(text.utf8), limits: limits) }
        return left == right || value(left) == value(right)
    }
}

/// A function that follows a topic because the project says so.
package struct KeptFollower: Sendable {
    let function: String
    let policy: String?
    let scope: NoticeFilter.Scope
    let isUnread: Bool

    /// - Parameters:
    ///   - policy: which messages it gets; nil: all of them.
    ///   - isPolicyOfBody: whether it is about the text of a message, and not about its attributes.
    ///   - isUnread: whether there is a policy that nobody can read. The function follows nothing then.
    package init(
        _ function: String, policy: String? = nil, isPolicyOfBody: Bool = false, isUnread: Bool = false
    ) {
        (self.function, self.policy, self.isUnread) = (function, policy, isUnread)
        scope = isPolicyOfBody ? .body : .attributes
    }

    var filter: FollowerFilter { FollowerFilter(policy: policy ?? "", scope: scope) }

    /// Refuses a policy that is wrong.
    func check() throws(OutboxError) {
        guard !isUnread else { throw OutboxError("InvalidParameter", "its filter policy cannot be read here") }
        _ = try NoticeFilter.read(policy ?? "", over: scope)
    }
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

    func isTopic(_ name: String) throws(StoreError) -> Bool {
        try count(Topic.selection, [.text(name)]) > 0
    }

    fileprivate func topicCount() throws(StoreError) -> Int64 { try count(Topic.count, []) }

    func followers(of topic: String) throws(StoreError) -> [TopicFollower] {
        if let followers = try filteredFollowers(of: topic) { return followers }
        var followers: [TopicFollower] = []
        try rows(Topic.followers, [.text(topic)]) { row throws(StoreError) in
            followers.append(TopicFollower(way: row.text(0), endpoint: row.text(1), id: row.text(2)))
            return true
        }
        return followers
    }
}

extension WriteSession {
    fileprivate func removeFollower(_ follower: TopicFollower, of topic: String) throws {
        try removeFilter(of: follower)
        try change(Topic.followerDeletion, [.text(topic), .text(follower.id)])
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

    /// Makes a topic of the project, and has functions follow it. What is there stays, but for the filters of these functions.
    package func keepTopic(_ name: String, followedBy followers: [KeptFollower]) async throws(OutboxError) {
        kept.withLock { kept in
            kept.removeAll { $0.topic.utf8.elementsEqual(name.utf8) }
            kept.append((name, followers))
        }
        if let problem = try await make(name, followedBy: followers) { throw problem }
    }

    /// Begins anew where other data hold: the topics of the project are there.
    package func beginAnew() async throws(OutboxError) {
        // What is wrong with one was told when it was made first.
        for (topic, followers) in kept.withLock({ $0 }) { _ = try await make(topic, followedBy: followers) }
    }

    /// Answers what is wrong with the policy of one of the functions. That one follows nothing, and the others do.
    private func make(
        _ name: String, followedBy followers: [KeptFollower]
    ) async throws(OutboxError) -> OutboxError? {
        try await addTopic(name)
        var problem: OutboxError?
        for follower in followers {
            let arn = ARN("lambda", region: region, account: accountID, "function:\(follower.function)").description
            do throws(OutboxError) {
                try follower.check()
            } catch {
                // Where it follows already it would get what the project does not want it to.
                for known in try await self.followers(of: name) ?? []
                where known.way == "lambda" && known.endpoint == arn { try await unfollow(name, id: known.id) }
                problem = OutboxError(error.code, "\(follower.function) does not follow it: \(error.message)")
                continue
            }
            _ = try await follow(name, "lambda", arn, filter: follower.filter, isProjects: true)
        }
        return problem
    }

    func removeTopic(_ name: String) async throws(OutboxError) {
        try await write { session in
            for follower in try session.followers(of: name) { try session.removeFilter(of: follower) }
            try session.removeTitle(of: name)
            try session.removeDetails(of: name)
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
    ///
    /// - Parameter isProjects: whether the project says so, whose filter replaces another. Else who follows already keeps what it has.
    func follow(
        _ topic: String, _ way: String, _ endpoint: String, filter: FollowerFilter, isProjects: Bool = false
    ) async throws(OutboxError) -> String? {
        let id = Self.makeNoticeIdentifier()
        return try await write { session in
            guard try session.isTopic(topic) else { return nil }
            let followers = try session.followers(of: topic)
            if let known = followers.first(where: { $0.way == way && $0.endpoint == endpoint }) {
                if isProjects {
                    try session.setFilter(filter, of: known)
                } else if !known.has(filter) {
                    throw Self.followsOtherwise
                }
                return known.id
            }
            guard followers.count < OutboxLimits.followersMax else {
                throw OutboxError(
                    "SubscriptionLimitExceeded", "A topic has \(OutboxLimits.followersMax) subscriptions at most.",
                    status: 403)
            }
            try session.change(Topic.followerInsertion, [.text(topic), .text(way), .text(endpoint), .text(id)])
            try session.setFilter(filter, of: TopicFollower(way: way, endpoint: endpoint, id: id))
            return id
        }
    }

    private static let followsOtherwise = OutboxError(
        "InvalidParameter",
        "Invalid parameter: Attributes Reason: Subscription already exists with different attributes")

    func unfollow(_ topic: String, id: String) async throws(OutboxError) {
        try await write { session in
            for follower in try session.followers(of: topic) where follower.id == id {
                try session.removeFollower(follower, of: topic)
            }
        }
    }
}
