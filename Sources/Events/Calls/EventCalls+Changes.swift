import Access
import Cloud
import EventPatterns
import JSON

/// The operations that make and remove rules and buses. What the project says stays as it is.
extension EventCalls {
    private typealias Member = MemberShape.Member

    private static let bus = Member("EventBusName", .text(1...EventLimits.busCharactersMax))
    private static let name = Member("Name", .text(1...64, .resource), isRequired: true)
    private static let ruleName = Member("Rule", .text(1...64, .resource), isRequired: true)
    private static let busName = Member("Name", .text(1...256, .resourcePath), isRequired: true)
    private static let description = Member("Description", .text(0...512))
    private static let arn = MemberShape.text(1...1_600)
    private static let id = MemberShape.text(1...64, .resource)
    private static let deadLetters = Member("DeadLetterConfig", .object([Member("Arn", arn)]))
    private static let force = Member("Force", .boolean)
    private static let tags = Member(
        "Tags",
        .list(.object(tag), max: EventLimits.tagsMax))

    private static let target: [Member] =
        [
            Member("Id", id, isRequired: true), Member("Arn", arn, isRequired: true), Member("RoleArn", arn),
            Member("Input", .text(0...EventLimits.templateBytesMax)), Member("InputPath", .text(0...256)),
            Member(
                "InputTransformer",
                .object([
                    Member("InputPathsMap", .texts(keyMax: 256, valueMax: 256)),
                    Member("InputTemplate", .text(1...EventLimits.templateBytesMax), isRequired: true),
                ])),
            Member("SqsParameters", .object([Member("MessageGroupId", .text(0...128))])), deadLetters,
            Member(
                "RetryPolicy",
                .object([
                    Member("MaximumRetryAttempts", .integer(0...185)),
                    Member("MaximumEventAgeInSeconds", .integer(60...86_400)),
                ])),
        ] + MadeTarget.unserved.map { Member($0, .anything) }

    /// The rows of the service's table.
    var changes: [CloudOperation] {
        let (ofBus, ofRule) = (EventRights.bus, EventRights.rule)
        return [
            CloudOperation(
                "CreateEventBus",
                [
                    Self.busName, Self.description, Member("EventSourceName", .text(1...256)), Self.deadLetters,
                    Member("KmsKeyIdentifier", .text(0...2_048)), Member("LogConfig", .anything), Self.tags,
                ], rights: ofBus, of: createBus),
            CloudOperation("DeleteEventBus", [Self.busName], rights: ofBus, of: deleteBus),
            CloudOperation(
                "PutRule",
                [
                    Self.name, Member("ScheduleExpression", .text(0...256)),
                    Member("EventPattern", .text(0...EventLimits.patternBytesMax)),
                    Member(
                        "State", .choice(["ENABLED", "DISABLED", "ENABLED_WITH_ALL_CLOUDTRAIL_MANAGEMENT_EVENTS"])),
                    Self.description, Member("RoleArn", Self.arn), Self.tags, Self.bus,
                ], rights: ofRule, of: putRule),
            CloudOperation("DeleteRule", [Self.name, Self.bus, Self.force], rights: ofRule, of: deleteRule),
            CloudOperation("EnableRule", [Self.name, Self.bus], rights: ofRule) {
                (call: CloudCall) async throws(CloudError) in try await setState(call.input, MadeRule.enabled)
            },
            CloudOperation("DisableRule", [Self.name, Self.bus], rights: ofRule) {
                (call: CloudCall) async throws(CloudError) in try await setState(call.input, MadeRule.disabled)
            },
            CloudOperation(
                "PutTargets",
                [
                    Self.ruleName, Self.bus,
                    Member("Targets", .list(.object(Self.target), min: 1, max: 100), isRequired: true),
                ], rights: EventRights.targets, of: putTargets),
            CloudOperation(
                "RemoveTargets",
                [
                    Self.ruleName, Self.bus, Member("Ids", .list(Self.id, min: 1, max: 100), isRequired: true),
                    Self.force,
                ], rights: ofRule, of: removeTargets),
            CloudOperation(
                "ListRuleNamesByTarget", [Member("TargetArn", Self.arn, isRequired: true), Self.bus] + Self.page,
                of: ruleNames),
        ]
    }

