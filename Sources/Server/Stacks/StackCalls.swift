import Access
import Cloud
import JSON
import Network
import Synchronization

/// The operations of CloudFormation, as far as Amplify's tools read it of the project that is served: `DescribeStacks`, `GetTemplateSummary` and
/// `ListStackResources`. Nothing can be changed by it.
///
/// A sandbox calls its stack after a machine and a user, so every name means the project here.
final class StackCalls: Sendable {
    private let region: String
    private let started = Timestamp.now
    private let reading = Mutex<Reading?>(nil)

    private struct Reading: Sendable {
        let call: @Sendable () -> StackOutputs?
    }

    private static let service = "cloudformation"
    private static let bodyBytesMax = 64 << 10
    private static let parametersMax = 64
    private static let nestingMax = 8
    private static let nameBytesMax = 128
    /// The name of a stack for who names none.
    private static let usualName = "homeport"

    init(region: String) { self.region = region }

    /// Has the project read when somebody asks. Until then there is no stack.
    func tell(_ read: @escaping @Sendable () -> StackOutputs?) { reading.withLock { $0 = Reading(call: read) } }

    // MARK: The table

    private typealias Member = MemberShape.Member

    private static let anyText = MemberShape.text(0...bodyBytesMax)
    private static let page = Member("NextToken", .text(1...1_024))

    var table: ServiceTable {
        ServiceTable(
            "CloudFormation", service: Self.service,
            form: FormWire(
                namespace: "http://cloudformation.amazonaws.com/doc/2010-05-15/", parametersMax: Self.parametersMax,
                nestingMax: Self.nestingMax),
            // The schema is read once more for each call.
            isBesideLoop: true, JSONLimits(bytesMax: Self.bodyBytesMax),
            ServiceWords(
                invalid: CloudError("ValidationError", ""), unreadable: CloudError("MalformedInput", ""),
                missing: "Value null", hint: ": nothing can be changed by it", refusedStatus: 403), self.rows)
    }

    private var rows: [CloudOperation] {
        [
            row("DescribeStacks", [Member("StackName", Self.anyText), Self.page], describe),
            row("ListStackResources", [Member("StackName", Self.anyText, isRequired: true), Self.page], list),
            row(
                "GetTemplateSummary",
                [
                    Member("StackName", Self.anyText), Member("TemplateBody", Self.anyText),
                    Member("TemplateURL", Self.anyText),
                ], summary),
        ]
    }

    /// An operation that says something of the project.
    private func row(
        _ name: String, _ members: [MemberShape.Member],
        _ tell: @escaping @Sendable (_ outputs: StackOutputs, _ stack: String) -> JSONObject
    ) -> CloudOperation {
        CloudOperation(name, members) { (call: CloudCall) async throws(CloudError) in
            guard let stack = Self.name(call.input.given("StackName")), Self.isName(stack) else {
                throw CloudError("ValidationError", "StackName is no name of a stack.")
            }
            guard let outputs = self.reading.withLock({ $0 })?.call() else {
                throw CloudError("ValidationError", "Stack with id \(stack) does not exist")
            }
            return tell(outputs, stack)
        }
    }

    /// The name of a stack that a call names, by itself or by its ARN.
    private static func name(_ said: String?) -> String? {
        guard let said, !said.isEmpty else { return usualName }
        guard said.hasPrefix("arn:") else { return said }
        let parts = said.parts(separatedBy: "/")
        return parts.count > 1 ? parts[1] : nil
    }

    private static func isName(_ name: String) -> Bool {
        name.utf8.count <= nameBytesMax && name.utf8.first?.isLetter ?? false
            && name.utf8.allSatisfy { $0.isAlphanumeric || $0 == UInt8(ascii: "-") }
    }

    // MARK: Answers

    @Sendable private func describe(_ outputs: StackOutputs, _ name: String) -> JSONObject {
        let arn = ARN(
            "cloudformation", region: region, account: IAMPrincipal.exampleAccountID, "stack/\(name)/homeport"
        ).description
        let stack: JSONValue = [
            "StackId": .string(arn), "StackName": .string(name), "CreationTime": .string(started.text),
            "StackStatus": "CREATE_COMPLETE", "DisableRollback": "false", "Outputs": outputs.outputs,
        ]
        return JSONObject([("Stacks", .array([stack]))])
    }

    @Sendable private func summary(_ outputs: StackOutputs, _: String) -> JSONObject {
        JSONObject([
            ("Metadata", .string(outputs.metadata)), ("Parameters", []),
            ("ResourceTypes", .array(outputs.resources.map(\.type).eachOnce().map(JSONValue.string))),
            ("Version", "2010-09-09"),
        ])
    }

    @Sendable private func list(_ outputs: StackOutputs, _: String) -> JSONObject {
        let list = outputs.resources.map { resource -> JSONValue in
            [
                "LogicalResourceId": .string(resource.logical),
                "PhysicalResourceId": .string(resource.physical), "ResourceType": .string(resource.type),
                "ResourceStatus": "CREATE_COMPLETE", "LastUpdatedTimestamp": .string(started.text),
            ]
        }
        return JSONObject([("StackResourceSummaries", .array(list))])
    }
}
