import Blueprint
import JSON
import Project
import Queues

/// The queues of a project, as the configuration would say them. A number that no queue can have is left out.
enum ProjectQueue {
    static func configured(_ queue: QueueResource) -> JSONValue {
        var setting = JSONObject()
        func set(_ name: String, _ number: Int?, _ range: ClosedRange<Int>) {
            if let number, range.contains(number) { setting.set(name, to: .integer(Int64(number))) }
        }
        set("visibilityTimeout", queue.visibilitySeconds, 0...43_200)
        set("delay", queue.delaySeconds, 0...900)
        set("retention", queue.retentionSeconds, 60...1_209_600)
        set("receiveWait", queue.waitSeconds, 0...20)
        set("messageBytes", queue.messageBytesMax, 1_024...1_048_576)
        if let dead = queue.deadLetterQueue {
            setting.set("deadLetterQueue", to: .string(dead))
            set("maxReceiveCount", queue.receivesMax, 1...1_000)
        }
        if queue.name.hasSuffix(QueueSetting.orderedEnding) {
            if let flag = queue.namesByContent { setting.set("contentBasedDeduplication", to: .bool(flag)) }
            if let scope = queue.deduplicationScope { setting.set("deduplicationScope", to: .string(scope)) }
        }
        return .object(setting)
    }

    static func configured(_ subscription: QueueSubscription) -> JSONValue {
        var setting = JSONObject([("queue", .string(subscription.queue))])
        if let batch = subscription.batch, QueueLimits.batches.contains(batch) {
            setting.set("batch", to: .integer(Int64(batch)))
        }
        if subscription.tellsFailures { setting.set("reportBatchItemFailures", to: true) }
        if let calls = subscription.callsAtOnce {
            let range = QueueLimits.callsAtOnceRange
            setting.set("concurrency", to: .integer(Int64(min(max(calls, range.lowerBound), range.upperBound))))
        }
        return .object(setting)
    }
}
