import Script

/// What a run of a project's programs finds out about queues: those that `new Queue(...)` makes, and what is made of them.
final class MessagingRun {
    private(set) var queues: [QueueResource] = []
    /// What stands for a queue, and for its ARN.
    private var objects: [(object: ScriptObject, queue: String)] = []
    private static let countMax = 1_000
    /// What the values of a queue are called that are known only when the server runs: `queues/NAME.queueUrl`.
    static let origin = "queues/"

    func forgetObjects() { objects = [] }

    /// Whether `new X(...)` makes something that is served.
    func takes(_ made: OpaqueObject, of kind: OpaqueObject, _ arguments: [ProgramValue]) -> Bool {
        guard kind.origin.split(separator: ".").last == "Queue", kind.module?.address.hasSuffix("aws-sqs") == true,
            queues.count < Self.countMax
        else { return false }
        var options: ScriptObject?
        if arguments.count > 2, case .object(let object) = arguments[2], !object.isOpaque { options = object }
        let isOrdered = options.flatMap { Self.flag("fifo", $0) } ?? false
        var given = options.flatMap { Self.text("queueName", $0) }
        if given == nil, arguments.count > 1, case .text(let id) = arguments[1] { given = id.string }
        let base = QueueResource.name(
            given ?? "Queue", isOrdered: isOrdered || given?.hasSuffix(QueueResource.orderedEnding) == true)
        var queue = QueueResource(unused(base))
        if let options {
            queue.visibilitySeconds = Self.seconds("visibilityTimeout", options)
            queue.delaySeconds = Self.seconds("deliveryDelay", options)
            queue.retentionSeconds = Self.seconds("retentionPeriod", options)
            queue.waitSeconds = Self.seconds("receiveMessageWaitTime", options)
            queue.messageBytesMax = Self.whole("maxMessageSizeBytes", options)
            queue.namesByContent = Self.flag("contentBasedDeduplication", options)
            if case .object(let scope)? = try? options.get("deduplicationScope"), let scope = scope as? OpaqueObject {
                queue.deduplicationScope = scope.origin.hasSuffix("MESSAGE_GROUP") ? "messageGroup" : nil
            }
            if case .object(let dead)? = try? options.get("deadLetterQueue"), !dead.isOpaque,
                case .object(let target)? = try? dead.get("queue")
            {
                queue.deadLetterQueue = self.queue(target)
                queue.receivesMax = Self.whole("maxReceiveCount", dead)
            }
        }
        queues.append(queue)
        objects.append((made, queue.name))
        let realm = made.realm
        made.put("queueName", realm.value(queue.name))
        for value in ["queueUrl", "queueArn"] {
            let object = OpaqueObject(realm, origin: "\(Self.origin)\(queue.name).\(value)")
            if value == "queueArn" { objects.append((object, queue.name)) }
            made.put(value, .object(object))
        }
        return true
    }

    /// Stacks may each have one of the same name.
    private func unused(_ name: String) -> String {
        guard queues.contains(where: { $0.name == name }) else { return name }
        let ending = name.hasSuffix(QueueResource.orderedEnding) ? QueueResource.orderedEnding : ""
        let bare = name.dropLast(ending.count)
        var number = 2
        while queues.contains(where: { $0.name == "\(bare)-\(number)\(ending)" }) { number += 1 }
        return "\(bare)-\(number)\(ending)"
    }

    /// The name of the queue that something stands for, or whose ARN it is.
    func queue(_ object: ScriptObject) -> String? { objects.first { $0.object === object }?.queue }

    /// `new SqsEventSource(queue, {...})`, or the options of an event source mapping.
    func subscription(_ queue: ProgramValue?, _ options: ProgramValue?) -> QueueSubscription? {
        guard case .object(let object)? = queue, let name = self.queue(object) else { return nil }
        var subscription = QueueSubscription(name)
        guard case .object(let options)? = options, !options.isOpaque else { return subscription }
        subscription.batch = Self.whole("batchSize", options)
        subscription.tellsFailures = Self.flag("reportBatchItemFailures", options) ?? false
        subscription.callsAtOnce = Self.whole("maxConcurrency", options)
        return subscription
    }

    // MARK: Options

    private static func text(_ name: String, _ options: ScriptObject) -> String? {
        if case .text(let text)? = try? options.get(name) { text.string } else { nil }
    }

    private static func flag(_ name: String, _ options: ScriptObject) -> Bool? {
        if case .boolean(let flag)? = try? options.get(name) { flag } else { nil }
    }

    private static func whole(_ name: String, _ options: ScriptObject) -> Int? {
        if case .number(let number)? = try? options.get(name) { Int(exactly: number) } else { nil }
    }

    private static let units = [("seconds", 1.0), ("minutes", 60), ("hours", 3_600), ("days", 86_400)]

    /// `Duration.minutes(5)`
    private static func seconds(_ name: String, _ options: ScriptObject) -> Int? {
        guard case .object(let object)? = try? options.get(name), let duration = object as? OpaqueObject,
            case .call(let given) = duration.making, case .number(let amount)? = given.first,
            let unit = units.first(where: { duration.origin.hasSuffix("Duration.\($0.0)()") })
        else { return nil }
        return Int(exactly: amount * unit.1)
    }
}
