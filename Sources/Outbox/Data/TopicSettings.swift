import JSON
import Store

/// The filter of a follower's messages. Members that are nil are not set.
struct FollowerFilter: Sendable {
    var policy: String?
    var scope: NoticeFilter.Scope?
    /// True if the follower gets the bare message.
    var isRaw: Bool?
    /// Where what the follower does not get goes. Empty: nowhere.
    var redrive: String?
}

/// The attributes of topics and their followers.
enum TopicSettings {
    fileprivate static let neverRaw = OutboxError(
        "InvalidParameter",
        "Invalid parameter: Attributes Reason: RawMessageDelivery: the protocol does not support raw message delivery")
    fileprivate static let filters = RoomStatement(
        """
        SELECT protocol, endpoint, followers.id, policy, scope FROM _homeport_topic_followers AS followers
        LEFT JOIN _homeport_topic_filters AS filters ON filters.id = followers.id
        WHERE topic = ? ORDER BY protocol, endpoint
        """)
    fileprivate static let filterAssignment = RoomStatement(
        """
        INSERT INTO _homeport_topic_filters (id, policy, scope) VALUES (?, ?, ?)
        ON CONFLICT (id) DO UPDATE SET policy = excluded.policy, scope = excluded.scope
        """)
    fileprivate static let filterDeletion = RoomStatement("DELETE FROM _homeport_topic_filters WHERE id = ?")
    fileprivate static let raw = RoomStatement(
        """
        SELECT followers.id FROM _homeport_topic_followers AS followers
        JOIN _homeport_topic_raw AS raw ON raw.id = followers.id WHERE topic = ?
        """)
    fileprivate static let rawInsertion = RoomStatement(
        "INSERT INTO _homeport_topic_raw (id) VALUES (?) ON CONFLICT (id) DO NOTHING")
    fileprivate static let rawDeletion = RoomStatement("DELETE FROM _homeport_topic_raw WHERE id = ?")
    fileprivate static let redrives = RoomStatement(
        """
        SELECT followers.id, redrives.policy FROM _homeport_topic_followers AS followers
        JOIN _homeport_topic_redrives AS redrives ON redrives.id = followers.id WHERE topic = ?
        """)
    fileprivate static let redriveAssignment = RoomStatement(
        """
        INSERT INTO _homeport_topic_redrives (id, policy) VALUES (?, ?)
        ON CONFLICT (id) DO UPDATE SET policy = excluded.policy
        """)
    fileprivate static let redriveDeletion = RoomStatement("DELETE FROM _homeport_topic_redrives WHERE id = ?")
    fileprivate static let notRedriven = OutboxError(
        "InvalidParameter",
        "Invalid parameter: RedrivePolicy: only subscriptions of queues and functions have dead letters here")
    fileprivate static let title = RoomStatement("SELECT title FROM _homeport_topic_titles WHERE topic = ?")
    fileprivate static let titleAssignment = RoomStatement(
        """
        INSERT INTO _homeport_topic_titles (topic, title) VALUES (?, ?)
        ON CONFLICT (topic) DO UPDATE SET title = excluded.title
        """)
    fileprivate static let titleDeletion = RoomStatement("DELETE FROM _homeport_topic_titles WHERE topic = ?")
}

