import Access
import Cloud
import Files
import Functions
import Items
import JSON
import Network
import Workflows

/// The services that tasks of state machines call: functions of the app, and what this server stands for.
final class WorkflowTasks: WorkflowServices {
    let workflows: Workflows
    private let items: ItemService
    /// The services that are tables, by their names in the newer SDK for Java.
    private let tables: [ByteText: ServiceTable]
    /// Nil: files are not served.
    let files: WorkflowFiles?
    private let addresses: FunctionAddresses
    private let outside: any OutsideService
    private let origin: CallOrigin

    /// How long a function may take, where the state says nothing.
    private static let functionMilliseconds = RuntimeLimits.timeoutSeconds.upperBound * 1_000

    /// - Parameter tables: the services that are tables, beside state machines themselves.
    init(
        _ workflows: Workflows, _ items: ItemService, _ tables: [ServiceTable], _ files: FileService?,
        _ addresses: FunctionAddresses, by outside: any OutsideService, on loop: EventLoop
    ) {
        self.workflows = workflows
        self.tables = Dictionary(
            texts: (tables + [WorkflowCalls(workflows).table]).map { ($0.sdk.lowercased(), $0) },
            uniquingKeysWith: { first, _ in first })
        self.items = items
        self.addresses = addresses
        self.outside = outside
        self.files = files.map { WorkflowFiles($0) }
        // The host of a queue's URL is nobody's business here.
        origin = CallOrigin(loop: loop)
    }

    var buckets: (any WorkflowBuckets)? { files }

    func answer(
        to call: FlowCall, submitted: @escaping @Sendable (JSONValue) -> Void
    ) async -> Result<JSONValue, FlowFault> {
        do throws(FlowFault) {
            switch call.resource.kind {
            case .function(let name):
                return .success(try await invoke(name, JSONWriter.bytes(of: call.input), call))
            case .mapRun: return .failure(call.resource.refusal)
            case .service(let service, let operation):
                if let name = FlowResource.sdkService(service) { return .success(try await ask(name, operation, call)) }
                let input = call.input.object ?? JSONObject()
                return switch service {
                case "lambda": .success(try await invoke(input, call))
                case "sqs": .success(try await send(input))
                case "sns": .success(try await publish(input))
                case "events": .success(try await putEvents(input, call))
                case "dynamodb":
                    .success(
                        try await askTable(
                            "\(operation.prefix(1).uppercased())\(operation.dropFirst())", input, Self.dynamoDB))
                case "states": .success(try await start(input, call, submitted))
                default: .failure(call.resource.refusal)
                }
            }
        } catch {
            return .failure(error)
        }
    }

    private static func missing(_ name: String) -> FlowFault {
        FlowFault("States.Runtime", "The field '\(name)' is missing from the Parameters of the task")
    }

    /// Values that are no text are written as JSON.
    static func text(_ value: JSONValue) -> String { value.string ?? JSONWriter.text(of: value) }

    // MARK: Functions

    /// `lambda:invoke`
    private func invoke(_ input: JSONObject, _ call: FlowCall) async throws(FlowFault) -> JSONValue {
        guard let name = input["FunctionName"]?.string else { throw Self.missing("FunctionName") }
        let payload = try Self.payload(input["Payload"])
        let isEvent = input["InvocationType"]?.string == "Event"
        let result = try await invoke(name, payload, call, isEvent: isEvent)
        return [
            "ExecutedVersion": "$LATEST", "Payload": isEvent ? "" : result, "StatusCode": isEvent ? 202 : 200,
        ]
    }

    /// The event of `lambda:invoke`: a text is the event itself, as it stands, and nothing is an empty object.
    static func payload(_ value: JSONValue?) throws(FlowFault) -> [UInt8] {
        guard let value, !value.isNull else { return Array("{}".utf8) }
        guard let text = value.string else { return JSONWriter.bytes(of: value) }
        let limits = JSONLimits(bytesMax: RuntimeLimits.payloadBytesMax)
        do throws(JSONError) { _ = try JSONReader.value(of: Array(text.utf8), limits: limits) } catch {
            throw lambda.fault("InvalidRequestContentException", "Could not parse request body into json: \(error)")
        }
        return Array(text.utf8)
    }

