import JSON

/// Whom a task asks: a function by its ARN, or an operation of a service, `arn:aws:states:::sqs:sendMessage.waitForTaskToken`.
package struct FlowResource: Sendable {
    package enum Pattern: String, Sendable {
        /// The answer is the result.
        case answer = ""
        /// Another execution's end is, as a text or as JSON.
        case end = "sync"
        case parsedEnd = "sync:2"
        /// Somebody says later what it is.
        case token = "waitForTaskToken"
    }

    package enum Kind: Sendable {
        case function(String)
        /// As it is written: `lambda` and `invoke`.
        case service(String, operation: String)
        /// The executions of a distributed `Map`.
        case mapRun
    }

    /// That of a distributed `Map`.
    static let mapRun = FlowResource(text: "", kind: .mapRun, pattern: .answer)

    private init(text: String, kind: Kind, pattern: Pattern) {
        (self.text, self.kind, self.pattern) = (text, kind, pattern)
    }

    package let text: String
    package let kind: Kind

    /// The name of whoever has given a result, in messages.
    var resultName: String {
        if case .service(let service, _) = kind { service } else { text }
    }

    package let pattern: Pattern

    /// The operations that tasks can ask for, and how they can wait for what comes of it.
    private static let operations: [(name: String, patterns: [Pattern])] = [
        ("lambda:invoke", [.answer, .token]), ("sqs:sendMessage", [.answer, .token]),
        ("sns:publish", [.answer, .token]), ("events:putEvents", [.answer, .token]),
        ("dynamodb:getItem", [.answer]), ("dynamodb:putItem", [.answer]), ("dynamodb:updateItem", [.answer]),
        ("dynamodb:deleteItem", [.answer]), ("states:startExecution", [.answer, .end, .parsedEnd, .token]),
    ]

    /// The services whose every operation tasks can ask for by the name that the SDK has: `aws-sdk:dynamodb:query`. Whether there is such an
    /// operation is known to whoever answers.
    package static let sdkServices = [
        "cloudformation", "dynamodb", "eventbridge", "kms", "lambda", "s3", "secretsmanager", "ses", "sesv2", "sfn",
        "sns", "sqs", "ssm", "sts",
    ]
    private static let sdk = "aws-sdk:"

    /// The service of a task that asks through the SDK.
    package static func sdkService(_ name: String) -> String? {
        name.hasPrefix(sdk) ? String(name.dropFirst(sdk.count)) : nil
    }

    package static var operationNames: [String] { operations.map(\.name) }

    private static let lambda = "arn:aws:lambda:"
    private static let states = "arn:aws:states:::"

    /// Nil: it is no ARN of either kind.
    package init?(_ text: String) {
        self.text = text
        if text.hasPrefix(Self.lambda) {
            let parts = text.parts(separatedBy: ":")
            guard parts.count >= 7, parts[5] == "function", !parts[6].isEmpty else { return nil }
            kind = .function(parts[6])
            pattern = .answer
            return
        }
        guard text.hasPrefix(Self.states) else { return nil }
        let rest = String(text.dropFirst(Self.states.count))
        let parts = rest.parts(separatedBy: ":")
        guard parts.count >= 2, !parts[0].isEmpty, !parts[1].isEmpty else { return nil }
        let point = rest.parts(separatedBy: ".")
        guard let pattern = Pattern(rawValue: point.dropFirst().joined(separator: ".")), let name = point.first else {
            return nil
        }
        let words = name.parts(separatedBy: ":")
        guard words.count == 2 else {
            // `aws-sdk:s3:getObject`
            kind = .service(words.dropLast().joined(separator: ":"), operation: words.last ?? "")
            self.pattern = pattern
            return
        }
        kind = .service(words[0], operation: words[1])
        self.pattern = pattern
    }

    /// Whether there is somebody here to ask.
    package var isServed: Bool {
        switch kind {
        case .function, .mapRun: true
        case .service(let service, let operation):
            if let name = Self.sdkService(service) {
                Self.sdkServices.contains(name) && (pattern == .answer || pattern == .token)
            } else {
                Self.operations.contains { $0.name == "\(service):\(operation)" && $0.patterns.contains(pattern) }
            }
        }
    }

    /// Whether it is of a service whose operations are all here, and none of them: the cloud refuses such a definition as well.
    var isUnknown: Bool {
        guard case .service(let service, _) = kind, !isServed else { return false }
        return Self.operations.contains { $0.name.hasPrefix("\(service):") }
    }

    /// What errors of it are named after.
    package var refusal: FlowFault {
        .runtime(
            "The resource \(text) is not one that tasks can ask here. There are functions by their ARNs, and of "
                + "\(Self.states): \(Self.operationNames.joined(separator: ", ")), and aws-sdk: with "
                + "\(Self.sdkServices.joined(separator: ", ")).")
    }
}
