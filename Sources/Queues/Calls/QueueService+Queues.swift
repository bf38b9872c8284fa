import Cloud
import JSON
import Store

extension QueueService {
    func create(_ input: CallInput, _ place: Place) async throws(QueueError) -> JSONObject {
        let name = input.demanded("QueueName")
        let attributes = input.object("Attributes") ?? JSONObject()
        let settings = try QueueSettings(attributes)
        try settings.check(name: name)
        // The newer protocol calls them so.
        let tags = try Self.tags(input.object("tags") ?? input.object("Tags") ?? JSONObject())
        try await queues.write { transaction in
            if let queue = try transaction.queue(name) {
                if let attribute = queue.settings.difference(from: settings) { throw QueueError.nameTaken(attribute) }
            } else {
                try transaction.demandDeadLetters(of: settings, attributes, name)
                try transaction.make(name, settings, tags: tags)
            }
        }
        return JSONObject([("QueueUrl", .string(queues.url(of: name, at: place.endpoint)))])
    }

    static func tags(_ tags: JSONObject) throws(QueueError) -> JSONObject {
        guard tags.count <= QueueLimits.tagsMax, tags.members.allSatisfy({ $0.value.string != nil }) else {
            throw .invalid("A queue has at most \(QueueLimits.tagsMax) tags, each of which is a text.")
        }
        return tags
    }

    func list(_ input: CallInput, _ place: Place) async throws(QueueError) -> JSONObject {
        let start = input.text("QueueNamePrefix") ?? ""
        let count = try input.number("MaxResults", from: 1...QueueLimits.pageMax)
        let after = input.text("NextToken").map { ByteText($0) }
        let names = try await queues.names().filter { name in
            name.string.hasPrefix(start) && (after.map { $0 < name } ?? true)
        }
        let page = names.prefix(Int(count ?? QueueLimits.pageMax))
        guard !page.isEmpty else { return JSONObject() }
        var answer = JSONObject([
            ("QueueUrls", .array(page.map { .string(queues.url(of: $0.string, at: place.endpoint)) }))
        ])
        if count != nil, names.count > page.count, let last = page.last {
            answer.set("NextToken", to: .string(last.string))
        }
        return answer
    }

    func sources(_ input: CallInput, _ place: Place) async throws(QueueError) -> JSONObject {
        let name = try input.queue(of: queues)
        _ = try await queues.known(name)
        let urls = try await sources(of: name).map { JSONValue.string(queues.url(of: $0, at: place.endpoint)) }
        return JSONObject([("queueUrls", .array(urls))])
    }

    /// The queues whose dead letters go to a queue.
    func sources(of name: String) async throws(QueueError) -> [String] {
        let arn = queues.arn(of: name)
        var names: [String] = []
        for source in try await queues.names() {
            guard let queue = try? await queues.known(source.string), queue.settings.redrive?.queueARN == arn else {
                continue
            }
            names.append(source.string)
        }
        return names
    }

    private static let counted = [
        "ApproximateNumberOfMessages", "ApproximateNumberOfMessagesNotVisible", "ApproximateNumberOfMessagesDelayed",
    ]
    private static let own = ["QueueArn", "CreatedTimestamp", "LastModifiedTimestamp"]

    func attributes(_ input: CallInput) async throws(QueueError) -> JSONObject {
        let name = try input.queue(of: queues)
        let names = input.texts("AttributeNames") ?? []
        let queue = try await queues.known(name)
        let settings = queue.settings.shown
        let isAll = names.contains("All")
        if !isAll {
            let settable = [
                "Policy", "RedrivePolicy", "RedriveAllowPolicy", "KmsMasterKeyId", "KmsDataKeyReusePeriodSeconds",
                "FifoQueue", "ContentBasedDeduplication", "DeduplicationScope", "FifoThroughputLimit",
            ]
            for name in names {
                guard settings[name] != nil || (Self.counted + Self.own + settable).contains(name) else {
                    throw .unknownAttribute(name)
                }
            }
        }
        func isWanted(_ name: String) -> Bool { isAll || names.contains(name) }
        var all = JSONObject()
        if isWanted("QueueArn") { all.set("QueueArn", to: .string(queues.arn(of: name))) }
        if Self.counted.contains(where: isWanted) {
            for (name, count) in zip(Self.counted, try await queues.counts(of: queue)) where isWanted(name) {
                all.set(name, to: .string("\(count)"))
            }
        }
        for (name, time) in [("CreatedTimestamp", queue.created), ("LastModifiedTimestamp", queue.changed)]
        where isWanted(name) {
            all.set(name, to: .string("\(time / 1_000)"))
        }
        for member in settings.members where isWanted(member.key) { all.set(member.key, to: member.value) }
        return all.isEmpty ? JSONObject() : JSONObject([("Attributes", .object(all))])
    }
}

extension Queues {
    /// The queue of a name, whether or not there is anything of it in the database yet.
    func known(_ name: String) async throws(QueueError) -> StoredQueue {
        let stored = try await read(
            { reader throws(StoreError) in
                var queue: StoredQueue?
                try reader.rows(QueueRows.queue, [.text(name)]) { row throws(StoreError) in
                    queue = StoredQueue(row)
                    return false
                }
                return queue
            }, ifNone: nil)
        if let stored, !name.contains(bytesOf: ":") { return stored }
        guard declared[name] != nil else { throw .noQueue }
        return try await write { transaction in try transaction.demanded(name) }
    }