    private func invoke(
        _ name: String, _ payload: [UInt8], _ call: FlowCall, isEvent: Bool = false
    ) async throws(FlowFault) -> JSONValue {
        let response = try await response(of: name, payload, isEvent: isEvent, call.timeoutMilliseconds)
        let limits = JSONLimits(bytesMax: RuntimeLimits.payloadBytesMax)
        let value = response.body.isEmpty ? .null : try? JSONReader.value(of: response.body, limits: limits)
        if response.field("x-amz-function-error") != nil {
            throw FlowFault(
                value?["errorType"]?.string ?? "Lambda.Unknown", String(decoding: response.body, as: UTF8.self))
        }
        guard let value else {
            throw FlowFault("Lambda.InvalidResponse", "The function \(name) answers with what is no JSON.")
        }
        return value
    }

    private func response(
        of name: String, _ payload: [UInt8], isEvent: Bool, _ timeoutMilliseconds: Int64?
    ) async throws(FlowFault) -> OutsideResponse {
        guard let address = addresses.address(of: name) else {
            throw Self.lambda.fault(
                "ResourceNotFoundException", "Function not found: \(workflows.functionARN(name)):$LATEST", status: 404)
        }
        let response: OutsideResponse
        do throws(OutsideError) {
            let most = Self.functionMilliseconds
            response = try await outside.invoke(
                FunctionInvocation(
                    address, payload, isEvent: isEvent,
                    timeoutMilliseconds: min(timeoutMilliseconds.map { Int(clamping: $0) } ?? most, most),
                    answerBytesMax: RuntimeLimits.payloadBytesMax))
        } catch {
            switch error {
            case .timedOut: throw FlowFault("States.Timeout", "The function \(name) has not answered in time.")
            case .tooLarge(let bytesMax):
                throw FlowFault(
                    "States.DataLimitExceeded", "The function \(name) answers with more than \(bytesMax) bytes.")
            case .unreachable, .invalidURL:
                throw FlowFault("Lambda.ServiceException", "The function \(name) cannot be called: \(error)")
            }
        }
        guard (200..<300).contains(response.status) else {
            throw FlowFault(
                "Lambda.ServiceException", "The function \(name) answers with status \(response.status).")
        }
        return response
    }

    // MARK: Services

    private func send(_ input: JSONObject) async throws(FlowFault) -> JSONValue {
        var input = input
        guard let body = input["MessageBody"] else { throw Self.missing("MessageBody") }
        if !body.isNull { input.set("MessageBody", to: .string(Self.text(body))) }
        // The SDK behind these tasks sends a message to where the URL says. A host alone has no queue.
        if let url = input["QueueUrl"]?.string, let host = Self.hostAlone(url) {
            throw FlowFault(
                "SQS.SdkClientException", "Unable to execute HTTP request: \(host): Name or service not known")
        }
        return .object(try await ask("sqs", "SendMessage", input, Self.sqs))
    }

    /// The host of a URL that has nothing behind it; nil: there is a path. A text that is no URL is a host.
    static func hostAlone(_ url: String) -> String? {
        let parts = url.parts(separatedBy: "/")
        guard parts.count > 2, parts[0].hasSuffix(":"), parts[1].isEmpty else { return url }
        return parts.dropFirst(3).allSatisfy(\.isEmpty) ? parts[2] : nil
    }

    func table(named name: String) -> ServiceTable? { tables[name] }

    /// Asks a service that is a table.
    ///
    /// - Parameter name: as the newer SDK calls it, in small letters.
    func ask(
        _ name: String, _ action: String, _ input: JSONObject, _ errors: Service
    ) async throws(FlowFault) -> JSONObject {
        guard let table = table(named: name) else {
            throw errors.fault("ServiceUnavailable", "The server is not ready yet.", status: 503)
        }
        do throws(CloudError) {
            return try await table.answer(action, .object(input), from: origin)
        } catch {
            throw errors.fault(
                table.isOfForms ? error.code : error.type, error.message, code: error.code, status: error.status)
        }
    }

