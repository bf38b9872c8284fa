import Cloud
import JSON

/// Statements of a topic's policy by their labels. A policy is kept and shown; it gives nobody anything here.
extension NoticeService {
    private static let actions = [
        "GetTopicAttributes", "SetTopicAttributes", "AddPermission", "RemovePermission", "DeleteTopic", "Subscribe",
        "ListSubscriptionsByTopic", "Publish",
    ]

    /// The policy of a topic whose maker says nothing else.
    func usualPolicy(of topic: String) -> String {
        let statement: JSONValue = [
            "Sid": "__default_statement_ID", "Effect": "Allow", "Principal": ["AWS": "*"],
            "Action": .array(Self.actions.map { .string("SNS:\($0)") }), "Resource": .string(arn(of: topic)),
            "Condition": ["StringEquals": ["AWS:SourceOwner": .string(outbox.accountID)]],
        ]
        return JSONWriter.text(
            of: ["Version": "2008-10-17", "Id": "__default_policy_ID", "Statement": [statement]])
    }

    func addPermission(_ input: CallInput) async throws(OutboxError) -> JSONObject {
        let (topic, label) = (try topic(input.demanded("TopicArn")), input.demanded("Label"))
        let (accounts, actions) = (input.texts("AWSAccountId") ?? [], input.texts("ActionName") ?? [])
        guard (1...OutboxLimits.nameBytesMax).contains(label.utf8.count) else { throw Self.invalid("Label") }
        guard !accounts.isEmpty, accounts.allSatisfy(Self.isAccount) else { throw Self.invalid("AWSAccountId") }
        guard !actions.isEmpty,
            actions.allSatisfy({ action in Self.actions.contains { ByteText($0) == ByteText(action) } })
        else { throw Self.invalid("Policy statement action out of service scope!") }
        /// A list of one is its element.
        func plain(_ list: [String]) -> JSONValue {
            list.count == 1 ? .string(list[0]) : .array(list.map(JSONValue.string))
        }
        let statement: JSONValue = [
            "Sid": .string(label), "Effect": "Allow",
            "Principal": ["AWS": plain(accounts.map { ARN("iam", region: "", account: $0, "root").description })],
            "Action": plain(actions.map { "SNS:\($0)" }), "Resource": .string(arn(of: topic)),
        ]
        try await changePolicy(of: topic) { statements throws(OutboxError) in
            guard !statements.contains(where: { Self.isCalled(label, $0) }) else {
                throw Self.invalid("Statement already exists")
            }
            statements.append(statement)
        }
        return JSONObject()
    }

    func removePermission(_ input: CallInput) async throws(OutboxError) -> JSONObject {
        let label = input.demanded("Label")
        try await changePolicy(of: try topic(input.demanded("TopicArn"))) { statements in
            statements.removeAll { Self.isCalled(label, $0) }
        }
        return JSONObject()
    }

    private static func isAccount(_ text: String) -> Bool {
        text.utf8.count == 12 && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }

    private static func isCalled(_ label: String, _ statement: JSONValue) -> Bool {
        statement["Sid"]?.string.map { ByteText($0) == ByteText(label) } ?? false
    }

    private func changePolicy(
        of topic: String, _ body: @escaping @Sendable (_ statements: inout [JSONValue]) throws(OutboxError) -> Void
    ) async throws(OutboxError) {
        let usual = usualPolicy(of: topic)
        let isThere = try await outbox.changeAttribute("Policy", of: topic) { kept throws(OutboxError) in
            var policy = (try? JSONReader.value(of: kept ?? usual))?.object ?? JSONObject()
            var statements = policy["Statement"]?.array ?? []
            try body(&statements)
            policy.set("Statement", to: .array(statements))
            return try Self.checked(JSONWriter.text(of: .object(policy)), of: "Policy", "")
        }
        guard isThere else { throw Self.noTopic }
    }
}
