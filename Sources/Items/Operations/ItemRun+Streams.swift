import Crypto
import JSON
import Store

extension ItemRun {
    // MARK: Looking

    func listStreams() async throws(ItemFailure) -> ItemAnswer {
        let (table, limit, start) = try refusing { () throws(ItemError) in
            (
                try fields.text("TableName").map(service.settings.tableName),
                try fields.integer("Limit") ?? TableLimits.streamsMax,
                try fields.text("ExclusiveStartStreamArn")
            )
        }
        guard (1...TableLimits.streamsMax).contains(limit) else {
            throw .refused(.validation("Limit must be from 1 to \(TableLimits.streamsMax)"))
        }
        let first: Int64 = if let start { try await stream(start).number } else { 0 }
        let found = try await service.read(on: shard) { reader, _ throws(ItemFailure) -> [StoredStream] in
            guard try storing({ () throws(StoreError) in try reader.has(TableRows.all) }) else { return [] }
            return try StreamRows.streams(of: table, after: first, max: Int(limit) + 1, in: reader)
        }
        let page = found.prefix(Int(limit))
        var answer = JSONObject([
            (
                "Streams",
                .array(
                    page.map { stream in
                        [
                            "StreamArn": .string(arn(of: stream)), "StreamLabel": .string(stream.label),
                            "TableName": .string(stream.table),
                        ]
                    })
            )
        ])
        if page.count < found.count, let last = page.last {
            answer.set("LastEvaluatedStreamArn", to: .string(arn(of: last)))
        }
        return ItemAnswer(answer)
    }

    func describeStream() async throws(ItemFailure) -> ItemAnswer {
        let stream = try await stream(try text("StreamArn"))
        let parent = try filteredShard()
        let first = try await service.read(on: shard) { reader, _ throws(ItemFailure) in
            try StreamRows.first(of: stream.number, in: reader)
        }
        var range = JSONObject([("StartingSequenceNumber", .string(Self.sequence(first)))])
        if stream.ended != nil {
            let last = try await service.read(on: shard) { reader, _ throws(ItemFailure) in
                try StreamRows.last(of: stream.number, in: reader)
            }
            range.set("EndingSequenceNumber", to: .string(Self.sequence(last)))
        }
        // A stream has one shard: what comes from one writer is in one order.
        var shards: [JSONValue] = [
            ["ShardId": .string(shardID(of: stream)), "SequenceNumberRange": .object(range)]
        ]
        let start = try refusing { () throws(ItemError) in try fields.text("ExclusiveStartShardId") }
        // The one shard follows those before it in the order of names, and is no other's child.
        if parent != nil || start.map({ ByteText($0) >= ByteText(shardID(of: stream)) }) == true { shards = [] }
        let description = JSONObject([
            ("StreamArn", .string(arn(of: stream))), ("StreamLabel", .string(stream.label)),
            ("StreamStatus", stream.ended == nil ? "ENABLED" : "DISABLED"),
            ("StreamViewType", .string(stream.view.rawValue)),
            ("CreationRequestDateTime", .double(Double(stream.began) / 1_000)), ("TableName", .string(stream.table)),
            ("KeySchema", stream.key.description), ("Shards", .array(shards)),
        ])
        return ItemAnswer(JSONObject([("StreamDescription", .object(description))]))
    }

    private static let shardIDBytes = 28...65

    /// The shard whose children are asked for; nil: all shards are.
    private func filteredShard() throws(ItemFailure) -> String? {
        guard let value = fields["ShardFilter"] else { return nil }
        func refusal(_ shown: String, _ member: String, _ constraint: String) -> ItemFailure {
            .refused(
                .validation(
                    "1 validation error detected: \(shown) at 'shardFilter.\(member)' failed to satisfy constraint: Member must "
                        + constraint))
        }
        guard let type = value["Type"]?.string else { throw refusal("Value null", "type", "not be null") }
        guard type == "CHILD_SHARDS" else {
            throw refusal("Value '\(type)'", "type", "satisfy enum value set: [CHILD_SHARDS]")
        }
        guard let shard = value["ShardId"]?.string else { throw refusal("Value null", "shardId", "not be null") }
        guard Self.shardIDBytes.contains(shard.utf8.count) else {
            let isShort = shard.utf8.count < Self.shardIDBytes.lowerBound
            throw refusal(
                "Value '\(shard.prefix(Self.shardIDBytes.upperBound))'", "shardId",
                isShort
                    ? "have length greater than or equal to \(Self.shardIDBytes.lowerBound)"
                    : "have length less than or equal to \(Self.shardIDBytes.upperBound)")
        }
        return shard
    }

    // MARK: Reading

    func getShardIterator() async throws(ItemFailure) -> ItemAnswer {
        let stream = try await stream(try text("StreamArn"))
        guard try text("ShardId") == shardID(of: stream) else {
            throw .refused(
                ItemError(
                    type: "ResourceNotFoundException",
                    message: "Requested resource not found: Shard does not exist"))
        }
        let sequence = try refusing { () throws(ItemError) in try fields.text("SequenceNumber") }
        if sequence != nil { _ = try Self.number(sequence) }
        let type = try text("ShardIteratorType")
        if sequence != nil, type == "TRIM_HORIZON" || type == "LATEST" {
            throw .refused(.validation("Value SequenceNumber should not be set for ShardIteratorType \(type)"))
        }
        let number: Int64
        switch type {
        case "TRIM_HORIZON": number = 0
        case "LATEST":
            number =
                1
                + (try await service.read(on: shard) { reader, _ throws(ItemFailure) in
                    try StreamRows.lastOfAll(in: reader)
                })
        case "AT_SEQUENCE_NUMBER": number = try Self.number(sequence)
        case "AFTER_SEQUENCE_NUMBER": number = 1 + (try Self.number(sequence))
        case let other:
            throw .refused(
                .validation(
                    "1 validation error detected: Value '\(other)' at 'shardIteratorType' failed to satisfy constraint: Member "
                        + "must satisfy enum value set: [AFTER_SEQUENCE_NUMBER, LATEST, AT_SEQUENCE_NUMBER, TRIM_HORIZON]"
                ))
        }
        return ItemAnswer(JSONObject([("ShardIterator", .string(iterator(of: stream, number)))]))
    }