    /// `aws-sdk:lambda:invoke`: what the function gives is a text, and its failure no error.
    func invokeBySDK(_ input: JSONObject) async throws(FlowFault) -> JSONValue {
        guard let name = input["FunctionName"]?.string else { throw Self.missing("FunctionName") }
        let isEvent = input["InvocationType"]?.string == "Event"
        let response = try await response(of: name, try Self.payload(input["Payload"]), isEvent: isEvent, nil)
        var answer = JSONObject([
            ("ExecutedVersion", "$LATEST"), ("StatusCode", .integer(isEvent ? 202 : 200)),
            ("Payload", .string(isEvent ? "" : String(decoding: response.body, as: UTF8.self))),
        ])
        if let fault = response.field("x-amz-function-error") { answer.set("FunctionError", to: .string(fault)) }
        return .object(answer)
    }

    private func publish(_ input: JSONObject) async throws(FlowFault) -> JSONValue {
        guard let message = input["Message"] else { throw Self.missing("Message") }
        var given = JSONObject([("Message", .string(Self.text(message)))])
        for name in [
            "TopicArn", "TargetArn", "PhoneNumber", "Subject", "MessageStructure", "MessageAttributes",
            "MessageGroupId", "MessageDeduplicationId",
        ] {
            if let value = input[name] { given.set(name, to: value) }
        }
        given = table(named: "sns")?.members(ofTask: given, "Publish") ?? given
        return .object(try await ask("sns", "Publish", given, Self.sns))
    }

    private func putEvents(_ input: JSONObject, _ call: FlowCall) async throws(FlowFault) -> JSONValue {
        var input = input
        // Who sends an event is among its resources.
        let sender: [JSONValue] = [.string(call.machineARN), .string(call.executionARN)]
        let entries = (input["Entries"]?.array ?? []).map { entry -> JSONValue in
            guard var object = entry.object else { return entry }
            if let detail = object["Detail"] { object.set("Detail", to: .string(Self.text(detail))) }
            object.set("Resources", to: .array((object["Resources"]?.array ?? []) + sender))
            return .object(object)
        }
        input.set("Entries", to: .array(entries))
        let answer = try await ask("eventbridge", "PutEvents", input, Self.events)
        guard answer["FailedEntryCount"]?.integer == 0 else {
            throw FlowFault("EventBridge.FailedEntry", JSONWriter.text(of: .object(answer)))
        }
        return .object(answer)
    }

    func askTable(_ operation: String, _ input: JSONObject, _ errors: Service) async throws(FlowFault) -> JSONValue {
        let shard = ItemShard()
        defer { shard.close() }
        do throws(ItemError) {
            return .object(
                try await items.answer(operation, input, on: shard))
        } catch {
            throw errors.fault(error.type, error.message)
        }
    }

    // MARK: Executions

    private func start(
        _ input: JSONObject, _ call: FlowCall, _ submitted: (JSONValue) -> Void
    ) async throws(FlowFault) -> JSONValue {
        guard let machine = input["StateMachineArn"]?.string else { throw Self.missing("StateMachineArn") }
        let given = input["Input"].flatMap { $0.isNull ? nil : Self.text($0) } ?? "{}"
        let name = input["Name"]?.string ?? call.name
        do throws(WorkflowError) {
            guard call.resource.pattern == .end || call.resource.pattern == .parsedEnd else {
                let begun = try await workflows.begin(machine, name: name, input: given)
                return [
                    "ExecutionArn": .string(begun.arn),
                    "StartDate": .string(Timestamp(millisecondsSince1970: begun.startedMilliseconds).text),
                ]
            }
            let ended = try await workflows.runForTask(machine, name: name, input: given) { begun in
                submitted(["ExecutionArn": .string(begun.arn), "StartDate": .integer(begun.startedMilliseconds)])
            }
            let told = JSONValue.object(
                ended.told(by: workflows, parsesOutput: call.resource.pattern == .parsedEnd))
            guard ended.execution.status == .succeeded else {
                throw WorkflowError(failed: JSONWriter.text(of: told))
            }
            return told
        } catch {
            throw error.isOfExecution
                ? FlowFault("States.TaskFailed", error.message)
                : Self.stepFunctions.fault(error.type, error.message, status: error.status)
        }
    }
}
