import JSON
import PostgresSupport
import TestSupport
import Testing

@testable import Queues

/// The same calls over a file and over a server.
@Suite(
    "Queues over both databases", .enabled(if: PostgresServer.isInstalled, PostgresServer.absence), .serialized)
struct QueueDifferenceTests {
    /// The same queues over both, with the handles that each has given for the same messages.
    private struct Pair {
        let both: [TestQueues]
        var handles: [[String]] = []

        init() throws { both = [try TestQueues(at: .memory), try TestQueues(at: TestDatabase.server())] }

        /// The names of what each makes up by itself.
        private static let own: Set<String> = ["MessageId", "ReceiptHandle", "SequenceNumber"]

        private static func shown(_ value: JSONValue) -> JSONValue {
            if let array = value.array { return .array(array.map(shown)) }
            guard let object = value.object else { return value }
            var shown = JSONObject()
            for one in object { shown.set(one.key, to: own.contains(one.key) ? "…" : Self.shown(one.value)) }
            return .object(shown)
        }

        /// What both answer to a call, whose input may name one of the handles.
        mutating func answers(
            _ operation: String, _ queue: String, _ input: JSONValue, handle: Int? = nil
        ) async -> [String] {
            var (texts, received) = ([String](), [[String]]())
            for (place, queues) in both.enumerated() {
                var input = input
                if let handle, var object = input.object {
                    object.set("ReceiptHandle", to: .string(handles[handle][place]))
                    input = .object(object)
                }
                do throws(QueueError) {
                    let answer = try await queues.call(operation, queue, input)
                    received.append((answer["Messages"]?.array ?? []).compactMap { $0["ReceiptHandle"]?.string })
                    texts.append(JSONWriter.text(of: Self.shown(.object(answer))))
                } catch {
                    texts.append("\(error)")
                }
            }
            if received.count == 2, received[0].count == received[1].count {
                handles += zip(received[0], received[1]).map { [$0, $1] }
            }
            return texts
        }
    }

    private static func message(_ number: Int, isOrdered: Bool, _ random: inout SeededRandom) -> JSONObject {
        var message = JSONObject([("MessageBody", .string("m\(number) é😀"))])
        if isOrdered {
            message.set("MessageGroupId", to: .string("g\(Int.random(in: 0..<3, using: &random))"))
            // Some are repetitions.
            message.set(
                "MessageDeduplicationId", to: .string("d\(max(0, number - Int.random(in: 0...2, using: &random)))"))
        } else if Bool.random(using: &random) {
            message.set("DelaySeconds", to: .integer(Int64.random(in: 0...5, using: &random)))
        }
        if Int.random(in: 0..<4, using: &random) == 0 {
            message.set("MessageAttributes", to: ["a": ["DataType": "Number", "StringValue": .string("\(number).5")]])
        }
        return message
    }

    @Test("random calls are answered alike, in order, with their refusals", arguments: [false, true])
    func sequences(isOrdered: Bool) async throws {
        var random = SeededRandom(test: "QueueDifferenceTests")
        let (name, dead) = isOrdered ? ("q.fifo", "dead.fifo") : ("q", "dead")
        var pair = try Pair()
        let policy = #"{"deadLetterTargetArn":"arn:aws:sqs:us-east-1:123456789012:\#(dead)","maxReceiveCount":3}"#
        for queues in pair.both {
            try await queues.make(dead, isOrdered ? ["FifoQueue": "true"] : [:])
            try await queues.make(
                name,
                isOrdered
                    ? ["FifoQueue": "true", "RedrivePolicy": .string(policy)] : ["RedrivePolicy": .string(policy)])
        }
        // Each is a call of two databases: fewer than of what looks at a text.
        for step in 0..<max(1, Fuzz.rounds(ordinarily: 4_000) / 20) {
            var call: (operation: String, queue: String, input: JSONValue) = ("ReceiveMessage", name, [:])
            var handle: Int?
            switch Int.random(in: 0..<12, using: &random) {
            case 0...2:
                call = ("SendMessage", name, .object(Self.message(step, isOrdered: isOrdered, &random)))
            case 3:
                let entries = (0..<Int.random(in: 0...4, using: &random)).map { number in
                    var message = Self.message(1_000 + 10 * step + number, isOrdered: isOrdered, &random)
                    message.set("Id", to: .string("\(number)"))
                    return JSONValue.object(message)
                }
                call = ("SendMessageBatch", name, ["Entries": .array(entries)])
            case 4...6:
                call.input = [
                    "MaxNumberOfMessages": .integer(Int64.random(in: 1...4, using: &random)),
                    "VisibilityTimeout": .integer(Int64.random(in: 0...20, using: &random)),
                    "AttributeNames": ["ApproximateReceiveCount", "SentTimestamp", "ApproximateFirstReceiveTimestamp"],
                ]
                if Int.random(in: 0..<4, using: &random) == 0 { call.queue = dead }
            case 7, 8:
                handle = pair.handles.indices.randomElement(using: &random)
                call = ("DeleteMessage", name, [:])
            case 9:
                handle = pair.handles.indices.randomElement(using: &random)
                call = (
                    "ChangeMessageVisibility", name,
                    ["VisibilityTimeout": .integer(Int64.random(in: 0...30, using: &random))]
                )
            case 10:
                call = ("GetQueueAttributes", Bool.random(using: &random) ? name : dead, ["AttributeNames": ["All"]])
            default:
                let seconds = Int64.random(in: 1...15, using: &random)
                for queues in pair.both { queues.advance(seconds: seconds) }
                continue
            }
            let answers = await pair.answers(call.operation, call.queue, call.input, handle: handle)
            #expect(answers[0] == answers[1], "step \(step): \(call)")
            if answers[0] != answers[1] { return }
        }
    }
}
