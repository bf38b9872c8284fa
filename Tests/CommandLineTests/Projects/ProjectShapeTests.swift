import Foundation
import TestSupport
import Testing

/// Projects in the shapes that real apps have, each served with no setting: what it answers, and what is said of it.
@Suite("Shapes of real projects")
struct ProjectShapeTests {
    struct Shape: Sendable, CustomTestStringConvertible {
        let name: String
        let files: [String: String]
        /// A query, and a part of its answer.
        var query = "{ __typename }"
        var answer = #"{"data":{"__typename":"Query"}}"#
        /// Parts of warnings, which the start and `check` both have.
        var warnings: [String] = []
        var needsNode = false
        var testDescription: String { name }
    }

    // MARK: Gen 1

    private static func version1(
        api: String = "blog",
        _ schema: String = "type Post @model @auth(rules: [{allow: public}]) { id: ID! title: String }",
        others: String = "", _ files: [String: String] = [:]
    ) -> [String: String] {
        let modes = #""output": {"authConfig": {"defaultAuthentication": {"authenticationType": "API_KEY"}}}"#
        let usual = [
            "amplify/backend/backend-config.json":
                #"{"api": {"\#(api)": {"service": "AppSync", \#(modes)}}\#(others)}"#,
            "amplify/backend/api/\(api)/schema.graphql": schema,
            "amplify/cli.json":
                #"{"features": {"graphqltransformer": {"transformerversion": 2, "useexperimentalpipelinedtransformer": true}}}"#,
        ]
        return usual.merging(files) { $1 }
    }

    private static let echo = "type Query { echo: String @function(name: \"echo\") }"
    private static let withEcho = #", "function": {"echo": {"service": "Lambda"}}"#

    private static func function(_ code: String, variables: String = "{}") -> [String: String] {
        let properties =
            #"{"Handler": "index.handler", "Runtime": "nodejs18.x", "FunctionName": "echo", "Environment": {"Variables": \#(variables)}}"#
        return [
            "amplify/backend/function/echo/src/index.js": code,
            "amplify/backend/function/echo/echo-cloudformation-template.json":
                #"{"Resources": {"LambdaFunction": {"Type": "AWS::Lambda::Function", "Properties": \#(properties)}}}"#,
        ]
    }

    // MARK: Gen 2

    private static let data = """
        import { a, defineData } from '@aws-amplify/backend';
        const schema = a.schema({ Todo: a.model({ text: a.string() }).authorization((allow) => [allow.publicApiKey()]) });
        export const data = defineData({ schema, authorizationModes: { defaultAuthorizationMode: 'apiKey' } });
        """

    private static func version2(
        _ program: String = "", auth: String = "defineAuth({ loginWith: { email: true } })",
        storage: String = "defineStorage({ name: 'files' })", _ files: [String: String] = [:]
    ) -> [String: String] {
        let usual = [
            "amplify/data/resource.ts": data,
            "amplify/auth/resource.ts":
                "import { defineAuth } from '@aws-amplify/backend';\nexport const auth = \(auth);",
            "amplify/storage/resource.ts":
                "import { defineStorage } from '@aws-amplify/backend';\nexport const storage = \(storage);",
            "amplify/fn/resource.ts": """
            import { defineFunction, secret } from '@aws-amplify/backend';
            export const fn = defineFunction({ name: 'fn', entry: './handler.js', environment: { KEY: secret('KEY') } });
            """,
            "amplify/fn/handler.js": "export const handler = async () => 'ok';",
            "amplify/backend.ts": """
            import { defineBackend } from '@aws-amplify/backend'; import * as sfn from 'aws-cdk-lib/aws-stepfunctions';
            import * as ec2 from 'aws-cdk-lib/aws-ec2'; import * as tasks from 'aws-cdk-lib/aws-stepfunctions-tasks';
            import { auth } from './auth/resource'; import { data } from './data/resource';
            import { storage } from './storage/resource'; import { fn } from './fn/resource';
            const backend = defineBackend({ auth, data, storage, fn }); const stack = backend.createStack('s');
            \(program)
            """,
        ]
        return usual.merging(files) { $1 }
    }

    // MARK: The shapes

