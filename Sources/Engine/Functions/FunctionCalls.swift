import Access
import Blueprint
import GraphQL
import JSON

/// The functions of a field, called one after the other: each gets the result of the one before, the last one's is the
/// field's value.
struct FunctionCalls: Sendable {
    private struct Step: Sendable {
        let name: String
        let isEvent: Bool
        let endpoint: Result<FunctionDirectory.Endpoint, CallFailure>
    }

    private let steps: [Step]
    /// The start of every payload: `{"typeName":…,"fieldName":…`.
    private let payloadStart: [UInt8]
    private let limits: EngineLimits

    init(_ calls: [FunctionCall], ofField fieldName: String, of typeName: String, _ directory: FunctionDirectory) {
        limits = directory.limits
        steps = calls.map { call in
            let endpoint = Result { () throws(CallFailure) in try directory.endpoint(of: call.name, ofField: fieldName)
            }
            return Step(name: call.name, isEvent: call.isEvent, endpoint: endpoint)
        }
        var bytes = [UInt8(ascii: "{")]
        JSONWriter.writeKey("typeName", to: &bytes)
        JSONWriter.writeString(typeName, to: &bytes)
        bytes.append(UInt8(ascii: ","))
        JSONWriter.writeKey("fieldName", to: &bytes)
        JSONWriter.writeString(fieldName, to: &bytes)
        payloadStart = bytes
    }

    /// The field's value. An error of a function ends it; a call that nobody waits for has its error beside the value.
    func outcome(
        of call: FieldCall, over outside: any OutsideService, _ directory: FunctionDirectory
    ) async throws(CallFailure) -> FieldOutcome {
        var previous: JSONValue?
        var errors: [GraphQLError] = []
        for step in steps {
            if step.isEvent {
                do throws(CallFailure) {
                    try begin(step, request(for: step, call, previous), over: outside, directory)
                    previous = Self.success(true)
                } catch {
                    errors.append(call.error(error))
                    previous = Self.success(false)
                }
            } else {
                previous = try await Self.result(
                    of: request(for: step, call, previous), step.name, isEmulator: step.endpoint.get().isEmulator,
                    over: outside)
            }
        }
        return .value(previous ?? .null, errors: errors)
    }

    private static func success(_ success: Bool) -> JSONValue { .object(JSONObject([("success", .bool(success))])) }

    // MARK: There

    /// The payload is that of Amplify's own resolver, member by member.
    private func request(
        for step: Step, _ call: FieldCall, _ previous: JSONValue?
    ) throws(CallFailure) -> FunctionInvocation {
        let endpoint = try step.endpoint.get()
        var payload = payloadStart
        func write(_ key: String, _ value: JSONValue) {
            payload.append(UInt8(ascii: ","))
            JSONWriter.writeKey(key, to: &payload)
            JSONWriter.write(value, to: &payload)
        }
        write("arguments", .object(call.arguments))
        write("identity", call.caller.identity)
        write("source", call.source.map(JSONValue.object) ?? .null)
        write("request", call.caller.request)
        write("prev", previous.map { .object(JSONObject([("result", $0)])) } ?? .null)
        payload.append(UInt8(ascii: "}"))
        guard payload.count <= FunctionLimits.payloadBytesMax else {
            throw CallFailure(
                "The payload for the function '\(step.name)' has more than \(FunctionLimits.payloadBytesMax) bytes",
                type: "Lambda:RequestTooLargeException")
        }
        return FunctionInvocation(
            endpoint.url, payload, isEvent: step.isEvent,
            timeoutMilliseconds: step.isEvent ? limits.callMilliseconds : try call.milliseconds(limits),
            answerBytesMax: limits.callBytesMax)
    }

    /// Sends a call in a task of its own. What becomes of it is for the log, as with AWS: the caller has long been
    /// answered.
    private func begin(
        _ step: Step, _ request: FunctionInvocation, over outside: any OutsideService, _ directory: FunctionDirectory
    ) throws(CallFailure) {
        try Self.begin(step.name, request, isEmulator: try step.endpoint.get().isEmulator, over: outside, directory)
    }

    /// The same with a payload that is no field's.
    static func begin(
        _ name: String, for fieldName: String, _ payload: [UInt8], over outside: any OutsideService,
        _ directory: FunctionDirectory
    ) throws(CallFailure) {
        let endpoint = try directory.endpoint(of: name, ofField: fieldName)
        let request = FunctionInvocation(
            endpoint.url, payload, isEvent: true, timeoutMilliseconds: directory.limits.callMilliseconds,
            answerBytesMax: directory.limits.callBytesMax)
        try begin(name, request, isEmulator: endpoint.isEmulator, over: outside, directory)
    }

