import Blueprint
import GraphQL
import JSON
import Project
import Script

/// What a run of a project's programs finds out about queues: those that `new Queue(...)` makes, and what is made of them.
final class MessagingRun {
    private(set) var queues: [QueueResource] = []
    private(set) var buses: [String] = []
    private(set) var topics: [TopicResource] = []
    private(set) var rules: [RuleResource] = []
    private var busObjects: [(object: ScriptObject, name: String)] = []
    /// The resources under queues and rules.
    private var queueParts: [(place: Int, part: ResourcePart)] = []
    private var ruleParts: [(place: Int, part: ResourcePart)] = []
    /// What stands for a queue, and for its ARN.
    private var objects: [(object: ScriptObject, queue: String)] = []
    private static let countMax = 1_000
    /// What the values of a queue are called that are known only when the server runs: `queues/NAME.queueUrl`.
    static let origin = "queues/"

    func forgetObjects() {
        objects = []
        busObjects = []
        (queueParts, ruleParts) = ([], [])
    }

    /// What queues and rules come to when the program has ended, by the resources under them.
    func settle(_ signIn: SignInRun) {
        for (place, part) in queueParts where queues.indices.contains(place) {
            func set(_ name: String, _ field: WritableKeyPath<QueueResource, Int?>) {
                guard let value = part.value(name) else { return }
                if let number = part.whole(name), number >= 0 {
                    queues[place][keyPath: field] = number
                } else if !value.isNullish {
                    signIn.assignments.warn(
                        "`\(part.object.origin).\(name)` cannot be read, so it does not hold here",
                        at: signIn.assignments.position(of: part.object, name))
                }
            }
            set("visibilityTimeout", \.visibilitySeconds)
            set("delaySeconds", \.delaySeconds)
            set("messageRetentionPeriod", \.retentionSeconds)
            set("receiveMessageWaitTimeSeconds", \.waitSeconds)
            set("maximumMessageSize", \.messageBytesMax)
        }
        for (place, part) in ruleParts where rules.indices.contains(place) {
            guard let state = part.value("state") else { continue }
            if let isOn = Timer.isOn(state) {
                rules[place].isEnabled = isOn
            } else {
                rules[place].isEnabled = false
                signIn.assignments.warn(
                    "whether `\(part.object.origin)` is on is known only when the app is deployed, so it tells nobody here",
                    at: signIn.assignments.position(of: part.object, "state"))
            }
        }
    }

    /// Returns whether `new X(...)` makes something that is served.
    func takes(_ construct: NewConstruct, _ signIn: SignInRun) -> Bool {
        switch construct.name {
        case "Queue" where construct.module.hasSuffix("aws-sqs"): return take(queue: construct, signIn)
        case "EventBus" where construct.module.hasSuffix("aws-events"): return take(bus: construct)
        case "Rule" where construct.module.hasSuffix("aws-events"): return take(rule: construct, signIn)
        case "Topic" where construct.module.hasSuffix("aws-sns"): return take(topic: construct)
        default: return false
        }
    }