    /// The names of all queues, in their order.
    func names() async throws(QueueError) -> [ByteText] {
        let stored = try await read(
            { reader throws(StoreError) -> [ByteText] in
                var names: [ByteText] = []
                try reader.rows(QueueRows.queues, []) { row throws(StoreError) in
                    names.append(ByteText(row.text(1)))
                    return true
                }
                return names
            }, ifNone: [])
        return Set(stored + declared.keys).sorted()
    }

    /// How many messages may be received, are received, and are delayed.
    func counts(of queue: StoredQueue) async throws(QueueError) -> [Int64] {
        let (number, now) = (queue.number, now)
        return try await read(
            { reader throws(StoreError) in
                var counts: [Int64] = []
                try reader.rows(QueueRows.counts, [.integer(number), .integer(now)]) { row throws(StoreError) in
                    counts = [row.integer(0), row.integer(1), row.integer(2)]
                    return false
                }
                return counts
            }, ifNone: [0, 0, 0])
    }

    func set(_ changes: JSONObject, of name: String) async throws(QueueError) {
        try await write { transaction in
            let queue = try transaction.demanded(name)
            if let asked = changes["FifoQueue"]?.string {
                guard queue.settings.isOrdered else { throw QueueError.unknownAttribute("FifoQueue") }
                guard asked == "true" else {
                    throw QueueError(
                        "InvalidAttributeValue",
                        "Invalid value for the parameter FifoQueue. Reason: Modifying queue type is not supported.")
                }
            }
            var settings = queue.settings
            try settings.set(changes)
            try settings.check(name: name)
            try transaction.demandDeadLetters(of: settings, changes, name)
            try transaction.set(settings, of: queue)
        }
    }

    func tag(_ name: String, with added: JSONObject, without removed: [String]) async throws(QueueError) {
        try await write { transaction in
            let queue = try transaction.demanded(name)
            var tags = queue.tags
            for key in removed { tags.remove(key) }
            for member in added.members { tags.set(member.key, to: member.value) }
            guard tags.count <= QueueLimits.tagsMax else {
                throw QueueError.invalid("Too many tags added for queue \(name).")
            }
            let text = JSONWriter.text(of: .object(try QueueService.tags(tags)))
            try transaction.session.change(QueueRows.tagging, [.text(text), .integer(queue.number)])
        }
    }

    /// Takes a queue away, with all that is in it. One of the project is there again, empty.
    func remove(_ name: String) async throws(QueueError) {
        let number = try await write { transaction in
            let queue = try transaction.demanded(name)
            try transaction.session.change(QueueRows.removal, [.integer(queue.number)])
            try transaction.session.change(QueueRows.forgetting, [.integer(queue.number)])
            return queue.number
        }
        try await clear(number, upTo: .max)
    }

    func purge(_ name: String) async throws(QueueError) {
        let (number, last) = try await write { transaction in
            let queue = try transaction.demanded(name)
            // What is sent again from now on is no duplicate of what is gone.
            try transaction.session.change(QueueRows.forgetting, [.integer(queue.number)])
            return (queue.number, try transaction.integer(QueueRows.last, [.integer(queue.number)]))
        }
        try await clear(number, upTo: last)
    }

    /// In parts, between which others have their turns.
    private func clear(_ queue: Int64, upTo last: Int64) async throws(QueueError) {
        while try await write({ try $0.purge(queue, upTo: last) }) == Int(QueueLimits.deletedAtOnce) {}
    }

    /// Takes out what is too old.
    package func sweep() async throws(QueueError) {
        guard try await read({ _ throws(StoreError) in true }, ifNone: false) else { return }
        while try await write({ try $0.sweep() }) {}
    }

    /// Goes on where a process has ended: what it was telling functions of is told again, a queue that it was taking away goes, and
    /// the queues of the project become what it says now. Called before anything is told.
    package func begin() async throws(QueueError) {
        guard try await settle() else { return }
        while try await write({ try $0.release() }) == Int(QueueLimits.deletedAtOnce) {}
        while let queue = try await orphan() { try await clear(queue, upTo: .max) }
        watchers.tellAll()
    }

    /// The queues of the project become what it says now, where there are any of them in the database. Answers whether there may be.
    @discardableResult
    func settle() async throws(QueueError) -> Bool {
        guard try await read({ _ throws(StoreError) in true }, ifNone: false) else { return false }
        try await write { [declared] transaction in
            for (name, settings) in declared {
                guard let queue = try transaction.queue(name.string), queue.settings != settings else { continue }
                try transaction.set(settings, of: queue)
            }
        }
        return true
    }

    private func orphan() async throws(QueueError) -> Int64? {
        try await read(
            { reader throws(StoreError) in
                var queue: Int64?
                try reader.rows(QueueRows.orphans, []) { row throws(StoreError) in
                    queue = row.integer(0)
                    return false
                }
                return queue
            }, ifNone: nil)
    }
}

extension QueueTransaction {
    /// Refuses a queue for dead letters that a call names and that is not there. A queue may be its own.
    fileprivate func demandDeadLetters(
        of settings: QueueSettings, _ attributes: JSONObject, _ name: String
    ) throws {
        guard let text = attributes["RedrivePolicy"]?.string, let redrive = settings.redrive else { return }
        let target = queues.name(ofARN: redrive.queueARN)
        let isThere =
            try target.map { target in try ByteText(target) == ByteText(name) || queue(target) != nil } ?? false
        guard isThere else {
            throw QueueError.invalid(text, of: "RedrivePolicy", "Dead letter target does not exist.")
        }
    }
}
