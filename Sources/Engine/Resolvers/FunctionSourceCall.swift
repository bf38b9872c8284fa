import Access
import JSON
import Resolvers

/// What a handler asks of a function: `{operation: "Invoke" or "BatchInvoke", payload, invocationType}`.
struct FunctionSourceCall {
    private let name: String
    private let step: ResolverProgram.Step
    private let program: ResolverProgram
    private let call: FieldCall
    private let place: CallPlace

    init(
        _ name: String, _ step: ResolverProgram.Step, _ program: ResolverProgram, _ call: FieldCall, _ place: CallPlace
    ) {
        self.name = name
        self.step = step
        self.program = program
        self.call = call
        self.place = place
    }

    /// Throws where the request is none that a function could be asked.
    func answer(to value: JSONValue) async throws(ResolverError) -> TableRequest.Answer {
        let fields = try RequestMembers(value)
        let operation = try fields.text("operation", isRequired: true) ?? ""
        let payload = fields.value("payload") ?? .null
        let isEvent = try fields.text("invocationType") == "Event"
        guard operation == "Invoke" || operation == "BatchInvoke" else {
            throw ResolverError(
                "Unsupported operation '\(operation)' for a function. See $[operation].", type: "MappingTemplate")
        }
        let isBatch = operation == "BatchInvoke"
        do throws(CallFailure) {
            if isEvent {
                try begin(isBatch ? .array([payload]) : payload)
                return TableRequest.Answer(.null)
            }
            guard isBatch else { return TableRequest.Answer(try await result(of: payload)) }
            return TableRequest.Answer(try await batched(payload))
        } catch {
            tell(error)
            let type = error.type == CallFailure.timedOut.type ? "Lambda:ExecutionTimeoutException" : error.type
            return TableRequest.Answer(.null, error: ResolverError(error.message, type: type))
        }
    }

    // MARK: Without code

    /// A function that answers for the field itself: it is told all that there is to be told, and its errors are those of the field.
    func answer(toFieldOf context: ResolverContext) async throws(ResolverError) -> TableRequest.Answer {
        let payload = context.told
        do throws(CallFailure) {
            guard step.batchMax != nil else { return TableRequest.Answer(try await result(of: payload)) }
            return Self.element(try await batched(payload))
        } catch {
            tell(error)
            let type =
                error.name
                ?? (error.type == CallFailure.timedOut.type ? "Lambda:ExecutionTimeoutException" : error.type)
            let isUnauthorized = type == Self.unauthorized
            return TableRequest.Answer(
                .null,
                error: ResolverError(
                    isUnauthorized ? "You are not authorized to make this call." : error.message, type: type))
        }
    }

    private static let unauthorized = "UnauthorizedException"

    /// `{data, errorMessage, errorType}`
    private static func element(_ value: JSONValue) -> TableRequest.Answer {
        guard let object = value.object else { return TableRequest.Answer(value) }
        let data = object["data"] ?? .null
        if let message = object["errorMessage"]?.string {
            return TableRequest.Answer(
                data, error: ResolverError(message, type: object["errorType"]?.string, data: data))
        }
        let known = ["data", "errorMessage", "errorType"]
        let isElement = object.members.allSatisfy { known.contains($0.key) } && object["data"] != nil
        return TableRequest.Answer(isElement ? data : value)
    }

    // MARK: Calls

    private func endpoint() throws(CallFailure) -> FunctionDirectory.Endpoint {
        try place.directory.endpoint(of: name, ofField: program.fieldName)
    }

    func begin(_ payload: JSONValue) throws(CallFailure) {
        try FunctionCalls.begin(
            name, for: program.fieldName, JSONWriter.bytes(of: payload), over: place.outside, place.directory)
    }

    func result(of payload: JSONValue) async throws(CallFailure) -> JSONValue {
        let endpoint = try endpoint()
        let bytes = JSONWriter.bytes(of: payload)
        guard bytes.count <= FunctionLimits.payloadBytesMax else {
            throw CallFailure(
                "The payload for the function '\(name)' has more than \(FunctionLimits.payloadBytesMax) bytes",
                type: "Lambda:IllegalArgument")
        }
        let limits = place.directory.limits
        let invocation = FunctionInvocation(
            endpoint.url, bytes, isEvent: false, timeoutMilliseconds: try call.milliseconds(limits),
            answerBytesMax: limits.callBytesMax)
        return try await FunctionCalls.result(
            of: invocation, name, isEmulator: endpoint.isEmulator, over: place.outside)
    }

    /// The same together with what others want of the field.
    private func batched(_ payload: JSONValue) async throws(CallFailure) -> JSONValue {
        guard let batches = call.batches else {
            let results = try await results(of: [payload])
            return results.first ?? .null
        }
        let key = InvocationBatches.Key(program.typeName, program.fieldName, step: step.number)
        let outcome = await batches.result(
            of: payload, key, atMost: step.batchMax ?? FunctionLimits.usualBatch
        ) { payloads in
            do throws(CallFailure) { return .success(try await results(of: payloads)) } catch { return .failure(error) }
        }
        return try outcome.get()
    }

    private func results(of payloads: [JSONValue]) async throws(CallFailure) -> [JSONValue] {
        let result = try await result(of: .array(payloads))
        guard let results = result.array, results.count == payloads.count else {
            throw CallFailure(
                "The function '\(name)' must answer a batch by a list of as many results",
                type: "Lambda:IllegalArgument")
        }
        return results
    }

    private func tell(_ failure: CallFailure) {
        if failure.type == CallFailure.timedOut.type { call.clock.noteTimeOut() }
        if let detail = failure.detail {
            place.directory.report("\(program.typeName).\(program.fieldName): \(detail)")
        }
    }
}

extension ResolverContext {
    /// What a function is told that answers for a field without any code.
    fileprivate var told: JSONValue {
        [
            "arguments": arguments, "identity": identity, "source": source,
            "request": request.isNull ? ["headers": [:], "domainName": .null] : request,
            "prev": previous.map { ["result": $0] } ?? .null,
            "info": [
                "selectionSetList": .array(info.selectionSetList.map { .string($0) }),
                "selectionSetGraphQL": .string(info.selectionSetGraphQL),
                "parentTypeName": .string(info.parentTypeName), "fieldName": .string(info.fieldName),
                "variables": info.variables,
            ],
            "stash": .object(stash),
        ]
    }
}