extension RoomReading {
    /// Those who follow a topic, with their filters; nil: the tables for these are not there yet.
    func filteredFollowers(of topic: String) throws(StoreError) -> [TopicFollower]? {
        guard try has(OutboxTables.settings) else { return nil }
        var followers: [TopicFollower] = []
        try rows(TopicSettings.filters, [.text(topic)]) { row throws(StoreError) in
            var follower = TopicFollower(way: row.text(0), endpoint: row.text(1), id: row.text(2))
            if !row.isNull(3) { follower.policy = row.text(3) }
            if !row.isNull(4) { follower.scope = NoticeFilter.Scope(rawValue: row.text(4)) ?? .attributes }
            followers.append(follower)
            return true
        }
        guard try has(OutboxTables.rawFollowers) else { return followers }
        var raw: Set<ByteText> = []
        try rows(TopicSettings.raw, [.text(topic)]) { row throws(StoreError) in
            raw.insert(ByteText(row.text(0)))
            return true
        }
        for place in followers.indices { followers[place].isRaw = raw.contains(ByteText(followers[place].id)) }
        guard try has(OutboxTables.redrives) else { return followers }
        try rows(TopicSettings.redrives, [.text(topic)]) { row throws(StoreError) in
            let id = ByteText(row.text(0))
            if let place = followers.firstIndex(where: { ByteText($0.id) == id }) {
                followers[place].redrive = row.text(1)
            }
            return true
        }
        return followers
    }

    fileprivate func title(of topic: String) throws(StoreError) -> String? {
        guard try has(OutboxTables.settings) else { return nil }
        var title: String?
        try rows(TopicSettings.title, [.text(topic)]) { row throws(StoreError) in
            title = row.text(0)
            return false
        }
        return title
    }
}

extension WriteSession {
    /// Keeps what is said of a follower's messages, checked as a whole. An empty policy, or none at all, lets everything through.
    func setFilter(_ filter: FollowerFilter, of follower: TopicFollower) throws {
        let scope = filter.scope ?? follower.scope
        var policy = filter.policy ?? follower.policy
        // `{}` takes a policy away.
        if let text = policy, try NoticeFilter.read(text, over: scope) == nil { policy = nil }
        try change(
            TopicSettings.filterAssignment,
            [.text(follower.id), policy.map(StoredValue.text) ?? .null, .text(scope.rawValue)])
        if let redrive = filter.redrive { try setRedrive(redrive, of: follower) }
        guard let isRaw = filter.isRaw else { return }
        guard !isRaw || follower.way == "sqs" else { throw TopicSettings.neverRaw }
        try change(isRaw ? TopicSettings.rawInsertion : TopicSettings.rawDeletion, [.text(follower.id)])
    }

    private func setRedrive(_ policy: String, of follower: TopicFollower) throws {
        guard try NoticeRedrive.read(policy) != nil else { return try removeRedrive(of: follower) }
        guard follower.way == "sqs" || follower.way == "lambda" else { throw TopicSettings.notRedriven }
        try bring(OutboxTables.redrives)
        try change(TopicSettings.redriveAssignment, [.text(follower.id), .text(policy)])
    }

    private func removeRedrive(of follower: TopicFollower) throws {
        guard try has(OutboxTables.redrives) else { return }
        try change(TopicSettings.redriveDeletion, [.text(follower.id)])
    }

    func removeFilter(of follower: TopicFollower) throws {
        try removeRedrive(of: follower)
        try change(TopicSettings.filterDeletion, [.text(follower.id)])
        try change(TopicSettings.rawDeletion, [.text(follower.id)])
    }

    func removeTitle(of topic: String) throws { try change(TopicSettings.titleDeletion, [.text(topic)]) }
}

extension Outbox {
    /// The name of a topic's sender in mails; nil: none is set.
    func title(of topic: String) async throws(OutboxError) -> String? {
        try await read({ reader throws(StoreError) in try reader.title(of: topic) }, ifNone: nil)
    }

    /// Answers whether there is such a topic.
    func setTitle(_ title: String, of topic: String) async throws(OutboxError) -> Bool {
        try await write { session in
            guard try session.isTopic(topic) else { return false }
            try session.change(TopicSettings.titleAssignment, [.text(topic), .text(title)])
            return true
        }
    }

    /// Answers whether there is such a follower.
    func setFilter(_ filter: FollowerFilter, of topic: String, id: String) async throws(OutboxError) -> Bool {
        try await write { session in
            guard let follower = try session.followers(of: topic).first(where: { $0.id == id }) else { return false }
            try session.setFilter(filter, of: follower)
            return true
        }
    }
}
