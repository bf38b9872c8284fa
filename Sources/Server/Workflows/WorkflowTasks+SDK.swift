import Access
import Crypto
import Cloud
import Items
import JSON
import Workflows

/// Tasks that ask through the SDK, `arn:aws:states:::aws-sdk:SERVICE:ACTION`: parameters and results have the SDK's names.
extension WorkflowTasks {
    /// A service by its name in those resources.
    private struct SDKService {
        let errors: Service
        /// Answers an action, `PutItem`. Nil: the service has no such action here.
        let answer: @Sendable (WorkflowTasks, String, JSONObject) async throws(FlowFault) -> JSONValue?
    }

    private static let second = "Exception"

    private static func errors(
        _ prefix: String, others known: [String]? = nil, saysAttempts: Bool = false
    ) -> Service {
        Service(
            prefix: prefix, title: prefix, other: "\(prefix)\(second)", known: known, isSecondSDK: true,
            saysAttempts: saysAttempts)
    }

    private static let dynamoDBErrors = errors(
        "DynamoDb",
        others: dynamoDB.known.map { $0 + ["TransactionCanceledException", "TransactionInProgressException"] })
    static let s3Errors = errors(
        "S3", others: ["NoSuchBucket", "NoSuchKey", "BucketAlreadyExists", "BucketAlreadyOwnedByYou"])
    private static let lambdaErrors = errors("Lambda")
    private static let tokenErrors = errors("Sts")

    /// The services that are no tables.
    private static let others: [String: SDKService] = [
        "dynamodb": SDKService(errors: dynamoDBErrors) { tasks, action, input async throws(FlowFault) in
            try await tasks.askTable(action, input, dynamoDBErrors)
        },
        "s3": SDKService(errors: s3Errors) { tasks, action, input async throws(FlowFault) in
            try await tasks.files?.answer(action, input)
        },
        "lambda": SDKService(errors: lambdaErrors) { tasks, action, input async throws(FlowFault) in
            guard action == "Invoke" else { return nil }
            return try await tasks.invokeBySDK(input)
        },
        "sts": SDKService(errors: tokenErrors) { tasks, action, _ async throws(FlowFault) in
            guard action == "GetCallerIdentity" else { return nil }
            let account = IAMPrincipal.exampleAccountID
            return [
                "Account": .string(account),
                "Arn": .string(
                    ARN("sts", region: "", account: account, "assumed-role/homeport-states/tasks").description),
                "UserId": "homeport-states:tasks",
            ]
        },
    ]

    /// Parameters that are texts where no table says so: an object in the place of one is written as JSON.
    private static let texts: Set<ByteText> = ["Payload"]

    /// Asks a service by its name in the SDK.
    func ask(_ name: String, _ operation: String, _ call: FlowCall) async throws(FlowFault) -> JSONValue {
        let action = "\(operation.prefix(1).uppercased())\(operation.dropFirst())"
        let input = call.input.object ?? JSONObject()
        if let table = table(named: name) {
            let errors = Self.errors(table.sdk, saysAttempts: table.hasSmallNames)
            let answer = JSONValue.object(
                try await ask(name, action, table.members(ofTask: input, action), errors))
            return Self.withTimes(table.hasSmallNames ? Self.raised(answer) : answer)
        }
        guard let service = Self.others[name] else { throw call.resource.refusal }
        guard let answer = try await service.answer(self, action, Self.withTexts(input)) else {
            throw service.errors.fault(
                "UnknownOperationException", "The operation \(action) is not one that is served here")
        }
        return Self.withTimes(answer)
    }

    private static func withTexts(_ input: JSONObject) -> JSONObject {
        JSONObject(
            input.members.map { member in
                let isText = texts.contains(ByteText(member.key)) && !member.value.isNull
                return (member.key, isText ? .string(text(member.value)) : member.value)
            })
    }

    /// Seconds since 1970 become the texts that tasks get. Items of tables have no numbers in such members: theirs are texts by kinds.
    private static func withTimes(_ value: JSONValue) -> JSONValue {
        switch value {
        case .array(let list): return .array(list.map(withTimes))
        case .object(let object):
            return .object(
                JSONObject(
                    object.members.map { member in
                        guard isTime(member.key), let seconds = member.value.number, seconds.isFinite else {
                            return (member.key, withTimes(member.value))
                        }
                        let milliseconds = Int64(exactly: (seconds * 1_000).rounded()) ?? 0
                        return (member.key, .string(Timestamp(millisecondsSince1970: milliseconds).text))
                    }))
        default: return value
        }
    }

    private static func isTime(_ name: String) -> Bool {
        ["Date", "DateTime", "Timestamp", "LastModified"].contains { name.hasSuffix($0) }
    }

    // MARK: Names

    /// The names of an answer of Step Functions as the SDK has them.
    private static func raised(_ value: JSONValue) -> JSONValue {
        switch value {
        case .array(let list): .array(list.map(raised))
        case .object(let object):
            .object(
                JSONObject(
                    object.members.map { ("\($0.key.prefix(1).uppercased())\($0.key.dropFirst())", raised($0.value)) }))
        default: value
        }
    }
}
