import Access
import Cloud
import JSON
import Network
import Synchronization

/// CloudFormation over HTTP, as far as Amplify's tools read it of the project that is served: `DescribeStacks`, `GetTemplateSummary` and
/// `ListStackResources`. Nothing can be changed by it.
///
/// A sandbox calls its stack after a machine and a user, so every name means the project here.
final class StackRoute: CloudService {
    private let callers: AdministratorCheck
    private let region: String
    private let started = Timestamp.now
    private let reading = Mutex<Reading?>(nil)

    private struct Reading: Sendable {
        let call: @Sendable () -> StackOutputs?
    }

    private static let service = "cloudformation"
    private static let namespace = "http://cloudformation.amazonaws.com/doc/2010-05-15/"
    private static let bodyBytesMax = 64 << 10
    private static let parametersMax = 64
    private static let nameBytesMax = 128
    /// The name of a stack for who names none.
    private static let usualName = "homeport"

    init(_ callers: ServiceCallers, region: String) {
        self.callers = callers.of(Self.service)
        self.region = region
    }

    /// Has the project read when somebody asks. Until then there is no stack.
    func tell(_ read: @escaping @Sendable () -> StackOutputs?) { reading.withLock { $0 = Reading(call: read) } }

    var route: Route { .stacks }
    var scopes: [String] { [Self.service] }

    func reception(_ head: HTTPRequestHead, on _: @escaping @Sendable (EventLoop) -> LoopShard) -> HTTPReception {
        // The schema is told once more for each call.
        .collect(bodyMax: Self.bodyBytesMax) { request in await BesideLoop.always { await self.answer(request) } }
    }

    func refusal(of error: HTTPParseError) -> HTTPResponse {
        HTTPResponse(status: error.status, body: .bytes(Array("\(error)".utf8)))
    }

    private func answer(_ request: HTTPRequest) async -> HTTPResponse {
        let answer = QueryAnswer(namespace: Self.namespace, identifier: request.identifier)
        guard request.head.method == .post, case .bytes(let body) = request.body else {
            return answer.refusal(405, "InvalidAction", "The service is called by POST.")
        }
        let parameters = HTTPPercentCoding.parameters(
            of: String(decoding: body, as: UTF8.self), max: Self.parametersMax)
        func parameter(_ name: String) -> String? { parameters.first { $0.name == name }?.value }
        let action = parameter("Action") ?? ""
        let refusal = callers.refusal(
            of: request.credentials(body: body), for: action, now: Timestamp.now.seconds
        ) { [RightsDemand("\(Self.service):\(action)", .all(of: Self.service))] }
        if let refusal { return answer.refusal(403, refusal.formCode, refusal.message) }
        let name = Self.name(parameter("StackName"))
        guard let name, Self.isName(name) else {
            return answer.refusal(400, "ValidationError", "StackName is no name of a stack.")
        }
        guard let content = content(of: action, name) else {
            return answer.refusal(
                400, "InvalidAction",
                "\(action) is not served here: DescribeStacks, GetTemplateSummary and ListStackResources are.")
        }
        guard let outputs = reading.withLock({ $0 })?.call() else {
            return answer.refusal(400, "ValidationError", "Stack with id \(name) does not exist")
        }
        return answer.success(action, content(outputs))
    }

    /// The name of a stack that a call names, by itself or by its ARN.
    private static func name(_ said: String?) -> String? {
        guard let said, !said.isEmpty else { return usualName }
        guard said.hasPrefix("arn:") else { return said }
        let parts = said.parts(separatedBy: "/")
        return parts.count > 1 ? parts[1] : nil
    }

    private static func isName(_ name: String) -> Bool {
        func isLetter(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) }
        return name.utf8.count <= nameBytesMax && name.utf8.first.map(isLetter) ?? false
            && name.utf8.allSatisfy { isLetter($0) || (0x30...0x39).contains($0) || $0 == UInt8(ascii: "-") }
    }

    /// What an operation answers of the project; nil: it is none of those that are served.
    private func content(of action: String, _ name: String) -> ((StackOutputs) -> JSONObject)? {
        let arn = "arn:aws:cloudformation:\(region):\(IAMPrincipal.exampleAccountID):stack/\(name)/homeport"
        let began = JSONValue.string(started.text)
        switch action {
        case "DescribeStacks":
            return { outputs in
                let stack: JSONValue = [
                    "StackId": .string(arn), "StackName": .string(name), "CreationTime": began,
                    "StackStatus": "CREATE_COMPLETE", "DisableRollback": "false", "Outputs": outputs.outputs,
                ]
                return JSONObject([("Stacks", .array([stack]))])
            }
        case "GetTemplateSummary":
            return { outputs in
                JSONObject([
                    ("Metadata", .string(outputs.metadata)), ("Parameters", []),
                    ("ResourceTypes", .array(outputs.resources.map(\.type).eachOnce().map(JSONValue.string))),
                    ("Version", "2010-09-09"),
                ])
            }
        case "ListStackResources":
            return { outputs in
                let list = outputs.resources.map { resource -> JSONValue in
                    [
                        "LogicalResourceId": .string(resource.logical),
                        "PhysicalResourceId": .string(resource.physical), "ResourceType": .string(resource.type),
                        "ResourceStatus": "CREATE_COMPLETE", "LastUpdatedTimestamp": began,
                    ]
                }
                return JSONObject([("StackResourceSummaries", .array(list))])
            }
        default: return nil
        }
    }
}
