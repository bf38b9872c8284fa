import Foundation
import JSON
import TestSupport
import Testing

/// A real server holds functions to what their project gives them, at every door.
@Suite("Rights of functions at every service")
struct FunctionRightsServeTests {
    private static let project = [
        "amplify/auth/resource.ts": """
        import { defineAuth } from '@aws-amplify/backend';
        import { worker } from '../fn/resource';
        export const auth = defineAuth({ loginWith: { email: true }, access: (allow) => [allow.resource(worker).to(['addUserToGroup'])] });
        """,
        "amplify/data/resource.ts": """
        import { a, defineData } from '@aws-amplify/backend';
        import { worker } from '../fn/resource';
        const schema = a.schema({
          Todo: a.model({ text: a.string() }),
          Post: a.model({ text: a.string() }),
        }).authorization((allow) => [allow.authenticated(), allow.resource(worker).to(['query'])]);
        export const data = defineData({ schema, authorizationModes: { defaultAuthorizationMode: 'userPool' } });
        """,
        "amplify/storage/resource.ts": """
        import { defineStorage } from '@aws-amplify/backend';
        import { worker } from '../fn/resource';
        export const files = defineStorage({ name: 'files', access: (allow) => ({ 'ruled/*': [allow.resource(worker).to(['write'])] }) });
        """,
        "amplify/fn/resource.ts": """
        import { defineFunction, secret } from '@aws-amplify/backend';
        export const worker = defineFunction({ name: 'worker', environment: { STRIPE: secret('STRIPE') } });
        export const other = defineFunction({ name: 'other', environment: { THEIRS: secret('THEIRS') } });
        export const partly = defineFunction({ name: 'partly' });
        export const none = defineFunction({ name: 'none' });
        """,
        "amplify/backend.ts": """
        import { defineBackend } from '@aws-amplify/backend';
        import { PolicyStatement, ManagedPolicy, Effect } from 'aws-cdk-lib/aws-iam';
        import { Queue } from 'aws-cdk-lib/aws-sqs';
        import { auth } from './auth/resource';
        import { data } from './data/resource';
        import { files } from './storage/resource';
        import { worker, other, partly, none } from './fn/resource';
        const backend = defineBackend({ auth, data, files, worker, other, partly, none });
        const stack = backend.createStack('own');
        const fn = backend.worker.resources.lambda;
        const tables = backend.data.resources.tables;
        tables['Todo'].grantReadData(fn);
        for (const f of [backend.worker, backend.none]) {
          f.addEnvironment('TODO', tables['Todo'].tableName);
          f.addEnvironment('POST', tables['Post'].tableName);
          f.addEnvironment('BUCKET', backend.files.resources.bucket.bucketName);
          f.addEnvironment('POOL', backend.auth.resources.userPool.userPoolId);
        }
        const jobs = new Queue(stack, 'jobs');
        const others = new Queue(stack, 'others');
        jobs.grantSendMessages(fn);
        backend.files.resources.bucket.grantRead(fn, 'in/*');
        backend.other.resources.lambda.grantInvoke(fn);
        fn.addToRolePolicy(new PolicyStatement({ actions: ['ses:SendEmail'], resources: ['arn:aws:ses:eu-west-1:1:identity/app.example'] }));
        fn.addToRolePolicy(new PolicyStatement({ actions: ['sns:Publish'], resources: ['*'] }));
        fn.addToRolePolicy(new PolicyStatement({ actions: ['events:PutEvents'], resources: ['arn:aws:events:*:*:event-bus/default'] }));
        fn.addToRolePolicy(new PolicyStatement({ actions: ['ssm:*'], resources: ['arn:aws:ssm:*:*:parameter/app/*'] }));
        fn.addToRolePolicy(new PolicyStatement({ effect: Effect.DENY, actions: ['ssm:DeleteParameter'], resources: ['*'] }));
        fn.addToRolePolicy(new PolicyStatement({ actions: ['secretsmanager:GetSecretValue'], resources: ['arn:aws:secretsmanager:*:*:secret:mine-AbCdEf'] }));
        backend.partly.resources.lambda.role.addManagedPolicy(ManagedPolicy.fromAwsManagedPolicyName('OfSomebody'));
        """,
    ]

