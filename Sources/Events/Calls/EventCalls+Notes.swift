import Access
import Cloud
import JSON

/// The operations on tags and on the policies of buses. Both are kept and told, and change nothing that is done here: the project says
/// who may do what.
extension EventCalls {
    private typealias Member = MemberShape.Member

    private static let resource = Member("ResourceARN", .text(1...1_600), isRequired: true)
    private static let bus = Member("EventBusName", .text(1...256, .resourcePath))
    static let tag: [MemberShape.Member] = [
        MemberShape.Member("Key", .text(1...128), isRequired: true),
        MemberShape.Member("Value", .text(0...256), isRequired: true),
    ]
    private static let condition = ["Type", "Key", "Value"]
    private static let principal = MemberPattern(#"(\d{12}|\*)"#) { text in
        text == "*" || (text.utf8.count == 12 && MemberPattern.digits.admits(text))
    }
    private static let action = MemberPattern("events:[a-zA-Z]+") { text in
        text.hasPrefix("events:")
            && text.utf8.dropFirst("events:".utf8.count).allSatisfy {
                (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
            }
    }
    private static let statement = MemberPattern("[a-zA-Z0-9-_]+", lettersAnd: "-_")

    /// The rows of the service's table.
    var notes: [CloudOperation] {
        [
            CloudOperation(
                "TagResource",
                [Self.resource, Member("Tags", .list(.object(Self.tag), max: EventLimits.tagsMax), isRequired: true)],
                rights: EventRights.tagged, of: tag),
            CloudOperation(
                "UntagResource",
                [
                    Self.resource,
                    Member("TagKeys", .list(.text(1...128), max: EventLimits.tagsMax), isRequired: true),
                ], rights: EventRights.tagged, of: untag),
            CloudOperation("ListTagsForResource", [Self.resource], rights: EventRights.tagged) {
                (input: CallInput) async throws(CloudError) in
                let note = try await events.made.note(on: try resource(input))
                return JSONObject([("Tags", note["Tags"] ?? [])])
            },
            CloudOperation(
                "PutPermission",
                [
                    Self.bus, Member("Action", .text(1...64, Self.action)),
                    Member("Principal", .text(1...12, Self.principal)),
                    Member("StatementId", .text(1...64, Self.statement)),
                    Member("Condition", .object(Self.condition.map { Member($0, .text(0...512), isRequired: true) })),
                    Member("Policy", .text(0...EventLimits.policyBytesMax)),
                ], rights: EventRights.policy, of: putPermission),
            CloudOperation(
                "RemovePermission",
                [
                    Self.bus, Member("StatementId", .text(1...64, Self.statement)),
                    Member("RemoveAllPermissions", .boolean),
                ], rights: EventRights.policy, of: removePermission),
        ]
    }

    // MARK: Tags

    /// The rule or the bus that an ARN names, without what an ARN has before it.
    private func resource(_ input: CallInput) throws(CloudError) -> String {
        let text = input.demanded("ResourceARN")
        guard let arn = ARN(text, of: EventRights.service), arn.region == events.region,
            arn.account == events.accountID, arn.parts.count == 1
        else { throw .invalid("Parameter ResourceARN is not valid. Reason: Provided Arn is not in correct format.") }
        if let bus = arn.name(behind: "event-bus/") {
            guard events.rules[bus] != nil else { throw Self.noBus(bus) }
        } else {
            let parts = (arn.name(behind: "rule/") ?? "").parts(separatedBy: "/")
            guard let name = parts.last, !name.isEmpty, parts.count <= 2 else {
                throw .invalid("Parameter ResourceARN is not valid. Reason: Provided Arn is not in correct format.")
            }
            let bus = parts.count == 2 ? parts[0] : Events.usualBus
            guard events.rules[bus]?.contains(where: { $0.name == name }) == true else {
                throw Self.noRule(name, on: bus)
            }
        }
        return arn.resource
    }

    private func tag(_ input: CallInput) async throws(CloudError) -> JSONObject {
        let new = input.list("Tags") ?? []
        try await events.made.changeNote(on: try resource(input)) { note throws(CloudError) in
            try Self.add(new, to: &note)
        }
        return JSONObject()
    }

    /// Adds tags; one whose key is there already takes the other's place.
    static func add(_ new: [JSONValue], to note: inout JSONObject) throws(CloudError) {
        var tags = note["Tags"]?.array ?? []
        for tag in new {
            if let place = tags.firstIndex(where: { $0["Key"] == tag["Key"] }) {
                tags[place] = tag
            } else {
                tags.append(tag)
            }
        }
        guard tags.count <= EventLimits.tagsMax else { throw limit }
        note.set("Tags", to: .array(tags))
    }

    private func untag(_ input: CallInput) async throws(CloudError) -> JSONObject {
        let keys = Set((input.texts("TagKeys") ?? []).map { ByteText($0) })
        try await events.made.changeNote(on: try resource(input)) { note throws(CloudError) in
            let rest = (note["Tags"]?.array ?? []).filter { !keys.contains(ByteText($0["Key"]?.string ?? "")) }
            if rest.isEmpty { note.remove("Tags") } else { note.set("Tags", to: .array(rest)) }
        }
        return JSONObject()
    }

    // MARK: Policies

    private static let tooLong = CloudError("PolicyLengthExceededException", "The policy of the event bus is too long.")

    private func putPermission(_ input: CallInput) async throws(CloudError) -> JSONObject {
        let bus = try self.bus(input)
        let resource = "event-bus/\(bus)"
        var whole: JSONObject?
        var statement: JSONValue = .null
        if let text = input.given("Policy") {
            let limits = JSONLimits(bytesMax: EventLimits.policyBytesMax, nestingMax: EventLimits.nestingMax)
            whole = (try? JSONReader.value(of: Array(text.utf8), limits: limits))?.object
            guard whole != nil else { throw .invalid("Parameter Policy is not valid.") }
        } else {
            guard let action = input.text("Action"), let principal = input.text("Principal"),
                let id = input.text("StatementId")
            else { throw .invalid("Parameter(s) Action, Principal and StatementId, or Policy must be specified.") }
            let account: JSONValue = [
                "AWS": .string(ARN("iam", region: "", account: principal, "root").description)
            ]
            var made = JSONObject([
                ("Sid", .string(id)), ("Effect", "Allow"), ("Principal", principal == "*" ? "*" : account),
                ("Action", .string(action)), ("Resource", .string(events.arn(resource))),
            ])
            if let condition = input.object("Condition") {
                let texts = Self.condition.map { condition[$0]?.string ?? "" }
                let test = JSONObject([(texts[1], .string(texts[2]))])
                made.set("Condition", to: .object(JSONObject([(texts[0], .object(test))])))
            }
            statement = .object(made)
        }
        try await events.made.changeNote(on: resource) { [whole, statement] note throws(CloudError) in
            var policy = whole ?? note["Policy"]?.object ?? JSONObject([("Version", "2012-10-17")])
            if whole == nil {
                // The same id is the same statement.
                let others = (policy["Statement"]?.array ?? []).filter { $0["Sid"] != statement["Sid"] }
                policy.set("Statement", to: .array(others + [statement]))
            }
            guard JSONWriter.bytes(of: .object(policy)).count <= EventLimits.policyBytesMax else { throw Self.tooLong }
            note.set("Policy", to: .object(policy))
        }
        return JSONObject()
    }

    private func removePermission(_ input: CallInput) async throws(CloudError) -> JSONObject {
        let (bus, removesAll) = (try self.bus(input), input.flag("RemoveAllPermissions") == true)
        let id = input.text("StatementId")
        try await events.made.changeNote(on: "event-bus/\(bus)") { note throws(CloudError) in
            guard !removesAll else {
                guard note["Policy"] != nil else {
                    throw CloudError("ResourceNotFoundException", "EventBus does not have a policy.")
                }
                note.remove("Policy")
                return
            }
            var policy = note["Policy"]?.object ?? JSONObject()
            let statements = policy["Statement"]?.array ?? []
            let rest = statements.filter { $0["Sid"]?.string != id }
            guard id != nil, rest.count < statements.count else {
                throw CloudError("ResourceNotFoundException", "Statement with the provided id does not exist.")
            }
            policy.set("Statement", to: .array(rest))
            if rest.isEmpty { note.remove("Policy") } else { note.set("Policy", to: .object(policy)) }
        }
        return JSONObject()
    }
}