    // MARK: Buses

    static let limit = CloudError(
        "LimitExceededException", "The requested resource exceeds the maximum number allowed.")

    static func noBus(_ name: String) -> CloudError {
        CloudError("ResourceNotFoundException", "Event bus \(name) does not exist.")
    }

    static func noRule(_ name: String, on bus: String) -> CloudError {
        CloudError("ResourceNotFoundException", "Rule \(name) does not exist on EventBus \(bus).")
    }

    private static func ofProject(_ what: String) -> CloudError {
        CloudError("ManagedRuleException", "\(what) is the project's. Change the project.")
    }

    private func createBus(_ input: CallInput) async throws(CloudError) -> JSONObject {
        let (name, description, now) = (input.demanded("Name"), input.given("Description"), events.clock())
        // Buses of partners alone have a slash.
        guard !name.utf8.contains(UInt8(ascii: "/")) else { throw .invalid("Event bus name must not contain '/'.") }
        let isOfProject = events.book.content.project[name] != nil
        try await change(name, tags: input.list("Tags") ?? []) { entry, counts throws(CloudError) in
            guard !isOfProject, entry == nil else {
                throw CloudError("ResourceAlreadyExistsException", "Event bus \(name) already exists.")
            }
            guard counts.buses < EventLimits.madeBusesMax else { throw Self.limit }
            var made = JSONObject([("Created", .integer(now))])
            if let description { made.set("Description", to: .string(description)) }
            entry = made
        }
        var answer = JSONObject([("EventBusArn", .string(events.arn("event-bus/\(name)")))])
        if let description { answer.set("Description", to: .string(description)) }
        return answer
    }

    private func deleteBus(_ input: CallInput) async throws(CloudError) -> JSONObject {
        let name = input.demanded("Name")
        guard name != Events.usualBus else { throw .invalid("Cannot delete event bus default.") }
        guard events.book.content.project[name] == nil else { throw Self.ofProject("Event bus \(name)") }
        // One that is not there is deleted.
        try await change(name) { entry, counts throws(CloudError) in
            guard counts.rulesOfBus == 0 else {
                throw .invalid("Event bus \(name) can't be deleted since it has rules.")
            }
            entry = nil
        }
        return JSONObject()
    }

    /// Changes a bus that a call has made, or a rule; nil removes it.
    private func change(
        _ bus: String, _ rule: String? = nil, tags: [JSONValue] = [],
        _ body: @escaping @Sendable (inout JSONObject?, MadeRuleStore.Counts) throws(CloudError) -> Void
    ) async throws(CloudError) {
        try await events.made.change(MadeRuleStore.Place(bus: bus, rule: rule), tags: tags, body)
        try await events.readMade()
    }

    // MARK: Rules

    private func putRule(_ input: CallInput) async throws(CloudError) -> JSONObject {
        let (name, bus) = (input.demanded("Name"), try self.bus(input))
        let (schedule, text) = (input.given("ScheduleExpression"), input.given("EventPattern"))
        guard schedule != nil || text != nil else {
            throw .invalid("Parameter(s) EventPattern or ScheduleExpression must be specified.")
        }
        let isDisabled = input.text("State") == MadeRule.disabled
        var rule = JSONObject([("State", .string(isDisabled ? MadeRule.disabled : MadeRule.enabled))])
        if let schedule {
            guard bus == Events.usualBus else {
                throw .invalid("ScheduleExpression is supported only on the default event bus.")
            }
            guard MadeRule.schedule(schedule) != nil else {
                throw .invalid("Parameter ScheduleExpression is not valid.")
            }
            rule.set("ScheduleExpression", to: .string(schedule))
        }
        if let text {
            let pattern = try await MatchingSteps.work { steps throws(CloudError) -> EventPattern in
                try CloudError.of { () throws(EventPatternError) in try steps.spend(text.utf8.count) }
                let written = try Self.parsed(input, "EventPattern")
                return try CloudError.of { () throws(EventPatternError) in try EventPattern(written) }
            }
            rule.set("EventPattern", to: .string(JSONWriter.text(of: pattern.source)))
        }
        for member in ["Description", "RoleArn"] {
            if let text = input.given(member) { rule.set(member, to: .string(text)) }
        }
        let isBusOfProject = events.book.content.project[bus] != nil
        try await change(name, on: bus, tags: input.list("Tags") ?? []) { [rule] entry, counts throws(CloudError) in
            // The bus may have gone while the pattern was read.
            guard isBusOfProject || counts.hasBus else { throw Self.noBus(bus) }
            guard entry != nil || counts.rules < EventLimits.madeRulesMax else { throw Self.limit }
            // A rule that is put again keeps its targets.
            let targets = entry?["Targets"]
            entry = rule
            if let targets { entry?.set("Targets", to: targets) }
        }
        return JSONObject([("RuleArn", .string(events.ruleARN(name, on: bus)))])
    }

