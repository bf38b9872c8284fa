import JSON
import Queues

extension ConfigurationKey {
    /// The app's queues.
    static let queues: [ConfigurationKey] = [
        ConfigurationKey(
            "queues",
            .map(
                .object([
                    ConfigurationField(
                        "visibilityTimeout", .integer(0...43_200),
                        "For how many seconds a message that was received is nobody else's (30)."),
                    ConfigurationField(
                        "delay", .integer(0...900), "After how many seconds a message can be received (0)."),
                    ConfigurationField(
                        "retention", .integer(60...1_209_600), "For how many seconds a message is kept (345600)."),
                    ConfigurationField(
                        "receiveWait", .integer(0...20), "How many seconds who receives waits where there is none (0)."),
                    ConfigurationField(
                        "messageBytes", .integer(1_024...1_048_576), "How long a message may be (1048576)."),
                    ConfigurationField(
                        "deadLetterQueue", .text, "The queue for messages that were received too often."),
                    ConfigurationField(
                        "maxReceiveCount", .integer(1...1_000),
                        "How often a message is received before it goes there (3)."),
                    ConfigurationField(
                        "contentBasedDeduplication", .boolean,
                        "Of a queue whose name ends in `.fifo`: whether messages of the same text are the same."),
                    ConfigurationField(
                        "deduplicationScope", .choice(["queue", "messageGroup"]),
                        "Of such a queue: whether that holds in all of it, or in each group (`queue`)."),
                ])), \.queues,
            "The queues that the app has, as SQS answers for them; with those of the project. They can also be made by a call."
        )
    ]

    static let queueSource = [
        ConfigurationField("queue", .text, isRequired: true, "The queue."),
        ConfigurationField(
            "batch", range(QueueLimits.batches),
            "How many messages it is told of at once at the most (10; of a queue in order 10 at the most)."),
        ConfigurationField(
            "reportBatchItemFailures", .boolean,
            "Whether its answer names the messages that it did not take; else it takes all or none."),
        ConfigurationField(
            "concurrency", range(QueueLimits.callsAtOnceRange), "How many of its calls there are at the same time (5)."),
    ]
}
