import Blueprint
import Project
import Script

/// What the parts of a project are called when they are deployed, as policies name them.
extension SignInRun {
    /// The service of a resource, and its ARN; nil: it is none of those that are served here.
    func arn(of object: ScriptObject) -> (service: String, arn: FunctionVariable.Value)? {
        guard let opaque = object as? OpaqueObject else { return nil }
        func own(_ name: String) -> FunctionVariable.Value { .deployed("\(opaque.origin).\(name)") }
        func named(_ service: String, _ ending: String) -> (String, FunctionVariable.Value) {
            (service, .deployed("\(FunctionVariable.arnOrigin)\(service):\(ending)"))
        }
        if let queue = messaging.queue(object) { return ("sqs", .deployed("\(MessagingRun.origin)\(queue).queueArn")) }
        if storage.place(ofBucket: .object(object)) != nil { return ("s3", own("bucketArn")) }
        if let origin = functions.origin(of: object) { return ("lambda", .deployed("\(origin).functionArn")) }
        if let table = dataSources.tables.name(of: object) { return named("dynamodb", "table/\(table)") }
        if FunctionRun.model(ofTable: object) != nil { return ("dynamodb", own("tableArn")) }
        if let bus = messaging.bus(.object(object)) { return named("events", "event-bus/\(bus)") }
        if opaque.origin.hasSuffix(".auth.resources.userPool") { return ("cognito-idp", own("userPoolArn")) }
        if opaque.origin.hasSuffix(".resources.graphqlApi") { return ("appsync", own("arn")) }
        return Self.made(opaque).map { named($0.service, $0.ending) }
    }

    /// What a value comes to that is the ARN of a resource, or of something in it: `queue.queueArn`, `bucket.arnForObjects('in/*')`.
    func arnValue(of object: OpaqueObject) -> FunctionVariable.Value? {
        if case .member(let parent, let name) = object.making {
            if let origin = dataSources.tables.streamOrigin(name, of: parent) { return .deployed(origin) }
            guard name.hasSuffix("Arn"), name != "tableStreamArn", name != "attrStreamArn" else { return nil }
            return arn(of: parent)?.arn
        }
        guard case .call(let given) = object.making,
            case .member(let parent, "arnForObjects")? = object.function?.making,
            case .text(let pattern)? = given.first, let bucket = arn(of: parent), bucket.service == "s3"
        else { return nil }
        return .joined([bucket.arn, .text("/\(pattern.string)")])
    }

    /// What is made of the CDK's parts, or referred to by its name.
    private static func made(_ object: OpaqueObject) -> (service: String, ending: String)? {
        guard case .call(let given) = object.making else { return nil }
        func text(_ place: Int) -> String? {
            if given.indices.contains(place), case .text(let text) = given[place] { text.string } else { nil }
        }
        func option(_ name: String) -> String? {
            guard given.count > 2, case .object(let options) = given[2], !options.isOpaque,
                case .text(let text)? = try? options.get(name)
            else { return nil }
            return text.string
        }
        let origin = object.origin
        func isMade(_ kind: String) -> Bool {
            origin.hasPrefix("new ") && (origin.hasSuffix(".\(kind)()") || origin.hasSuffix(" \(kind)()"))
        }
        func isCalled(_ method: String) -> Bool { origin.hasSuffix(".\(method)()") }
        func behind(_ arn: String?, _ service: String) -> (String, String)? {
            let parts = (arn ?? "").split(separator: ":", maxSplits: 5, omittingEmptySubsequences: false)
            return parts.count == 6 ? (service, String(parts[5])) : nil
        }
        if isMade("Topic") { return (option("topicName") ?? text(1)).map { ("sns", $0) } }
        if isMade("Secret") {
            return (option("secretName") ?? text(1)).map { ("secretsmanager", "secret:\($0)-??????") }
        }
        if isMade("StringParameter") || isMade("StringListParameter") {
            return (option("parameterName") ?? text(1)).map { ("ssm", parameter($0)) }
        }
        if isMade("StateMachine") {
            return (option("stateMachineName") ?? text(1)).map { ("states", "stateMachine:\($0)") }
        }
        if isCalled("fromSecretNameV2") || isCalled("fromSecretName") {
            return text(2).map { ("secretsmanager", "secret:\($0)-??????") }
        }
        if isCalled("fromSecretCompleteArn") { return behind(text(2), "secretsmanager") }
        if isCalled("fromStringParameterName") { return text(2).map { ("ssm", parameter($0)) } }
        if isCalled("fromStringParameterAttributes") || isCalled("fromSecureStringParameterAttributes") {
            return option("parameterName").map { ("ssm", parameter($0)) }
        }
        if isCalled("fromTableName") { return text(2).map { ("dynamodb", "table/\($0)") } }
        if isCalled("fromTableArn") { return behind(text(2), "dynamodb") }
        if isCalled("fromQueueArn") { return behind(text(2), "sqs") }
        if isCalled("fromTopicArn") { return behind(text(2), "sns") }
        if isCalled("fromBucketName") { return text(2).map { ("s3", $0) } }
        if isCalled("fromEventBusName") { return text(2).map { ("events", "event-bus/\($0)") } }
        if isCalled("fromFunctionName") { return text(2).map { ("lambda", "function:\($0)") } }
        return nil
    }

    private static func parameter(_ name: String) -> String {
        name.utf8.first == UInt8(ascii: "/") ? "parameter\(name)" : "parameter/\(name)"
    }
}
