import JSON
import Store

/// A queue as the database has it.
struct StoredQueue: Sendable {
    let number: Int64
    let name: String
    var settings: QueueSettings
    var tags: JSONObject
    let created: Int64
    let changed: Int64
    /// How many messages it has.
    var messages: Int64

    init(_ row: borrowing Row) {
        number = row.integer(0)
        name = row.text(1)
        settings = QueueSettings(stored: row.text(2))
        tags = (try? JSONReader.value(of: row.text(3)))?.object ?? JSONObject()
        created = row.integer(4)
        changed = row.integer(5)
        messages = row.integer(6)
    }
}

/// A message that was received.
package struct QueuedMessage: Sendable {
    let number: Int64
    let queue: Int64
    package let id: String
    package let body: String
    /// Its attributes as JSON, as the call had them.
    let attributes: JSONObject?
    let trace: String?
    let sender: String
    let sent: Int64
    /// How often it was received, this time included.
    let received: Int64
    let receipt: Int64
    var first: Int64
    let group: String?
    let deduplication: String?
    /// The queue that it was a dead letter of.
    let source: String?
    let bytes: Int64
    /// How often it was received in the queues that it was a dead letter of.
    let earlier: Int64
    /// The group that it was given in a queue without order.
    let label: String?

    /// How many columns of a row say what it is.
    static let columnCount = 16

    init(_ row: borrowing Row, of queue: Int64, now: Int64) {
        self.queue = queue
        number = row.integer(0)
        id = row.text(1)
        body = row.text(2)
        attributes = row.isNull(3) ? nil : (try? JSONReader.value(of: row.text(3)))?.object
        trace = row.isNull(4) ? nil : row.text(4)
        sender = row.text(5)
        sent = row.integer(6)
        received = row.integer(7) + 1
        receipt = row.integer(8) + 1
        first = row.isNull(9) ? now : row.integer(9)
        group = row.isNull(10) ? nil : row.text(10)
        deduplication = row.isNull(11) ? nil : row.text(11)
        source = row.isNull(12) ? nil : row.text(12)
        bytes = row.integer(13)
        earlier = row.integer(14)
        label = row.isNull(15) ? nil : row.text(15)
    }

    var handle: ReceiptHandle { ReceiptHandle(queue: queue, number: number, receipt: receipt) }

    static func sequence(of number: Int64) -> String { "\(sequenceStart + UInt64(max(0, number)))" }

    /// Texts of the same length, in their order.
    private static let sequenceStart: UInt64 = 10_000_000_000_000_000_000

    /// The attributes that the service adds.
    var systemAttributes: JSONObject {
        var all = JSONObject([
            ("ApproximateReceiveCount", .string("\(received + earlier)")), ("SentTimestamp", .string("\(sent)")),
            ("SenderId", .string(sender)), ("ApproximateFirstReceiveTimestamp", .string("\(first)")),
        ])
        if let group = group ?? label { all.set("MessageGroupId", to: .string(group)) }
        if let deduplication {
            all.set("MessageDeduplicationId", to: .string(deduplication))
            all.set("SequenceNumber", to: .string(Self.sequence(of: number)))
        }
        if let trace { all.set("AWSTraceHeader", to: .string(trace)) }
        if let source { all.set("DeadLetterQueueSourceArn", to: .string(source)) }
        return all
    }
}