    /// Changes a rule that a call has made, or makes one.
    private func change(
        _ name: String, on bus: String, tags: [JSONValue] = [],
        _ body: @escaping @Sendable (inout JSONObject?, MadeRuleStore.Counts) throws(CloudError) -> Void
    ) async throws(CloudError) {
        guard !events.book.content.isOfProject(name, on: bus) else { throw Self.ofProject("Rule \(name)") }
        try await change(bus, name, tags: tags, body)
    }

    /// Changes a rule that has to be there.
    private func change(
        _ name: String, of bus: String, _ body: @escaping @Sendable (inout JSONObject) throws(CloudError) -> Void
    ) async throws(CloudError) {
        try await change(name, on: bus) { entry, _ throws(CloudError) in
            guard var changed = entry else { throw Self.noRule(name, on: bus) }
            try body(&changed)
            entry = changed
        }
    }

    private func deleteRule(_ input: CallInput) async throws(CloudError) -> JSONObject {
        // One that is not there is deleted.
        try await change(input.demanded("Name"), on: try bus(input)) { entry, _ throws(CloudError) in
            guard entry?["Targets"]?.array?.isEmpty ?? true else {
                throw .invalid("Rule can't be deleted since it has targets.")
            }
            entry = nil
        }
        return JSONObject()
    }

    private func setState(_ input: CallInput, _ state: String) async throws(CloudError) -> JSONObject {
        try await change(input.demanded("Name"), of: try bus(input)) { rule throws(CloudError) in
            rule.set("State", to: .string(state))
        }
        return JSONObject()
    }

    // MARK: Targets

    private static let noFailures = JSONObject([("FailedEntryCount", 0), ("FailedEntries", [])])

    private func putTargets(_ input: CallInput) async throws(CloudError) -> JSONObject {
        let (name, bus) = (input.demanded("Rule"), try self.bus(input))
        let new = input.list("Targets") ?? []
        for value in new { _ = try MadeTarget(value.object ?? JSONObject(), of: events) }
        try await change(name, of: bus) { rule throws(CloudError) in
            var targets = rule["Targets"]?.array ?? []
            for target in new {
                // The same id is the same target.
                if let place = targets.firstIndex(where: { $0["Id"] == target["Id"] }) {
                    targets[place] = target
                } else {
                    targets.append(target)
                }
            }
            guard targets.count <= EventLimits.targetsMax else { throw Self.limit }
            rule.set("Targets", to: .array(targets))
        }
        return Self.noFailures
    }

    private func removeTargets(_ input: CallInput) async throws(CloudError) -> JSONObject {
        let ids = Set((input.texts("Ids") ?? []).map { ByteText($0) })
        try await change(input.demanded("Rule"), of: try bus(input)) { rule throws(CloudError) in
            let targets = (rule["Targets"]?.array ?? []).filter { !ids.contains(ByteText($0["Id"]?.string ?? "")) }
            rule.set("Targets", to: .array(targets))
        }
        return Self.noFailures
    }

    private func ruleNames(_ input: CallInput) throws(CloudError) -> JSONObject {
        let (bus, arn) = (try bus(input), ByteText(input.demanded("TargetArn")))
        let names = (events.rules[bus] ?? []).filter { rule in
            let own = madeRule(rule)?.targets.map(\.arn) ?? rule.targets.map(self.arn)
            return own.contains { ByteText($0) == arn }
        }
        return try page(names.map { ($0.name, JSONValue.string($0.name)) }, "RuleNames", input)
    }
}