    private static func begin(
        _ name: String, _ request: FunctionInvocation, isEmulator: Bool, over outside: any OutsideService,
        _ directory: FunctionDirectory
    ) throws(CallFailure) {
        guard directory.beginEvent() else {
            throw CallFailure(
                "More than \(FunctionLimits.eventsMax) calls of functions wait for their end",
                type: "Lambda:TooManyRequestsException")
        }
        Task {
            defer { directory.endEvent() }
            do throws(CallFailure) {
                _ = try await result(of: request, name, isEmulator: isEmulator, over: outside)
            } catch {
                directory.report("the function '\(name)', called as an event: \(error.detail ?? error.message)")
            }
        }
    }

    /// Sends a call and waits for what comes of it.
    static func result(
        of request: FunctionInvocation, _ name: String, isEmulator: Bool, over outside: any OutsideService
    ) async throws(CallFailure) -> JSONValue {
        let response: OutsideResponse
        do throws(OutsideError) {
            response = try await outside.invoke(request)
        } catch {
            throw failure(error, name, isHere: FunctionAddress.name(in: request.address) != nil)
        }
        return try result(of: response, name, isEmulator: isEmulator)
    }

    // MARK: And back

    /// The result that a function's answer holds.
    static func result(
        of response: OutsideResponse, _ name: String, isEmulator: Bool
    ) throws(CallFailure) -> JSONValue {
        let value: JSONValue?
        do throws(JSONError) {
            value = response.body.isEmpty ? .null : try JSONReader.value(of: response.body)
        } catch {
            value = nil
        }
        if let kind = response.field("X-Amz-Function-Error"), !kind.isEmpty {
            throw failure(message(of: value) ?? "The function '\(name)' failed", "Lambda:\(kind)", of: value)
        }
        guard (200..<300).contains(response.status) else {
            throw CallFailure(
                message(of: value) ?? "The function '\(name)' answered with status \(response.status)",
                type: "Lambda:AWSLambdaException")
        }
        guard let value else {
            throw CallFailure(
                "The function '\(name)' answered with something that is not JSON", type: "Lambda:AWSLambdaException")
        }
        if isEmulator, isError(value) { throw failure(message(of: value) ?? "", "Lambda:Unhandled", of: value) }
        return value
    }

    /// What went wrong in a function, as it says.
    private static func failure(_ message: String, _ type: String, of value: JSONValue?) -> CallFailure {
        var failure = CallFailure(message, type: type)
        failure.name = (value?["errorType"]?.string).map(CallFailure.shortened)
        return failure
    }

    /// Returns whether a value is what a runtime sends for an exception: the emulator hands it out like any result.
    private static func isError(_ value: JSONValue) -> Bool {
        guard case .object(let object) = value, object["errorMessage"]?.string != nil,
            object["errorType"]?.string != nil
        else { return false }
        let known = ["errorMessage", "errorType", "stackTrace", "trace", "cause", "requestId"]
        return object.members.allSatisfy { known.contains($0.key) }
    }

    /// The message of a runtime's error, or of a service that stands before it.
    private static func message(of value: JSONValue?) -> String? {
        guard let text = value?["errorMessage"]?.string ?? value?["Message"]?.string ?? value?["message"]?.string
        else { return nil }
        return CallFailure.shortened(text)
    }

    /// - Parameter isHere: whether the server runs the function itself: why it cannot is no address of anybody's network.
    private static func failure(_ error: OutsideError, _ name: String, isHere: Bool) -> CallFailure {
        switch error {
        case .timedOut(let milliseconds):
            var failure = CallFailure.timedOut
            failure.detail = "the function '\(name)' took more than \(milliseconds) ms"
            return failure
        case .invalidURL(let reason):
            return CallFailure(
                "The URL that is configured for the function '\(name)' cannot be called",
                type: "Lambda:AWSLambdaException", detail: "the function '\(name)' cannot be called: \(reason)")
        case .unreachable(let reason) where isHere:
            return CallFailure(
                "The function '\(name)' cannot be called: \(reason)", type: "Lambda:AWSLambdaException",
                detail: "the function '\(name)' cannot be called: \(reason)")
        case .unreachable(let reason):
            return CallFailure(
                "The function '\(name)' cannot be reached", type: "Lambda:AWSLambdaException",
                detail: "the function '\(name)' cannot be reached: \(reason)")
        case .tooLarge(let bytesMax):
            return CallFailure(
                "The result of the function '\(name)' has more than \(bytesMax) bytes",
                type: "Lambda:AWSLambdaException")
        }
    }
}
