import JSON
import Testing

@testable import Project

/// The rights of data sources in a template of CloudFormation.
@Suite("Roles of data sources in a template")
struct StackSourceTests {
    private static let allow =
        #"{"Statement": [{"Effect": "Allow", "Action": "sqs:SendMessage", "Resource": "*"}]}"#

    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        /// Of the data source.
        let role: String
        let resources: String
        var actions: [String] = []
        var unread: [String] = []
        var testDescription: String { name }
    }

    private static let own = #""ServiceRoleArn": {"Fn::GetAtt": ["R", "Arn"]},"#
    private static let empty = #""R": {"Type": "AWS::IAM::Role", "Properties": {}}"#

    static let rows = [
        Row(name: "no role", role: "", resources: empty),
        Row(name: "a role without policies", role: own, resources: empty),
        Row(
            name: "a role with a policy inside", role: own,
            resources:
                #""R": {"Type": "AWS::IAM::Role", "Properties": {"Policies": [{"PolicyName": "p", "PolicyDocument": \#(allow)}]}}"#,
            actions: ["sqs:SendMessage"]),
        Row(
            name: "a policy that names the role", role: own,
            resources: empty
                + #", "P": {"Type": "AWS::IAM::Policy", "Properties": {"Roles": [{"Ref": "R"}], "PolicyDocument": \#(allow)}}"#,
            actions: ["sqs:SendMessage"]),
        Row(
            name: "a policy of another role", role: own,
            resources: empty
                + #", "P": {"Type": "AWS::IAM::Policy", "Properties": {"Roles": [{"Ref": "Q"}], "PolicyDocument": \#(allow)}}"#
        ),
        Row(
            name: "a role that is made elsewhere",
            role: #""ServiceRoleArn": "arn:aws:iam::123456789012:role/other","#, resources: empty,
            unread: ["its role, which is made elsewhere"]),
    ]

    @Test("a data source has the rights of its role, and no others", arguments: rows)
    func grants(_ row: Row) throws {
        let template = try JSONReader.value(
            of: Array(
                """
                {"Resources": {\(row.resources), "S": {"Type": "AWS::AppSync::DataSource", "Properties": {"Name": "jobs", "Type": "HTTP",
                  \(row.role) "HttpConfig": {"Endpoint": "https://sqs.us-east-1.amazonaws.com",
                    "AuthorizationConfig": {"AwsIamConfig": {"SigningServiceName": "sqs"}}}}}}}
                """.utf8))
        let source = try #require(StackResolvers([template], environment: "dev").dataSources.first)
        #expect(source.grants.statements.flatMap(\.actions) == row.actions)
        #expect(source.grants.unread == row.unread)
    }
}
