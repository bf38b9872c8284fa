import Foundation
import TestSupport
import Testing

/// Functions that the server runs itself, by all ways on which rooms call them.
@Suite("Functions that a server runs")
struct FunctionServeTests {
    private static let program = HomeportProcess.program(named: "test-runtime")

    private static func server(
        _ functions: String, _ more: String = "", schema: String, in folder: TemporaryFolder = TemporaryFolder()
    ) throws -> HomeportProcess {
        try folder.write(#"{"functions": {\#(functions)}\#(more)}"#, to: "homeport.json")
        return try HomeportProcess(
            ["--config", "homeport.json"], environment: ["HOMEPORT_SECRET_OF_OURS": "x"], schema: schema, in: folder)
    }

    private static func command(_ name: String = "echo", _ more: String = "") -> String {
        #""\#(name)": {"command": ["\#(program)", "serve"], "timeout": 60\#(more)}"#
    }

    private static let schema = """
        type Todo @model @auth(rules: [{ allow: public }]) { id: ID! }
        type Query {
          echo(do: String, count: Int): AWSJSON @function(name: "echo-${env}") @auth(rules: [{ allow: public }])
          missing: AWSJSON @function(name: "missing") @auth(rules: [{ allow: public }])
        }
        """

    @Test("a field's function gets the resolver's event, and its errors are the field's")
    func resolver() throws {
        let server = try Self.server(Self.command(), schema: Self.schema)
        let answer = try server.answer(to: #"{ echo(count: 3) }"#)
        #expect(answer.contains(#"\"fieldName\":\"echo\""#) || answer.contains(#"fieldName"#), "\(answer)")
        let missing = try server.answer(to: "{ missing }")
        #expect(missing.contains("The function 'missing' is not configured"))
    }

    @Test("a function that has ended is told to the field, and the log has its words")
    func ends() throws {
        let server = try Self.server(
            #""echo": {"command": "echo said; echo more >&2; exit 3", "timeout": 5}"#, schema: Self.schema)
        let answer = try server.answer(to: "{ echo }")
        #expect(answer.contains("Runtime exited with error: exit status 3"))
        #expect(answer.contains(#""errorType":"Lambda:Unhandled""#))
        #expect(server.logs("said function=echo"))
        #expect(server.logs("more function=echo"))
    }

    /// One function for all, in a language: a resolver, a trigger of the user pool, an authorizer.
    struct Runtime: Sendable, CustomTestStringConvertible {
        let name: String
        /// What can run it; nil: nothing is needed.
        var interpreter: String?
        let setting: String
        var files: [String: String] = [:]
        var testDescription: String { name }

        static let search = ["/usr/bin", "/usr/local/bin", "/opt/homebrew/bin"]
        var folder: String? {
            interpreter.map { name in
                Self.search.first { FileManager.default.isExecutableFile(atPath: "\($0)/\(name)") }
            }
                ?? "/usr/bin"
        }
    }

    private static let script = """
        export const handler = async (event) => {
          if ('authorizationToken' in event) return { isAuthorized: event.authorizationToken === 'good', ttlOverride: 0 };
          if ('triggerSource' in event) { event.response.autoConfirmUser = true; return event; }
          return { event: { fieldName: event.fieldName } };
        };
        """

    static let runtimes = [
        Runtime(name: "a bootstrap of one's own", setting: #""command": ["\#(program)", "serve"]"#),
        Runtime(
            name: "Python", interpreter: "python3", setting: #""handler": "index.handler""#,
            files: [
                "index.py": """
                def handler(event, context):
                    if 'authorizationToken' in event:
                        return {'isAuthorized': event['authorizationToken'] == 'good', 'ttlOverride': 0}
                    if 'triggerSource' in event:
                        event['response']['autoConfirmUser'] = True
                        return event
                    return {'event': {'fieldName': event['fieldName']}}
                """
            ]),
        Runtime(
            name: "JavaScript", interpreter: "node", setting: #""handler": "src/index.handler""#,
            files: ["src/index.mjs": script]),
        Runtime(
            name: "TypeScript", interpreter: "node", setting: #""handler": "handler.ts""#,
            files: [
                "handler.ts": script.replacing("(event)", with: "(event: any)"),
                // As esbuild, as far as this file needs it.
                "node_modules/esbuild/index.js": """
                exports.build = async (options) => ({ outputFiles: [{
                  text: require('fs').readFileSync(options.entryPoints[0], 'utf8').replace(': any', '') }] });
                """,
            ]),
    ]

    @Test("a function answers a query, a trigger and an authorizer, whatever it is written in", arguments: runtimes)
    func answers(in runtime: Runtime) throws {
        guard let programs = runtime.folder else { return }
        let folder = TemporaryFolder()
        for (name, text) in runtime.files { try folder.write(text, to: name) }
        try folder.write(
            """
            {"functions": {"all": {\(runtime.setting), "timeout": 60}},
             "auth": {"additional": ["AWS_LAMBDA"], "lambda": {"url": "all"},
                      "pool": {"triggers": {"preSignUp": "all"}, "clients": [{"id": "client"}]}}}
            """, to: "homeport.json")
        let server = try HomeportProcess(
            ["--config", "homeport.json"], environment: ["PATH": "\(programs):/usr/bin:/bin"],
            schema: """
                type Todo @model @auth(rules: [{ allow: custom }]) { id: ID! }
                type Query { ask: AWSJSON @function(name: "all") @auth(rules: [{ allow: public }]) }
                """, in: folder)
        let answer = try server.answer(to: "{ ask }")
        #expect(answer.contains("fieldName") && answer.contains("ask"), "\(answer)")
        let good = try server.answer(to: "{ listTodos { items { id } } }", fields: ["Authorization: good"])
        #expect(good == #"{"data":{"listTodos":{"items":[]}}}"#)
        let bad = try server.answer(to: "{ listTodos { items { id } } }", fields: ["Authorization: bad"])
        #expect(bad.contains("UnauthorizedException"))
        let signedUp = try IdentityClient(server: server).call(
            "SignUp", ["ClientId": "client", "Username": "ann", "Password": "Passw0rd!"])
        #expect(signedUp.members["UserConfirmed"] == true, "\(signedUp)")
    }

    @Test(
        "what a function needs and this machine does not have is said with what installs it, to the caller and in the log",
        arguments: [("index.js", "there is no node"), ("index.py", "there is no python3")])
    func missing(handler: String, message: String) throws {
        let folder = TemporaryFolder()
        try folder.write("", to: handler)
        try folder.write(#"{"functions": {"echo": {"handler": "\#(handler)"}}}"#, to: "homeport.json")
        let server = try HomeportProcess(
            ["--config", "homeport.json"], environment: ["PATH": "/nowhere"], schema: Self.schema, in: folder)
        let answer = try server.answer(to: "{ echo }")
        #expect(answer.contains("cannot be called: \(message)"), "\(answer)")
        #expect(answer.contains("install it with") && server.logs(message))
    }

    @Test("what a function does that it should not is told and held in, and all others go on")
    func contains() throws {
        let schema = """
            type Query {
              echo(do: String, count: Int): AWSJSON @function(name: "echo") @auth(rules: [{ allow: public }])
              slow(do: String, count: Int): AWSJSON @function(name: "slow") @auth(rules: [{ allow: public }])
            }
            """
        let server = try Self.server(
            Self.command() + #", "slow": {"command": ["\#(Self.program)", "serve"], "timeout": 1}"#, schema: schema)
        let rows: [(query: String, says: String)] = [
            (#"echo(do: "exit", count: 3)"#, "Runtime exited with error: exit status 3"),
            (#"echo(do: "signal", count: 9)"#, "Runtime exited with error: signal: killed"),
            (#"echo(do: "signal", count: 15)"#, "Runtime exited with error: signal: terminated"),
            (#"echo(do: "large", count: 7000000)"#, "exceeded maximum allowed payload size (6291556 bytes)"),
            (#"echo(do: "memory", count: 2000000000)"#, "false"),
            (#"echo(do: "flood", count: 20000)"#, "flooded"),
            (#"slow(do: "hang")"#, "Task timed out after 1.00 seconds"),
            (#"slow(do: "children", count: 30)"#, "Task timed out after 1.00 seconds"),
        ]
        for row in rows {
            let answer = try server.answer(to: "{ \(row.query) }")
            #expect(answer.contains(row.says), "\(row.query): \(answer.prefix(500))")
            #expect(try server.answer(to: #"{ echo(do: "process") }"#).contains(#""data":{"echo":""#), "\(row.query)")
        }
        #expect(server.logs("bytes of output were left out"))
        let children = server.log.matches(of: /number (\d+)/).compactMap { Int32($0.1) }
        #expect(!children.isEmpty)
        for child in children { try Self.waitForEnd(of: child) }
        server.signal(SIGTERM)
        #expect(server.exitStatus() == 0)
    }

    /// It may still be an entry that nobody has taken.
    private static func waitForEnd(of process: Int32) throws {
        try eventually("the process \(process) has ended") {
            let state = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
            return state?.contains(") Z") ?? true
        }
    }

    @Test("a function is told of a table's changes, also of those that it did not take before the server was killed")
    func stream() throws {
        let folder = TemporaryFolder()
        func serve(_ command: String) throws -> HomeportProcess {
            try Self.server(
                #""listen": {"command": \#(command), "timeout": 60, "tables": ["Todo"]}"#, schema: Self.schema,
                in: folder)
        }
        var server = try serve(#""exec sleep 10000""#)
        #expect(try server.answer(to: #"mutation { createTodo(input: {id: "1"}) { id } }"#).contains(#""id":"1""#))
        server.signal(SIGKILL)
        _ = server.exitStatus()
        server = try serve(#"["\#(Self.program)", "serve"]"#)
        #expect(server.logs(#"INSERT {"id":{"S":"1"}} function=listen"#, milliseconds: 60_000))
        #expect(try server.answer(to: #"mutation { deleteTodo(input: {id: "1"}) { id } }"#).contains(#""id":"1""#))
        #expect(server.logs(#"REMOVE {"id":{"S":"1"}} function=listen"#, milliseconds: 60_000))
    }

    @Test(
        "a function that a field calls as an event is called again where it fails, and the field has its answer at once"
    )
    func event() throws {
        let server = try Self.server(
            Self.command(),
            schema: """
                type Query {
                  echo(do: String, file: String): EventInvocationResponse
                    @function(name: "echo", invocationType: Event) @auth(rules: [{ allow: public }])
                }
                type EventInvocationResponse { success: Boolean! }
                """)
        let folder = TemporaryFolder()
        let taken = #"{"data":{"echo":{"success":true}}}"#
        #expect(try server.answer(to: #"{ echo(do: "wait", file: "\#(folder.path)/go") { success } }"#) == taken)
        #expect(try server.answer(to: #"{ echo(do: "error") { success } }"#) == taken)
        #expect(server.logs("an event is delivered again in 60 seconds function=echo"))
    }

    @Test(
        "functions end with the server, whatever they do, and so does what they have started",
        arguments: ["echo number $$; exec sleep 10000", "trap '' TERM; sleep 10000 & echo number $!; wait; wait"],
        [SIGKILL, SIGTERM])
    func stops(command: String, signal: Int32) throws {
        let server = try Self.server(
            #""echo": {"command": "\#(command)", "timeout": 60}"#,
            #", "limits": {"stopMilliseconds": 300}"#, schema: Self.schema)
        let client = try RawClient(port: server.port)
        let body = #"{"query":"{ echo }"}"#
        try client.send(
            "POST /graphql HTTP/1.1\r\nHost: localhost\r\n\(OperationClient.key)\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
        )
        #expect(server.logs("number "))
        let found = try #require(server.log.firstMatch(of: /number (\d+)/))
        let process = try #require(Int32(found.1))
        #expect(kill(process, 0) == 0)
        server.signal(signal)
        _ = server.exitStatus()
        try Self.waitForEnd(of: process)
    }

    @Test(
        "a function that is not set right refuses the start, with what is wrong",
        arguments: [
            (#""f": {}"#, "f: expected a url where it is called, a command that runs it, or a handler"),
            (#""f": {"url": "http://x", "command": "y"}"#, "f: it has a url, and a command or handler"),
            (#""f": {"handler": "none.ts"}"#, "none.ts"),
            (#""f": {"command": "x", "timeout": 901}"#, "an integer from 1 to 900"),
            (#""f": {"command": "x", "environment": {"K": 5}}"#, "expected an object"),
            (
                #""f": {"command": "x", "tables": ["Other"]}"#,
                "functions.f.tables: there is no model Other with a table"
            ),
            (#""f": {"command": "x", "tables": [{"model": "Todo", "batch": 0}]}"#, "an integer from 1 to 10000"),
        ])
    func refuses(functions: String, message: String) throws {
        #expect {
            _ = try Self.server(functions, schema: Self.schema)
        } throws: { error in
            "\(error)".contains(message)
        }
    }

    @Test("the values of a function's variables are never shown")
    func secrets() throws {
        let folder = TemporaryFolder()
        try folder.write(
            #"{"functions": {"f": {"command": "x", "environment": {"KEY": "hidden-value"}}}}"#, to: "homeport.json")
        let run = try ProgramRun.outcome(["serve", "--config", "homeport.json", "--print-config"], in: folder)
        #expect(run.output.contains("functions") && !run.output.contains("hidden-value"))
    }

    // MARK: Calls as SDKs make them

    /// A call of a function, signed by the well-known administrator of this machine.
    private static func invocation(
        _ function: String, _ body: String, of server: HomeportProcess, _ fields: [(name: String, value: String)] = []
    ) -> SignedCall {
        var call = SignedCall("", body, to: server)
        call.hasTarget = false
        call.service = "lambda"
        call.path = "/2015-03-31/functions/\(function)/invocations"
        call.contentType = "application/json"
        call.others = fields
        call.signed = ["content-type", "host", "x-amz-date"] + fields.map(\.name)
        return call
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        var function = "echo"
        var body = "{}"
        var fields: [(name: String, value: String)] = []
        let status: Int
        /// What the head and the body have.
        let has: [String]
        var testDescription: String { name }
    }

    static let rows: [Row] = [
        Row(
            name: "a result", body: #"{"do":"process"}"#, status: 200, has: ["x-amz-executed-version: $LATEST"]),
        Row(
            name: "an error of the function", body: #"{"do":"error"}"#, status: 200,
            has: ["x-amz-function-error: Unhandled", #""errorType":"Test.Error""#]),
        Row(
            name: "the end of its process", body: #"{"do":"exit","count":3}"#, status: 200,
            has: ["x-amz-function-error: Unhandled", "Runtime.ExitError"]),
        Row(name: "no body at all", body: "", status: 200, has: [#""event":{}"#]),
        Row(
            name: "what the caller tells of itself", fields: [("x-amz-client-context", "eyJhIjoxfQ==")], status: 200,
            has: [#""lambda-runtime-client-context":"{\"a\":1}""#]),
        Row(
            name: "the log", body: #"{"do":"say","text":"heard"}"#, fields: [("x-amz-log-type", "Tail")], status: 200,
            has: ["x-amz-log-result: "]),
        Row(name: "a version", function: "echo:$LATEST", status: 200, has: []),
        Row(name: "an event", fields: [("x-amz-invocation-type", "Event")], status: 202, has: []),
        Row(name: "no call at all", fields: [("x-amz-invocation-type", "DryRun")], status: 204, has: []),
        Row(
            name: "another type", fields: [("x-amz-invocation-type", "Other")], status: 400,
            has: ["x-amzn-errortype: ValidationException"]),
        Row(
            name: "what is no JSON", body: "{", status: 400,
            has: ["x-amzn-errortype: InvalidRequestContentException", #""Type":"User""#]),
        Row(
            name: "a function that is not there", function: "other", status: 404,
            has: ["x-amzn-errortype: ResourceNotFoundException"]),
    ]

    @Test("SDKs call functions by Lambda's own API, if they may")
    func invocations() throws {
        let server = try Self.server(Self.command(), schema: Self.schema)
        for row in Self.rows {
            var call = Self.invocation(row.function, row.body, of: server, row.fields)
            if row.function.contains(":") {
                call.path = "/2015-03-31/functions/echo%253A%2524LATEST/invocations"
            }
            let answer = try call.answer(from: server) { sent in
                if row.function.contains(":") { sent.path = "/2015-03-31/functions/echo%3A%24LATEST/invocations" }
            }
            #expect(answer.status == row.status, "\(row.name): \(answer)")
            for text in row.has { #expect((answer.head + answer.body).contains(text), "\(row.name): \(answer)") }
        }
        let call = Self.invocation("echo", #"{"do":"process"}"#, of: server)
        var unsigned = call
        unsigned.isSigned = false
        #expect(try unsigned.answer(from: server).status == 403)
        #expect(try call.answer(from: server) { $0.body = "[]" }.status == 403)
        var typed = call
        typed.others = [("x-amz-invocation-type", "Event")]
        #expect(try typed.answer(from: server).status == 403)
        var mock = call
        mock.accessKeyID = "ASIAVJKIAM-AuthRole"
        mock.secret = "fake"
        #expect(try mock.answer(from: server).status == 403)
    }

    @Test("Lambda's API tells of functions, page by page, and not of their variables")
    func description() throws {
        let server = try Self.server(
            Self.command("echo", #", "environment": {"KEY": "hidden-value"}"#)
                + #", "another": {"command": "x", "timeout": 9}"#,
            schema: Self.schema)
        func get(_ path: String, _ query: String = "") throws -> (status: Int, head: String, body: String) {
            var call = Self.invocation("", "", of: server)
            (call.method, call.path, call.query) = ("GET", path, query)
            return try call.answer(from: server)
        }
        let folder = "/2015-03-31/functions"
        let first = try get("\(folder)/", "MaxItems=1")
        #expect(first.status == 200 && first.body.contains(#""FunctionName":"another""#), "\(first)")
        #expect(first.body.contains(#""NextMarker":"another""#) && !first.body.contains(#""FunctionName":"echo""#))
        let second = try get("\(folder)/", "Marker=another")
        #expect(
            second.body.contains(#""FunctionName":"echo""#) && second.body.contains(#""NextMarker":null"#), "\(second)")
        #expect(!second.body.contains(#""FunctionName":"another""#) && !second.body.contains("hidden-value"))
        #expect(try get(folder, "MaxItems=0").status == 400)
        let one = try get("\(folder)/another")
        #expect(one.status == 200 && one.body.contains(#""Configuration":{"FunctionName":"another""#), "\(one)")
        let settings = try get("\(folder)/another/configuration")
        #expect(settings.body.contains("arn:aws:lambda:us-east-1:123456789012:function:another"), "\(settings)")
        for path in ["\(folder)/nobody", "\(folder)/nobody/configuration"] {
            let answer = try get(path)
            #expect(answer.status == 404 && answer.head.contains("x-amzn-errortype: ResourceNotFoundException"))
        }
        var mock = Self.invocation("", "", of: server)
        (mock.method, mock.path, mock.accessKeyID, mock.secret) = ("GET", folder, "ASIAVJKIAM-AuthRole", "fake")
        #expect(try mock.answer(from: server).status == 403)
    }

    @Test("results come as the messages of a stream where they are asked for so, and the log's end tells of memory")
    func streams() throws {
        let server = try Self.server(Self.command(), schema: Self.schema)
        func stream(_ function: String, _ body: String) throws -> (status: Int, head: String, body: String) {
            var call = Self.invocation("", body, of: server)
            call.path = "/2021-11-15/functions/\(function)/response-streaming-invocations"
            return try call.answer(from: server)
        }
        let result = try stream("echo", #"{"do":"process"}"#)
        #expect(result.status == 200 && result.head.contains("application/vnd.amazon.eventstream"), "\(result)")
        #expect(result.body.contains("PayloadChunk") && result.body.contains("InvokeComplete"), "\(result)")
        let failed = try stream("echo", #"{"do":"error"}"#)
        #expect(failed.body.contains(#""ErrorCode":"Unhandled""#) && !failed.body.contains("PayloadChunk"), "\(failed)")
        #expect(try stream("other", "{}").status == 404)
        let call = Self.invocation("echo", "{}", of: server, [("x-amz-log-type", "Tail")])
        let head = try call.answer(from: server).head
        let line = try #require(head.firstMatch(of: /x-amz-log-result: (\S+)/))
        let log = String(decoding: try #require(Data(base64Encoded: String(line.1))), as: UTF8.self)
        let used = try #require(log.firstMatch(of: /Memory Size: 512 MB\tMax Memory Used: ([0-9]+) MB\n/), "\(log)")
        #expect((Int(used.1) ?? 0) > 0)
    }

    @Test(
        "a function signs with keys of its own, which are good for the API, for functions, and for nobody without its token"
    )
    func keys() throws {
        let server = try Self.server(
            Self.command() + #", "url": {"url": "http://127.0.0.1:1/"}"#,
            #", "auth": {"additional": ["AWS_IAM"]}"#,
            schema: "type Todo @model @auth(rules: [{ allow: private, provider: iam }]) { id: ID! }")
        let told = try Self.invocation("echo", #"{"do":"variables"}"#, of: server).answer(from: server).body
        let variables = try #require(try JSONSerialization.jsonObject(with: Data(told.utf8)) as? [String: String])
        #expect(variables["HOMEPORT_SECRET_OF_OURS"] == nil)
        #expect(variables["AWS_ENDPOINT_URL"] == "http://127.0.0.1:\(server.port)")
        func signed(_ call: SignedCall) -> SignedCall {
            var call = call
            call.accessKeyID = variables["AWS_ACCESS_KEY_ID"] ?? ""
            call.secret = variables["AWS_SECRET_ACCESS_KEY"] ?? ""
            call.others = [("x-amz-security-token", variables["AWS_SESSION_TOKEN"] ?? "")]
            call.signed += ["x-amz-security-token"]
            return call
        }
        let call = signed(Self.invocation("echo", #"{"do":"process"}"#, of: server))
        #expect(try call.answer(from: server).status == 200)
        var query = signed(
            Self.invocation("", #"{"query":"mutation { createTodo(input: {id: \"1\"}) { id } }"}"#, of: server))
        query.service = "appsync"
        query.path = "/graphql"
        #expect(try query.answer(from: server).body == #"{"data":{"createTodo":{"id":"1"}}}"#)
        var user = signed(SignedCall("ListUsers", #"{"UserPoolId":"us-east-1_nobody"}"#, to: server))
        user.operation = "ListUsers"
        #expect(try user.answer(from: server).body.contains("ResourceNotFoundException"))
        var parameter = signed(SignedCall("GetParameter", #"{"Name":"none"}"#, to: server))
        (parameter.target, parameter.service) = ("AmazonSSM.GetParameter", "ssm")
        #expect(try parameter.answer(from: server).body.contains("ParameterNotFound"))
        parameter.others = [("x-amz-security-token", "other")]
        #expect(try !parameter.answer(from: server).body.contains("ParameterNotFound"))
        query.others = [("x-amz-security-token", "other")]
        #expect((400..<500).contains(try query.answer(from: server).status))
        query.others = []
        query.signed.removeLast()
        #expect((400..<500).contains(try query.answer(from: server).status))
        #expect(try Self.invocation("url", "{}", of: server).answer(from: server).status == 500)
    }
}