    private struct Place {
        let server: HomeportProcess
        var keys: [String: [String: String]] = [:]
        /// The functions' variables.
        subscript(function: String) -> [String: String] { keys[function] ?? [:] }
    }

    private static func start(strict: Bool = false, policy: String = "[]") throws -> Place {
        let folder = TemporaryFolder()
        for (name, text) in project { try folder.write(text, to: name) }
        try folder.write("STRIPE=sk\nTHEIRS=other's\nmine=a secret\ntheirs=b secret\n", to: ".homeport/secrets")
        let command = #""command": ["\#(HomeportProcess.program(named: "test-runtime"))", "serve"], "timeout": 60"#
        let functions =
            ["worker", "other", "partly"].map { #""\#($0)": {\#(command)}"# }
            + [#""none": {\#(command), "policy": \#(policy)}"#, #""strict": \#(strict)"#]
        try folder.write(
            #"{"functions": {\#(functions.joined(separator: ", "))}}"#,
            to: "homeport.json")
        var place = Place(
            server: try HomeportProcess(
                ["--config", "homeport.json", "--schema", "amplify/data/resource.ts"], schema: nil, in: folder))
        for name in ["worker", "other", "partly", "none"] {
            var call = SignedCall("", #"{"do":"variables"}"#, to: place.server)
            (call.hasTarget, call.service) = (false, "lambda")
            call.path = "/2015-03-31/functions/\(name)/invocations"
            call.signed = ["content-type", "host", "x-amz-date"]
            let told = try call.answer(from: place.server).body
            place.keys[name] = try #require(
                try JSONSerialization.jsonObject(with: Data(told.utf8)) as? [String: String], "\(told)")
        }
        return place
    }

    private static func signed(_ call: SignedCall, as keys: [String: String]) -> SignedCall {
        var call = call
        call.accessKeyID = keys["AWS_ACCESS_KEY_ID"] ?? ""
        call.secret = keys["AWS_SECRET_ACCESS_KEY"] ?? ""
        call.others += [("x-amz-security-token", keys["AWS_SESSION_TOKEN"] ?? "")]
        call.signed += ["x-amz-security-token"]
        return call
    }

    /// A call as an SDK makes it.
    struct Row: Sendable, CustomTestStringConvertible {
        let service: String
        /// With the operation; nil: a form.
        var target: String?
        var path = "/"
        var body: String
        /// What is told of a refusal; nil: there is none for lack of rights.
        let refusal: String?
        var testDescription: String { "\(service) \(target ?? path) \(body.prefix(60))" }

        init(_ service: String, _ target: String?, _ body: String, path: String = "/", refusal: String? = nil) {
            (self.service, self.target, self.body, self.path, self.refusal) = (service, target, body, path, refusal)
        }
    }

    private static let denied = "AccessDeniedException"

    private static func rows(_ variables: [String: String]) -> [Row] {
        let (todo, post) = (variables["TODO"] ?? "?", variables["POST"] ?? "?")
        let pool = variables["POOL"] ?? "?"
        func items(_ operation: String, _ body: String, refused: Bool) -> Row {
            Row("dynamodb", "DynamoDB_20120810.\(operation)", body, refusal: refused ? denied : nil)
        }
        func key(_ table: String) -> String { #"{"TableName": "\#(table)", "Key": {"id": {"S": "1"}}}"# }
        func users(_ operation: String, _ body: String, refused: Bool) -> Row {
            Row("cognito-idp", "AWSCognitoIdentityProviderService.\(operation)", body, refusal: refused ? denied : nil)
        }
        func queue(_ operation: String, _ name: String, _ more: String = "", refused: Bool) -> Row {
            Row(
                "sqs", "AmazonSQS.\(operation)", #"{"QueueUrl": "http://h/123456789012/\#(name)"\#(more)}"#,
                refusal: refused ? denied : nil)
        }
        func parameter(_ operation: String, _ body: String, refused: Bool) -> Row {
            Row("ssm", "AmazonSSM.\(operation)", body, refusal: refused ? denied : nil)
        }
        func secret(_ name: String, refused: Bool) -> Row {
            Row(
                "secretsmanager", "secretsmanager.GetSecretValue", #"{"SecretId": "\#(name)"}"#,
                refusal: refused ? denied : nil)
        }
        func mail(_ source: String, refused: Bool) -> Row {
            Row(
                "ses", nil,
                "Action=SendEmail&Source=\(source)&Destination.ToAddresses.member.1=a%40b.example&Message.Subject.Data=s&Message.Body.Text.Data=t",
                refusal: refused ? "<Code>AccessDenied</Code>" : nil)
        }
        return [
            items("GetItem", key(todo), refused: false), items("PutItem", key(todo), refused: true),
            items("DeleteItem", key(todo), refused: true), items("GetItem", key(post), refused: true),
            items("Query", #"{"TableName": "\#(todo)", "IndexName": "x"}"#, refused: false),
            items("Scan", #"{"TableName": "\#(todo)"}"#, refused: false),
            items("ListTables", "{}", refused: true),
            items("DescribeTable", #"{"TableName": "\#(post)"}"#, refused: true),
            items("DeleteTable", #"{"TableName": "\#(todo)"}"#, refused: true),
            items(
                "BatchGetItem", #"{"RequestItems": {"\#(todo)": {"Keys": [{"id": {"S": "1"}}]}}}"#, refused: false),
            items(
                "BatchGetItem",
                #"{"RequestItems": {"\#(todo)": {"Keys": [{"id": {"S": "1"}}]}, "\#(post)": {"Keys": [{"id": {"S": "1"}}]}}}"#,
                refused: true),
            items("TransactGetItems", #"{"TransactItems": [{"Get": \#(key(todo))}]}"#, refused: false),
            items(
                "TransactGetItems", #"{"TransactItems": [{"Get": \#(key(todo))}, {"Get": \#(key(post))}]}"#,
                refused: true),
            items("TransactWriteItems", #"{"TransactItems": [{"Delete": \#(key(todo))}]}"#, refused: true),
            items("TransactWriteItems", #"{"TransactItems": []}"#, refused: true),
            queue("SendMessage", "jobs", #", "MessageBody": "x""#, refused: false),
            queue("SendMessageBatch", "jobs", #", "Entries": [{"Id": "a", "MessageBody": "x"}]"#, refused: false),
            queue("ReceiveMessage", "jobs", refused: true), queue("PurgeQueue", "jobs", refused: true),
            queue("SendMessage", "others", #", "MessageBody": "x""#, refused: true),
            Row("sqs", "AmazonSQS.ListQueues", "{}", refusal: denied),
            Row("sqs", nil, "Action=SendMessage&MessageBody=x", path: "/123456789012/jobs"),
            Row(
                "sqs", nil, "Action=SendMessage&MessageBody=x", path: "/123456789012/others",
                refusal: "<Code>AccessDenied</Code>"),
            users(
                "AdminAddUserToGroup", #"{"UserPoolId": "\#(pool)", "Username": "x", "GroupName": "y"}"#, refused: false
            ),
            users("AdminDeleteUser", #"{"UserPoolId": "\#(pool)", "Username": "x"}"#, refused: true),
            users("ListUsers", #"{"UserPoolId": "\#(pool)"}"#, refused: true),
            parameter("GetParameter", #"{"Name": "/app/limit"}"#, refused: false),
            parameter("PutParameter", #"{"Name": "/app/limit", "Value": "1", "Type": "String"}"#, refused: false),
            parameter("GetParametersByPath", #"{"Path": "/app"}"#, refused: false),
            parameter("GetParametersByPath", #"{"Path": "/"}"#, refused: true),
            parameter("DeleteParameter", #"{"Name": "/app/limit"}"#, refused: true),
            parameter("GetParameter", #"{"Name": "/apple"}"#, refused: true),
            parameter(
                "GetParameter", #"{"Name": "arn:aws:ssm:us-east-1:123456789012:parameter/other/x"}"#, refused: true),
            parameter("GetParameters", #"{"Names": ["/amplify/app/main/STRIPE", "STRIPE"]}"#, refused: false),
            parameter(
                "GetParameters", #"{"Names": ["/amplify/app/main/STRIPE", "/amplify/app/main/THEIRS"]}"#, refused: true),
            parameter("GetParameter", #"{"Name": "THEIRS"}"#, refused: true),
            secret("mine", refused: false), secret("theirs", refused: true), secret("STRIPE", refused: true),
            secret("arn:aws:secretsmanager:us-east-1:123456789012:secret:theirs-AAAAAA", refused: true),
            Row("secretsmanager", "secretsmanager.ListSecrets", "{}", refusal: denied),
            mail("app%40app.example", refused: false), mail("app%40other.example", refused: true),
            Row("ses", nil, "Action=DeleteTemplate&TemplateName=x", refusal: "<Code>AccessDenied</Code>"),
            Row("sns", nil, "Action=Publish&Message=x&TopicArn=arn:aws:sns:us-east-1:123456789012:t"),
            Row("sns", nil, "Action=CreateTopic&Name=t", refusal: "<Code>AuthorizationError</Code>"),
            Row(
                "events", "AWSEvents.PutEvents",
                #"{"Entries": [{"Source": "s", "DetailType": "d", "Detail": "{}"}]}"#),
            Row(
                "events", "AWSEvents.PutEvents",
                #"{"Entries": [{"Source": "s", "DetailType": "d", "Detail": "{}"}, {"Source": "s", "DetailType": "d", "Detail": "{}", "EventBusName": "shop"}]}"#,
                refusal: denied),
            Row("events", "AWSEvents.ListRules", "{}", refusal: denied),
            Row("lambda", nil, #"{"do":"process"}"#, path: "/2015-03-31/functions/other/invocations"),
            Row(
                "lambda", nil, #"{"do":"process"}"#, path: "/2015-03-31/functions/none/invocations", refusal: denied),
            Row("bedrock", nil, "{}", path: "/model/x/converse", refusal: denied),
        ]
    }

    private static func call(_ row: Row, to server: HomeportProcess) -> SignedCall {
        var call = SignedCall("", row.body, to: server)
        (call.service, call.path) = (row.service, row.path)
        call.target = row.target
        call.hasTarget = row.target != nil
        if row.target == nil {
            call.signed = ["content-type", "host", "x-amz-date"]
            call.contentType = row.body.hasPrefix("{") ? "application/json" : "application/x-www-form-urlencoded"
        }
        return call
    }

    private static func isRefused(_ answer: (status: Int, head: String, body: String)) -> Bool {
        ["AccessDenied", "AuthorizationError"].contains { answer.body.contains($0) || answer.head.contains($0) }
    }

    @Test("a function may do what its project gives it, and nothing else")
    func held() throws {
        let place = try Self.start()
        for row in Self.rows(place["worker"]) {
            let answer = try Self.signed(Self.call(row, to: place.server), as: place["worker"]).answer(
                from: place.server)
            guard let refusal = row.refusal else {
                #expect(!Self.isRefused(answer), "\(row): \(answer)")
                continue
            }
            #expect((answer.head + answer.body).contains(refusal), "\(row): \(answer)")
            #expect(
                answer.body.contains("assumed-role/worker/worker is not authorized to perform: "), "\(row): \(answer)")
            #expect((400...403).contains(answer.status), "\(row): \(answer)")
        }
        // Who is given nothing may do nothing of it, by whatever names.
        for row in Self.rows(place["none"]) {
            let answer = try Self.signed(Self.call(row, to: place.server), as: place["none"]).answer(from: place.server)
            #expect(Self.isRefused(answer), "\(row): \(answer)")
        }
        #expect(
            place.server.logs(
                "It is given in amplify/backend.ts by backend.data.resources.tables['Todo'].grantWriteData(backend.worker.resources.lambda)"
            ))
        #expect(!place.server.log.contains("which nothing that can be read"))
    }

    @Test("what of a function's rights cannot be read is allowed in development, and told once for an action")
    func development() throws {
        let place = try Self.start()
        let rows = Self.rows(place["worker"])
        for _ in 0..<2 {
            for row in rows {
                let answer = try Self.signed(Self.call(row, to: place.server), as: place["partly"]).answer(
                    from: place.server)
                #expect(!Self.isRefused(answer), "\(row): \(answer)")
            }
        }
        #expect(place.server.logs("the function does dynamodb:PutItem on table/"))
        #expect(place.server.log.matches(of: /the function does dynamodb:PutItem/).count == 1)
        #expect(place.server.log.contains("the policy OfSomebody"))
    }

    @Test("in production what cannot be read is denied, and the configuration may give it")
    func strict() throws {
        let place = try Self.start(
            strict: true,
            policy:
                #"[{"actions": ["dynamodb:*"], "resources": ["arn:aws:dynamodb:*:*:table/Todo-*"]}, {"effect": "Deny", "actions": ["dynamodb:DeleteTable"]}]"#
        )
        for row in Self.rows(place["worker"]) {
            let partly = try Self.signed(Self.call(row, to: place.server), as: place["partly"]).answer(
                from: place.server)
            #expect(Self.isRefused(partly), "\(row): \(partly)")
            let worker = try Self.signed(Self.call(row, to: place.server), as: place["worker"]).answer(
                from: place.server)
            #expect(Self.isRefused(worker) == (row.refusal != nil), "\(row): \(worker)")
        }
        func item(_ operation: String, _ table: String) throws -> Bool {
            let body = #"{"TableName": "\#(place["none"][table] ?? "?")", "Key": {"id": {"S": "1"}}}"#
            let call = Self.signed(SignedCall.item(operation, body, to: place.server), as: place["none"])
            return try !Self.isRefused(call.answer(from: place.server))
        }
        #expect(try item("GetItem", "TODO") && item("DeleteItem", "TODO"))
        #expect(try !item("GetItem", "POST") && !item("DeleteTable", "TODO"))
    }

    @Test("files are held to rules and to what the role may do")
    func files() throws {
        let place = try Self.start()
        let bucket = place["worker"]["BUCKET"] ?? "?"
        let administrator = try SignedFileCall(place.server)
        for key in ["in/a", "out/a", "ruled/a"] {
            try administrator.call("PUT", "/\(bucket)/\(key)", body: Array("x".utf8))
        }
        func keys(_ function: String) -> IdentityClient.Keys {
            IdentityClient.Keys(
                identity: "", accessKeyID: place[function]["AWS_ACCESS_KEY_ID"] ?? "",
                secret: place[function]["AWS_SECRET_ACCESS_KEY"] ?? "",
                sessionToken: place[function]["AWS_SESSION_TOKEN"] ?? "")
        }
        let rows: [(method: String, target: String, worker: Int, none: Int, partly: Int)] = [
            ("GET", "in/a", 200, 403, 200), ("GET", "out/a", 403, 403, 200), ("PUT", "in/a", 403, 403, 200),
            ("GET", "?list-type=2", 200, 403, 200), ("PUT", "ruled/a", 200, 403, 200),
            ("DELETE", "ruled/a", 403, 403, 204),
        ]
        for row in rows {
            for (function, status) in [("worker", row.worker), ("none", row.none), ("partly", row.partly)] {
                let files = try SignedFileCall(place.server, as: keys(function))
                let body = row.method == "PUT" ? Array("y".utf8) : []
                let answer = try files.call(row.method, "/\(bucket)/\(row.target)", body: body)
                #expect(answer.status == status, "\(function) \(row): \(answer.status) \(answer.code ?? "")")
                if status == 403 { #expect(answer.code == "AccessDenied") }
            }
        }
    }

    @Test("the API is for functions to which the schema or a policy gives it, as far as it does")
    func api() throws {
        let place = try Self.start()
        func answer(_ query: String, as function: String) throws -> String {
            var call = SignedCall("", #"{"query":"\#(query)"}"#, to: place.server)
            (call.service, call.path, call.hasTarget) = ("appsync", "/graphql", false)
            call.signed = ["content-type", "host", "x-amz-date"]
            return try Self.signed(call, as: place[function]).answer(from: place.server).body
        }
        let list = "{ listTodos { items { id } } }"
        let create = "mutation { createTodo(input: {text: \\\"a\\\"}) { id } }"
        #expect(try answer(list, as: "worker") == #"{"data":{"listTodos":{"items":[]}}}"#)
        #expect(try answer(create, as: "worker").contains("UnauthorizedException"))
        for query in [list, create] {
            #expect(try answer(query, as: "none").contains("UnauthorizedException"))
            #expect(try !answer(query, as: "partly").contains("UnauthorizedException"))
        }
        func models(_ function: String) throws -> Int {
            let keys = IdentityClient.Keys(
                identity: "", accessKeyID: place[function]["AWS_ACCESS_KEY_ID"] ?? "",
                secret: place[function]["AWS_SECRET_ACCESS_KEY"] ?? "",
                sessionToken: place[function]["AWS_SESSION_TOKEN"] ?? "")
            return try SignedFileCall(place.server, as: keys).call(
                "GET", "/amplify-introspection/modelIntrospectionSchema.json"
            ).status
        }
        #expect(try models("worker") == 200)
        #expect(try models("none") == 403)
    }

    @Test("nobody is a function without its keys, its token and a signature of now over what is sent")
    func forged() throws {
        let place = try Self.start()
        let keys = place["worker"]
        let row = Row(
            "dynamodb", "DynamoDB_20120810.GetItem",
            #"{"TableName": "\#(keys["TODO"] ?? "?")", "Key": {"id": {"S": "1"}}}"#)
        let good = Self.signed(Self.call(row, to: place.server), as: keys)
        #expect(try good.answer(from: place.server).status == 200)
        let changes: [(name: String, change: (inout SignedCall) -> Void)] = [
            ("another's token", { $0.others = [("x-amz-security-token", place["other"]["AWS_SESSION_TOKEN"] ?? "")] }),
            (
                "no token",
                {
                    $0.others = []; $0.signed.removeAll { $0 == "x-amz-security-token" }
                }
            ),
            ("an empty token", { $0.others = [("x-amz-security-token", "")] }),
            ("a longer token", { $0.others = [("x-amz-security-token", (keys["AWS_SESSION_TOKEN"] ?? "") + "A")] }),
            ("another's secret", { $0.secret = place["other"]["AWS_SECRET_ACCESS_KEY"] ?? "" }),
            ("another key", { $0.accessKeyID = "ASIA" + String(repeating: "A", count: 16) }),
            ("a signature of yesterday", { $0.date = SignedCall.text(of: Date(timeIntervalSinceNow: -86_400)) }),
            ("another service", { $0.service = "sqs" }),
        ]
        for row in changes {
            var call = good
            row.change(&call)
            let answer = try call.answer(from: place.server)
            #expect((400...403).contains(answer.status) && !answer.body.contains("\"Item\""), "\(row.name): \(answer)")
            #expect(!Self.isRefused(answer), "\(row.name) is no question of rights: \(answer)")
        }
        #expect(
            try Self.isRefused(
                Self.signed(Self.call(row, to: place.server), as: place["none"]).answer(from: place.server)))
        #expect(
            try good.answer(from: place.server) { $0.body = row.body.replacing("GetItem", with: "x") + " " }.status
                == 400)
        #expect(try good.answer(from: place.server) { $0.target = "DynamoDB_20120810.DeleteItem" }.status == 400)
    }
}
