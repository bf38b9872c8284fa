import Cloud
import JSON

/// Statements of a queue's policy by their labels. A policy is kept and shown; it gives nobody anything here.
extension QueueService {
    private static let actions = [
        "*", "SendMessage", "ReceiveMessage", "DeleteMessage", "ChangeMessageVisibility", "GetQueueAttributes",
        "GetQueueUrl", "ListDeadLetterSourceQueues", "PurgeQueue",
    ]
    private static let version = "2008-10-17"

    func addPermission(_ input: CallInput) async throws(QueueError) -> JSONObject {
        let (name, label) = (try input.queue(of: queues), input.demanded("Label"))
        let (accounts, actions) = (input.texts("AWSAccountIds") ?? [], input.texts("Actions") ?? [])
        guard (1...QueueLimits.nameBytesMax).contains(label.utf8.count), label.utf8.allSatisfy(QueueSettings.isOfName)
        else {
            throw .invalid(label, of: "Label", "Can only include alphanumeric characters, hyphens, or underscores.")
        }
        guard (1...QueueLimits.actionsMax).contains(actions.count) else {
            throw QueueError(
                "OverLimit",
                "\(actions.count) Actions were found, maximum allowed is \(QueueLimits.actionsMax).", status: 403)
        }
        if let other = actions.first(where: { action in !Self.actions.contains { ByteText($0) == ByteText(action) } }) {
            throw .invalid(
                "SQS:\(other)", of: "ActionName", "Only the queue owner is allowed to invoke this action.")
        }
        guard (1...QueueLimits.principalsMax).contains(accounts.count),
            accounts.allSatisfy({ $0.utf8.count == 12 && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } })
        else {
            throw .invalid(
                "[\(accounts.prefix(QueueLimits.principalsMax).joined(separator: ", "))]", of: "PrincipalId",
                "Unable to verify.")
        }
        /// A list of one is its element.
        func plain(_ list: [String]) -> JSONValue {
            list.count == 1 ? .string(list[0]) : .array(list.map(JSONValue.string))
        }
        let statement: JSONValue = [
            "Sid": .string(label), "Effect": "Allow",
            "Principal": ["AWS": plain(accounts.map { ARN("iam", region: "", account: $0, "root").description })],
            "Action": plain(actions.map { "SQS:\($0)" }), "Resource": .string(queues.arn(of: name)),
        ]
        try await change(name) { statements throws(QueueError) in
            guard !statements.contains(where: { Self.isCalled(label, $0) }) else {
                throw .invalid(label, of: "Label", "Already exists.")
            }
            guard statements.count < QueueLimits.statementsMax else {
                throw QueueError(
                    "OverLimit",
                    "\(statements.count + 1) statements were found, maximum allowed is \(QueueLimits.statementsMax).",
                    status: 403)
            }
            statements.append(statement)
        }
        return JSONObject()
    }

    func removePermission(_ input: CallInput) async throws(QueueError) -> JSONObject {
        let label = input.demanded("Label")
        try await change(try input.queue(of: queues)) { statements throws(QueueError) in
            guard let place = statements.firstIndex(where: { Self.isCalled(label, $0) }) else {
                throw .invalid(label, of: "Label", "can't find label.")
            }
            statements.remove(at: place)
        }
        return JSONObject()
    }

    private static func isCalled(_ label: String, _ statement: JSONValue) -> Bool {
        statement["Sid"]?.string.map { ByteText($0) == ByteText(label) } ?? false
    }

    private func change(
        _ name: String, _ body: @escaping @Sendable (_ statements: inout [JSONValue]) throws(QueueError) -> Void
    ) async throws(QueueError) {
        let id = "\(queues.arn(of: name))/SQSDefaultPolicy"
        try await queues.write { transaction in
            let queue = try transaction.demanded(name)
            let text = queue.settings.shown["Policy"]?.string ?? "{}"
            var policy = (try? JSONReader.value(of: text))?.object ?? JSONObject()
            if policy["Version"] == nil { policy.set("Version", to: .string(Self.version)) }
            if policy["Id"] == nil { policy.set("Id", to: .string(id)) }
            var statements = policy["Statement"]?.array ?? []
            try body(&statements)
            policy.set("Statement", to: .array(statements))
            var settings = queue.settings
            let changed = statements.isEmpty ? "" : JSONWriter.text(of: .object(policy))
            try settings.set(JSONObject([("Policy", .string(changed))]))
            try transaction.set(settings, of: queue)
        }
    }
}
