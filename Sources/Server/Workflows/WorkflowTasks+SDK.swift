import Access
import Crypto
import Cloud
import Items
import JSON
import Outbox
import Queues
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
    private static let sqsErrors = errors("Sqs")
    private static let snsErrors = errors("Sns")
    private static let eventErrors = errors("EventBridge")
    private static let lambdaErrors = errors("Lambda")
    private static let workflowErrors = errors("Sfn", saysAttempts: true)
    private static let mailErrors = errors("Ses")
    private static let newMailErrors = errors("SesV2")
    private static let tokenErrors = errors("Sts")

    /// All of them.
    private static let sdkServices: [String: SDKService] = [
        "dynamodb": SDKService(errors: dynamoDBErrors) { tasks, action, input async throws(FlowFault) in
            try await tasks.askTable(action, input, dynamoDBErrors)
        },
        "s3": SDKService(errors: s3Errors) { tasks, action, input async throws(FlowFault) in
            try await tasks.files.answer(action, input)
        },
        "sqs": SDKService(errors: sqsErrors) { tasks, action, input async throws(FlowFault) in
            do throws(QueueError) {
                return .object(try await tasks.queues.answer(action, .object(input), at: tasks.place))
            } catch {
                throw sqsErrors.fault(error.type, error.message, code: error.code, status: error.status)
            }
        },
        "sns": SDKService(errors: snsErrors) { tasks, action, input async throws(FlowFault) in
            do throws(OutboxError) {
                return withMaps(.object(try await tasks.notices.answer(action, form(of: .object(input)))))
            } catch {
                throw snsErrors.fault(error.code, error.message, status: error.status)
            }
        },
        "eventbridge": SDKService(errors: eventErrors) { tasks, action, input async throws(FlowFault) in
            do throws(CloudError) {
                return .object(try await tasks.events.answer(action, .object(input)))
            } catch {
                throw eventErrors.fault(error.type, error.message)
            }
        },
        "lambda": SDKService(errors: lambdaErrors) { tasks, action, input async throws(FlowFault) in
            guard action == "Invoke" else { return nil }
            return try await tasks.invokeBySDK(input)
        },
        "sfn": SDKService(errors: workflowErrors) { tasks, action, input async throws(FlowFault) in
            do throws(WorkflowError) {
                let given = JSONObject(input.members.map { (lowered($0.key), $0.value) })
                return raised(.object(try await WorkflowCalls(tasks.workflows).answer(action, .object(given))))
            } catch {
                throw workflowErrors.fault(error.type, error.message, status: error.status)
            }
        },
        "ses": SDKService(errors: mailErrors) { tasks, action, input async throws(FlowFault) in
            do throws(OutboxError) {
                return withMaps(.object(try await tasks.mails.answer(action, form(of: .object(input)))))
            } catch {
                throw mailErrors.fault(error.code, error.message, status: error.status)
            }
        },
        "sesv2": SDKService(errors: newMailErrors) { tasks, action, input async throws(FlowFault) in
            guard action == "SendEmail" else { return nil }
            do throws(OutboxError) {
                return .object(
                    try await tasks.mails.answer(
                        "POST", "/v2/email/outbound-emails", [], JSONWriter.bytes(of: .object(input))))
            } catch {
                throw newMailErrors.fault(error.code, error.message, status: error.status)
            }
        },
        "sts": SDKService(errors: tokenErrors) { tasks, action, _ async throws(FlowFault) in
            guard action == "GetCallerIdentity" else { return nil }
            let account = IAMPrincipal.exampleAccountID
            return [
                "Account": .string(account),
                "Arn": .string("arn:aws:sts::\(account):assumed-role/homeport-states/tasks"),
                "UserId": "homeport-states:tasks",
            ]
        },
    ]

    /// Parameters that are texts: an object in the place of one is written as JSON. The message of SNS is a text, that of SES is none.
    private static let texts: Set<ByteText> = [
        "Input", "Output", "Cause", "MessageBody", "Detail", "SecretString", "Payload", "TemplateData",
    ]

    /// Asks a service by its name in the SDK.
    func ask(_ name: String, _ operation: String, _ call: FlowCall) async throws(FlowFault) -> JSONValue {
        guard let service = Self.sdkServices[name] else { throw call.resource.refusal }
        let action = "\(operation.prefix(1).uppercased())\(operation.dropFirst())"
        var input = Self.withTexts(call.input.object ?? JSONObject())
        if name == "sns", let message = input["Message"], !message.isNull {
            input.set("Message", to: .string(Self.text(message)))
        }
        guard let answer = try await service.answer(self, action, input) else {
            throw service.errors.fault(
                "UnknownOperationException", "The operation \(action) is not one that is served here")
        }
        return Self.withTimes(answer)
    }

    private static func withTexts(_ input: JSONObject) -> JSONObject {
        var result = JSONObject()
        for member in input.members {
            var value = member.value
            if texts.contains(ByteText(member.key)), !value.isNull { value = .string(text(value)) }
            if member.key == "Entries", let entries = value.array {
                value = .array(entries.map { entry in entry.object.map { .object(withTexts($0)) } ?? entry })
            }
            result.set(member.key, to: value)
        }
        return result
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

    private static func lowered(_ name: String) -> String { name.prefix(1).lowercased() + name.dropFirst() }

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

    /// Pairs of an answer in XML become the map that they are.
    private static func withMaps(_ value: JSONValue) -> JSONValue {
        switch value {
        case .array(let list): return .array(list.map(withMaps))
        case .object(let object):
            if object.members.count == 1, let entries = object["entry"]?.array {
                return .object(
                    JSONObject(
                        entries.compactMap { entry in
                            entry["key"]?.string.map { ($0, withMaps(entry["value"] ?? .null)) }
                        }))
            }
            return .object(JSONObject(object.members.map { ($0.key, withMaps($0.value)) }))
        default: return value
        }
    }

    // MARK: Forms

    /// Maps in the calls of services that take forms, with what a pair is called there.
    private static let maps: [ByteText: (key: String, value: String)] = [
        "MessageAttributes": ("Name", "Value"), "Attributes": ("key", "value"), "attributes": ("key", "value"),
    ]

    /// The parameters of a call as a form has them: `A.member.1=x`.
    static func form(of value: JSONValue) -> [(name: String, value: String)] {
        var form: [(name: String, value: String)] = []
        append(value, as: "", named: "", to: &form)
        return form
    }

    private static func append(
        _ value: JSONValue, as path: String, named name: String, to form: inout [(name: String, value: String)]
    ) {
        let start = path.isEmpty ? "" : "\(path)."
        switch value {
        case .null: break
        case .array(let list):
            for (number, element) in list.enumerated() {
                append(element, as: "\(start)member.\(number + 1)", named: "", to: &form)
            }
        case .object(let object):
            guard let map = maps[ByteText(name)] else {
                for member in object.members {
                    append(member.value, as: "\(start)\(member.key)", named: member.key, to: &form)
                }
                return
            }
            for (number, member) in object.members.enumerated() {
                let entry = "\(start)entry.\(number + 1)"
                form.append(("\(entry).\(map.key)", member.key))
                append(member.value, as: "\(entry).\(map.value)", named: "", to: &form)
            }
        default: form.append((path, text(value)))
        }
    }
}
