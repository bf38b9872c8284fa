import Access
import JSON

/// What a function is told of whom an event is about.
struct TriggerSubject: Sendable {
    /// What the event calls the user.
    let name: String
    /// What it says of them beside; nil where there is no user yet.
    let attributes: JSONObject?

    init(name: String, attributes: JSONObject?) {
        self.name = name
        self.attributes = attributes
    }

    /// A user of the pool: with what the pool itself knows of them.
    init(_ user: User) {
        name = user.name
        var attributes = JSONObject([
            ("sub", .string(user.sub)), ("cognito:user_status", .string(user.status.rawValue)),
        ])
        for attribute in user.attributes { attributes.set(attribute.key, to: attribute.value) }
        self.attributes = attributes
    }
}

extension PoolRun {
    private static let timeoutMilliseconds = 5_000
    private static let triesMax = 3
    private static let answerBytesMax = 1 << 20

    /// What the client sent for functions.
    var clientMetadata: JSONValue { input.object("ClientMetadata").map(JSONValue.object) ?? .null }

    func hasTrigger(_ trigger: PoolTrigger) -> Bool { settings.triggers.urls[trigger] != nil }

    /// Calls the function of a trigger, and answers the response in the event that it returns; nil where there is none.
    ///
    /// - Parameters:
    ///   - source: what has happened, behind the trigger's name.
    ///   - request: what the event says beside the user's attributes.
    ///   - response: what the function finds in the event's response.
    func call(
        _ trigger: PoolTrigger, _ source: String, about subject: TriggerSubject, request: JSONObject,
        response: JSONObject = JSONObject(), version: Int64 = 1
    ) async throws(PoolError) -> JSONObject? {
        guard let url = settings.triggers.urls[trigger] else { return nil }
        var event = event(trigger, source, about: subject, request: request, version: version)
        event.set("response", to: .object(response))
        let answer = try await answer(of: trigger, at: url, to: JSONWriter.bytes(of: .object(event)))
        guard let content = (try? JSONReader.value(of: answer))?.object else { throw Self.unrecognizable }
        if let message = content["errorMessage"]?.string, content["triggerSource"] == nil {
            throw Self.failure(trigger, message)
        }
        guard content["triggerSource"] != nil else { throw Self.unrecognizable }
        guard let response = content["response"], !response.isNull else { return JSONObject() }
        guard let members = response.object else { throw Self.unrecognizable }
        return members
    }

    /// What a function is told.
    func event(
        _ trigger: PoolTrigger, _ source: String, about subject: TriggerSubject, request: JSONObject,
        version: Int64 = 1
    ) -> JSONObject {
        var asked = JSONObject()
        if let attributes = subject.attributes { asked.set("userAttributes", to: .object(attributes)) }
        for member in request { asked.set(member.key, to: member.value) }
        let caller = JSONObject([
            ("awsSdkVersion", "aws-sdk-unknown-unknown"), ("clientId", .string(input.text("ClientId") ?? "")),
        ])
        return JSONObject([
            ("version", .string(String(version))), ("triggerSource", .string("\(trigger.source)_\(source)")),
            ("region", .string(pool.identifiers.region)), ("userPoolId", .string(pool.identifiers.userPoolID)),
            ("userName", .string(subject.name)), ("callerContext", .object(caller)), ("request", .object(asked)),
        ])
    }

    /// Asks as often as the service does, where nothing answers.
    private func answer(
        of trigger: PoolTrigger, at url: String, to event: [UInt8]
    ) async throws(PoolError) -> [UInt8] {
        guard let outside = shard.outside else {
            throw PoolError("UnexpectedLambdaException", "\(trigger.name) invocation failed due to configuration.")
        }
        var problem = ""
        for _ in 0..<Self.triesMax {
            let response: OutsideResponse
            do throws(OutsideError) {
                response = try await outside.invoke(
                    FunctionInvocation(
                        url, event, timeoutMilliseconds: Self.timeoutMilliseconds, answerBytesMax: Self.answerBytesMax))
            } catch {
                problem = Self.text(of: error)
                continue
            }
            guard response.status == 200, response.field("x-amz-function-error") == nil else {
                let content = try? JSONReader.value(of: response.body)
                let message = content?["errorMessage"]?.string ?? content?["message"]?.string
                throw Self.failure(trigger, message ?? "status \(response.status)")
            }
            return response.body
        }
        throw PoolError(
            "UnexpectedLambdaException", "\(trigger.name) invocation failed due to error \(problem).",
            reason: "the function at \(url) could not be called")
    }

    private static func text(of error: OutsideError) -> String {
        switch error {
        case .timedOut: "Socket timeout while invoking Lambda function"
        case .tooLarge(let bytesMax): "an answer of more than \(bytesMax) bytes"
        case .invalidURL, .unreachable: "Function is not reachable"
        }
    }

    private static let unrecognizable = PoolError("InvalidLambdaResponseException", "Unrecognizable lambda output")

    private static func failure(_ trigger: PoolTrigger, _ message: String) -> PoolError {
        PoolError("UserLambdaValidationException", "\(trigger.name) failed with error \(message).")
    }
}