    /// `new Queue(scope, id, { queueName, fifo, visibilityTimeout, … })`
    private func take(queue construct: NewConstruct, _ signIn: SignInRun) -> Bool {
        guard queues.count < Self.countMax else { return false }
        let (made, options) = (construct.made, construct.options)
        let given = construct.givenName("queueName") ?? "Queue"
        let isOrdered = options?.value("fifo").flag == true || given.hasSuffix(QueueResource.orderedEnding)
        let name = QueueResource.name(given, isOrdered: isOrdered)
        var queue = QueueResource(
            ResourceName.unused(
                name, before: isOrdered ? QueueResource.orderedEnding : "", among: queues.map(\.name)))
        if let options {
            queue.visibilitySeconds = Self.seconds("visibilityTimeout", options)
            queue.delaySeconds = Self.seconds("deliveryDelay", options)
            queue.retentionSeconds = Self.seconds("retentionPeriod", options)
            queue.waitSeconds = Self.seconds("receiveMessageWaitTime", options)
            queue.messageBytesMax = options.value("maxMessageSizeBytes").whole
            queue.namesByContent = options.value("contentBasedDeduplication").flag
            if case .object(let scope)? = try? options.get("deduplicationScope"), let scope = scope as? OpaqueObject {
                queue.deduplicationScope = scope.origin.hasSuffix("MESSAGE_GROUP") ? "messageGroup" : nil
            }
            if case .object(let dead)? = try? options.get("deadLetterQueue"), !dead.isOpaque,
                case .object(let target)? = try? dead.get("queue")
            {
                queue.deadLetterQueue = self.queue(target)
                queue.receivesMax = dead.value("maxReceiveCount").whole
            }
        }
        queueParts.append((queues.count, signIn.parts.part(of: made, "\(made.origin).CfnQueue()")))
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

    /// The name of a bus that is given as itself, or by its name; nil: it is the account's own.
    func bus(_ value: ProgramValue) -> String? {
        guard case .object(let object) = value else { return nil }
        if let name = busObjects.first(where: { $0.object === object })?.name { return name }
        let origin = (object as? OpaqueObject)?.origin ?? ""
        return busObjects.first { origin == "\(($0.object as? OpaqueObject)?.origin ?? "").eventBusArn" }?.name
    }

    private func take(bus construct: NewConstruct) -> Bool {
        guard buses.count < Self.countMax else { return false }
        let name = construct.givenName("eventBusName") ?? "EventBus"
        if !buses.contains(name) { buses.append(name) }
        busObjects.append((construct.made, name))
        construct.made.put("eventBusName", construct.made.realm.value(name))
        return true
    }

    /// `new Topic(scope, id, { topicName })`. Its ARN is that of its name.
    private func take(topic construct: NewConstruct) -> Bool {
        guard topics.count < Self.countMax else { return false }
        let made = construct.made
        let known = TopicResource.name(construct.givenName("topicName") ?? "Topic")
        let place = topics.firstIndex { $0.name.utf8.elementsEqual(known.utf8) } ?? topics.count
        if place == topics.count { topics.append(TopicResource(known)) }
        made.put("topicName", made.realm.value(known))
        made.put(
            "addSubscription",
            .object(
                made.realm.function("addSubscription", length: 1) { call throws(Thrown) in
                    // `new LambdaSubscription(fn, { filterPolicy })`
                    let run = try ProgramRun.of(call.realm)
                    if let signIn = run.signIn, let function = signIn.functions.target(call[0]),
                        let name = function.reference.givenName ?? function.key
                    {
                        let subscription = TopicSubscriptionReading(call[0])
                        signIn.messaging.topics[place].followers.append(
                            TopicResource.Follower(name, filter: subscription.filter))
                        for option in subscription.unread {
                            signIn.note(
                                "\(option) of \(name) for the topic \(known)",
                                at: run.files.position(call.realm.callPlace))
                        }
                    }
                    return .object(OpaqueObject(call.realm, origin: "topic.addSubscription()"))
                }))
        return true
    }

    /// `new Rule(scope, id, { eventPattern, eventBus, targets })`
    private func take(rule construct: NewConstruct, _ signIn: SignInRun) -> Bool {
        guard rules.count < Self.countMax, let options = construct.options,
            let written = try? options.get("eventPattern")
        else { return false }
        let made = construct.made
        // A rule may get all of its pattern by `addEventPattern`.
        var pattern = JSONObject()
        if !written.isUndefined {
            guard case .object = written, let object = Self.json(written)?.object else { return false }
            pattern = object
        }
        let name = ResourceName.unused(construct.givenName("ruleName") ?? "Rule", among: rules.map(\.name))
        var rule = RuleResource(name, pattern: Self.template(pattern))
        rule.isEnabled = Timer.isOn((try? options.get("enabled")) ?? .undefined) ?? false
        if case .object(let bus)? = try? options.get("eventBus") {
            rule.bus = busObjects.first { $0.object === bus }?.name
        }
        if case .object(let list)? = try? options.get("targets"), let list = list as? ScriptArray {
            rule.targets = ((try? list.values()) ?? []).compactMap { target($0, signIn) }
        }
        let place = rules.count
        rules.append(rule)
        ruleParts.append((place, signIn.parts.part(of: made, "\(made.origin).CfnRule()")))
        made.put(
            "addEventPattern",
            .object(
                made.realm.function("addEventPattern", length: 1) { call throws(Thrown) in
                    let run = try ProgramRun.of(call.realm)
                    let position = run.files.position(call.realm.callPlace)
                    if let signIn = run.signIn { signIn.messaging.add(call[0], toRule: place, at: position, signIn) }
                    return .undefined
                }))
        made.put(
            "addTarget",
            .object(
                made.realm.function("addTarget", length: 1) { call throws(Thrown) in
                    let run = try ProgramRun.of(call.realm)
                    if let signIn = run.signIn, let target = signIn.messaging.target(call[0], signIn) {
                        signIn.messaging.rules[place].targets.append(target)
                    }
                    return .undefined
                }))
        return true
    }

    /// The CDK writes one member in its own way.
    private static func template(_ pattern: JSONObject) -> JSONObject {
        JSONObject(pattern.members.map { ($0.key == "detailType" ? "detail-type" : $0.key, $0.value) })
    }

    /// `rule.addEventPattern({...})`: lists of both are one behind the other. What cannot be read would let too much through, so that the
    /// rule is off.
    private func add(_ pattern: ProgramValue, toRule place: Int, at position: Position, _ signIn: SignInRun) {
        guard case .object = pattern, let added = Self.json(pattern)?.object,
            let merged = Self.merged(.object(rules[place].pattern), .object(Self.template(added)))?.object
        else {
            rules[place].isEnabled = false
            return signIn.assignments.warn(
                "the pattern that is added to the rule \(rules[place].name) cannot be read, so the rule tells nobody here",
                at: position)
        }
        rules[place].pattern = merged
    }

    private static func merged(_ first: JSONValue, _ second: JSONValue) -> JSONValue? {
        switch (first, second) {
        case (.object(var object), .object(let other)):
            for member in other.members {
                let both = object[member.key].map { merged($0, member.value) } ?? member.value
                guard let both else { return nil }
                object.set(member.key, to: both)
            }
            return .object(object)
        case (.array(let list), .array(let other)): return .array(list + other)
        default: return nil
        }
    }

    /// `new LambdaFunction(fn)`, `new SqsQueue(queue, { messageGroupId })`, `new SfnStateMachine(machine, { input })`
    private func target(_ value: ProgramValue, _ signIn: SignInRun) -> RuleResource.Target? {
        guard case .object(let object) = value, let opaque = object as? OpaqueObject,
            case .call(let given) = opaque.making, case .object(let first)? = given.first
        else { return nil }
        var target = RuleResource.Target()
        if let function = signIn.functions.target(value) {
            target.function = function.reference.givenName ?? function.key
        } else if let queue = queue(first) {
            target.queue = queue
        } else if let machine = given.first.flatMap(signIn.workflows.name(of:)) {
            target.stateMachine = machine
        } else {
            return nil
        }
        guard given.count > 1, case .object(let options) = given[1], !options.isOpaque else { return target }
        target.group = options.text("messageGroupId")
        let input = Self.input(ofTarget: given[1])
        (target.input, target.inputPath) = (input?.text, input?.path)
        return target
    }

    /// What the options of a target say of what it is told: all of it, as JSON, or a part of the event.
    static func input(ofTarget options: ProgramValue?) -> (text: String?, path: String?)? {
        guard case .object(let options)? = options, !options.isOpaque else { return nil }
        for name in ["event", "message", "input"] {
            guard case .object(let input)? = try? options.get(name), let input = input as? OpaqueObject,
                case .call(let told) = input.making, let told = told.first
            else { continue }
            if input.origin.hasSuffix("fromEventPath()"), case .text(let path) = told { return (nil, path.string) }
            if input.origin.hasSuffix("fromObject()") || input.origin.hasSuffix("fromText()") {
                return (json(told).map { JSONWriter.text(of: $0) }, nil)
            }
        }
        return nil
    }

    /// What a value says where all of it is known.
    static func json(_ value: ProgramValue) -> JSONValue? {
        var reader = OutputValue(firstNumber: 0)
        guard let json = try? reader.json(value, ""), reader.deployed.isEmpty else { return nil }
        return json
    }

    /// The name of the queue that something stands for, or whose ARN it is.
    func queue(_ object: ScriptObject) -> String? { objects.first { $0.object === object }?.queue }

    /// `new SqsEventSource(queue, {...})`, or the options of an event source mapping.
    func subscription(_ queue: ProgramValue?, _ options: ProgramValue?) -> QueueSubscription? {
        guard case .object(let object)? = queue, let name = self.queue(object) else { return nil }
        var subscription = QueueSubscription(name)
        guard case .object(let options)? = options, !options.isOpaque else { return subscription }
        subscription.batch = options.value("batchSize").whole
        subscription.tellsFailures = options.value("reportBatchItemFailures").flag ?? false
        subscription.callsAtOnce = options.value("maxConcurrency").whole
        return subscription
    }

    // MARK: Options

    /// `Duration.minutes(5)`
    private static func seconds(_ name: String, _ options: ScriptObject) -> Int? {
        (try? options.get(name)).flatMap(CDKDuration.seconds)
    }
}