    func getRecords() async throws(ItemFailure) -> ItemAnswer {
        let (stream, number) = try await place(ofIterator: try text("ShardIterator"))
        let limit = try refusing { () throws(ItemError) in try fields.integer("Limit") ?? TableLimits.recordsMax }
        guard (1...TableLimits.recordsMax).contains(limit) else {
            throw .refused(
                .validation(
                    "1 validation error detected: Value '\(limit)' at 'limit' failed to satisfy constraint: Member must have "
                        + "value \(limit < 1 ? "greater than or equal to 1" : "less than or equal to \(TableLimits.recordsMax)")"
                ))
        }
        let since = service.now - TableLimits.streamMilliseconds
        let records = try await service.read(on: shard) { reader, _ throws(ItemFailure) in
            try StreamRows.records(of: stream.number, from: number, since: since, max: limit, in: reader)
        }
        let next = records.last.map { $0.number + 1 } ?? number
        var answer = JSONObject([("Records", .array(records.map { .object($0.json(of: stream, service.settings)) }))])
        if stream.ended == nil || !records.isEmpty {
            answer.set("NextShardIterator", to: .string(iterator(of: stream, next)))
        }
        return ItemAnswer(answer)
    }

    // MARK: Names

    private func text(_ name: String) throws(ItemFailure) -> String {
        guard let text = try refusing({ () throws(ItemError) in try fields.text(name) }) else {
            let member = name.prefix(1).lowercased() + name.dropFirst()
            throw .refused(
                .validation(
                    "1 validation error detected: Value null at '\(member)' failed to satisfy constraint: Member must not be null"
                ))
        }
        return text
    }

    private func arn(of stream: StoredStream) -> String {
        service.settings.streamARN(of: stream.table, stream.label)
    }

    private func stream(_ arn: String) async throws(ItemFailure) -> StoredStream {
        let unknown = ItemError(
            type: "ResourceNotFoundException", message: "Requested resource not found: Stream: \(arn) not found")
        guard let parts = service.settings.table(ofARN: arn)?.parts(separatedBy: "/stream/"), parts.count == 2 else {
            throw .refused(.validation("Invalid StreamArn: \(arn)"))
        }
        return try await service.read(on: shard) { reader, _ throws(ItemFailure) in
            guard try storing({ () throws(StoreError) in try reader.has(TableRows.all) }),
                let stream = try StreamRows.stream(of: parts[0], parts[1], in: reader)
            else { throw .refused(unknown) }
            return stream
        }
    }

    private func shardID(of stream: StoredStream) -> String {
        "shardId-\(Self.padded(stream.began, 20))-\(Self.padded(stream.number, 8))"
    }

    private static let sequenceDigits = 21

    /// The name of a number among records: texts of one length, in their order.
    static func sequence(_ number: Int64) -> String { padded(number, sequenceDigits) }

    private static func padded(_ number: Int64, _ count: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, count - digits.utf8.count)) + digits
    }

    private static func number(_ sequence: String?) throws(ItemFailure) -> Int64 {
        guard let sequence, let number = Int64(sequence), number >= 0, number < .max else {
            throw .refused(.validation("Invalid SequenceNumber"))
        }
        return number
    }

    // MARK: Iterators

    /// A place in a stream. It names nothing that its holder may not read anyway: who may not read all is asked about the stream in it.
    private func iterator(of stream: StoredStream, _ number: Int64) -> String {
        let text = "\(arn(of: stream))|\(number)|\(service.now)"
        return "\(arn(of: stream))|1|\(Base64.text(of: Array(text.utf8), .standard))"
    }

    /// What an iterator names; nil: it is none.
    private static func parts(ofIterator text: String) -> [String]? {
        let parts = text.parts(separatedBy: "|")
        guard parts.count == 3, let bytes = Base64.bytes(of: parts[2].utf8, .standard),
            let content = String(validating: bytes, as: UTF8.self)
        else { return nil }
        let inner = content.parts(separatedBy: "|")
        return inner.count == 3 ? inner : nil
    }

    /// The ARN of the stream that an iterator is for.
    static func stream(ofIterator text: String) -> String? { parts(ofIterator: text)?.first }

    private func place(ofIterator text: String) async throws(ItemFailure) -> (StoredStream, Int64) {
        guard let inner = Self.parts(ofIterator: text), let number = Int64(inner[1]), let time = Int64(inner[2]) else {
            throw .refused(.validation("Invalid ShardIterator"))
        }
        let age = service.now.subtractingReportingOverflow(time)
        guard !age.overflow, age.partialValue < TableLimits.iteratorMilliseconds else {
            throw .refused(
                ItemError(
                    type: "ExpiredIteratorException",
                    message: "The shard iterator has expired. Shard iterators are valid for only 15 minutes"))
        }
        return (try await stream(inner[0]), max(0, number))
    }
}