    static let shapes = [
        Shape(
            name: "an API that is called api",
            files: version1(
                api: "api", "type Post @model @auth(rules: [{allow: public}]) { id: ID! }\n" + echo, others: withEcho,
                function("exports.handler = async () => 'here';")),
            query: "{ echo }", answer: #"{"data":{"echo":"here"}}"#, needsNode: true),
        Shape(
            name: "a function that listens on a port",
            files: version1(
                echo, others: withEcho,
                function(
                    "const server = require('http').createServer(); server.listen(3000); exports.handler = async () => typeof server.address().port;"
                )), query: "{ one: echo two: echo }", answer: #"{"data":{"one":"number","two":"number"}}"#,
            needsNode: true),
        Shape(
            name: "a template that is left over in resolvers",
            files: version1(
                "type Post @model @auth(rules: [{allow: public}]) { id: ID! place: Place }\ntype Place { street: String }",
                ["amplify/backend/api/blog/resolvers/Post.place.req.vtl": "{}"]),
            query: "{ listPosts { items { place { street } } } }", answer: #"{"data":{"listPosts":{"items":[]}}}"#,
            warnings: ["Post.place"]),
        Shape(
            name: "a secret of a function in Gen 1, and an address of AWS in a file that it imports",
            files: version1(
                echo, others: withEcho,
                function(
                    "const { url } = require('./out.json'); exports.handler = async () => url;",
                    variables: #"{"KEY": "/amplify/d1/dev/AMPLIFY_echo_KEY"}"#
                ).merging([
                    "amplify/backend/function/echo/src/out.json":
                        #"{"url": "https://abc.appsync-api.us-east-1.amazonaws.com/graphql"}"#
                ]) { $1 }), warnings: ["functions go without the secrets KEY", "src/out.json:1"]),
        Shape(
            name: "a folder that is written otherwise than its name",
            files: version1(
                others: #", "function": {"Echo": {"service": "Lambda"}}"#, function("exports.handler = async () => 1;")),
            warnings: ["`function.Echo` has no folder"]),
        Shape(
            name: "an override of Gen 1 that nothing reads",
            files: version1(
                others: "",
                [
                    "amplify/backend/api/blog/override.ts":
                        "export function override(resources) { resources.models['Post'].modelDDBTable.timeToLiveSpecification = {}; }"
                ]), warnings: ["timeToLiveSpecification` does not hold here"]),
        Shape(
            name: "an option that Amplify does not know",
            files: version2(
                auth:
                    "defineAuth({ loginWith: { email: true }, userAttributes: { email: { required: true, order: 1 } as any } })",
                storage: "defineStorage({ name: 'files', cors: [] } as any)"),
            warnings: ["`userAttributes.email` has no `order`", "`defineStorage` has no `cors`"]),
        Shape(
            name: "a program that goes on behind what is not known",
            files: version2(
                """
                const source = backend.fn.resources.lambda.addEventSourceMapping('m', { eventSourceArn: stack.arn });
                source.node.addDependency(stack); new tasks.MediaConvertCreateJob(stack, 'j', {} as any);
                if (typeof backend.fn.resources.lambda.node.defaultChild.environment === 'object') stack.x;
                backend.addOutput({ custom: { id: new ec2.Vpc(stack, 'v').vpcId } });
                """),
            warnings: ["MediaConvertCreateJob", "`custom.id` of addOutput"]),
        Shape(
            name: "a secret and a variable without values, and a state machine that cannot be",
            files: version2(
                """
                backend.fn.addEnvironment('VPC', new ec2.Vpc(stack, 'v').vpcId);
                new sfn.StateMachine(stack, 'm', { definitionBody: sfn.DefinitionBody.fromString('{"StartAt":"a","States":{"a":{"Type":"No"}}}') });
                """),
            warnings: ["without the secrets KEY", "VPC of fn", "the state machine m is left out"]),
        Shape(
            name: "a literal with sign-in spread into it",
            files: version2(
                "",
                [
                    "amplify/backend.ts": """
                    import { defineBackend } from '@aws-amplify/backend'; import { auth } from './auth/resource';
                    import { data } from './data/resource';
                    defineBackend({ auth: { ...auth }, data });
                    """
                ])),
    ]

    /// Lines of a log, or of a report, that warn, without times and places.
    private static func warnings(_ text: String) -> [String] {
        text.split(separator: "\n").compactMap { line in
            for mark in ["WARNING ", "warning: "] {
                if let range = line.range(of: mark) { return String(line[range.upperBound...]) }
            }
            return nil
        }
    }

    private static let hasNode = ["/usr/bin/node", "/bin/node"].contains(
        where: FileManager.default.isExecutableFile(atPath:))

    @Test("each is whole, and `check` says all that its start says", arguments: shapes)
    func isWhole(shape: Shape) throws {
        let folder = TemporaryFolder()
        for (name, text) in shape.files { try folder.write(text, to: name) }
        let check = try ProgramRun.outcome(["check"], in: folder)
        #expect(check.code == .success, "\(check.diagnostics)")
        let server = try HomeportProcess(schema: nil, in: folder)
        if !shape.needsNode || Self.hasNode {
            #expect(try server.answer(to: shape.query) == shape.answer, "\(server.log)")
        }
        for warning in shape.warnings {
            #expect(server.logs(warning, milliseconds: 30_000), "\(server.log)")
            #expect(check.diagnostics.contains(warning), "\(check.diagnostics)")
        }
        let said = Self.warnings(check.diagnostics)
        for warning in Self.warnings(server.log) {
            #expect(
                said.contains { $0.contains(warning) || warning.contains($0) }, "check does not say: \(warning)")
        }
    }
}
