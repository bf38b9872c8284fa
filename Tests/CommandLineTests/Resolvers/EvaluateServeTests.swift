import Foundation
import JSON
import TestSupport
import Testing

/// `EvaluateCode` and `EvaluateMappingTemplate` of a running server, as SDKs call them.
@Suite("Handlers that a server evaluates")
struct EvaluateServeTests {
    private static let codePath = "/v1/dataplane-evaluatecode"
    private static let templatePath = "/v1/dataplane-evaluatetemplate"
    private static let environment = [
        "HOMEPORT_AUTH_IAM_CREDENTIALS":
            #"[{"accessKeyId":"local","secretAccessKey":"local","role":"admin"}]"#
    ]
    static let code = """
        import { util } from '@aws-appsync/utils';
        export function request(ctx) {
          console.log('asked for', ctx.args.id);
          ctx.stash.seen = true;
          if (!ctx.args.id) util.error('No id', 'Own', { a: 1 }, { b: 2 });
          return { operation: 'GetItem', key: util.dynamodb.toMapValues({ id: ctx.args.id }) };
        }
        export function response(ctx) {
          util.appendError('Beside it', 'Warned');
          return ctx.result.items[0].name;
        }
        """

    private static func serve() throws -> HomeportProcess {
        try HomeportProcess(environment: environment)
    }

    /// The answer to a signed call.
    private static func call(
        _ server: HomeportProcess, _ path: String, _ body: JSONValue, _ change: (inout SignedCall) -> Void = { _ in },
        sent: (inout SignedCall) -> Void = { _ in }
    ) throws -> (status: Int, value: JSONValue) {
        var call = SignedCall("", JSONWriter.text(of: body), to: server)
        call.service = "appsync"
        call.path = path
        call.contentType = "application/json"
        call.hasTarget = false
        call.signed = ["content-type", "host", "x-amz-date"]
        change(&call)
        let answer = try call.answer(from: server, sent: sent)
        return (answer.status, try JSONReader.value(of: answer.body.isEmpty ? "null" : answer.body))
    }

    private static func body(
        _ code: String, _ context: String = #"{"arguments": {"id": "7"}}"#, function: String? = nil,
        runtime: String = "APPSYNC_JS"
    ) -> JSONValue {
        var body = JSONObject([("code", .string(code)), ("context", .string(context))])
        body.set("runtime", to: ["name": .string(runtime), "runtimeVersion": "1.0.0"])
        if let function { body.set("function", to: .string(function)) }
        return .object(body)
    }

    @Test("code gives its result, log, stash and errors")
    func code() throws {
        let server = try Self.serve()
        let (status, told) = try Self.call(server, Self.codePath, Self.body(Self.code, function: "request"))
        #expect(status == 200)
        let result = try JSONReader.value(of: told["evaluationResult"]?.string ?? "")
        #expect(result == ["operation": "GetItem", "key": ["id": ["S": "7"]]], "\(told)")
        #expect(told["logs"] == [#"INFO - code.js:3:3: "asked for" "7""#], "\(told)")
        #expect(told["stash"] == #"{"seen":true}"# && told["error"] == nil)
        let context = #"{"result": {"items": [{"name": "n"}]}}"#
        let response = try Self.call(
            server, Self.codePath, Self.body(Self.code, context, function: "response")
        ).value
        #expect(response["evaluationResult"] == #""n""#, "\(response)")
        let errors = try JSONReader.value(of: response["outErrors"]?.string ?? "")
        #expect(errors[0]?["message"] == "Beside it" && errors[0]?["errorType"] == "Warned", "\(response)")
        // Without a function it is the request.
        #expect(try Self.call(server, Self.codePath, Self.body(Self.code)).value["evaluationResult"] != nil)
    }

    @Test("an error has its type, its data and its place, and code that AppSync would not save each finding")
    func errors() throws {
        let server = try Self.serve()
        let own = try Self.call(server, Self.codePath, Self.body(Self.code, "{}")).value
        #expect(
            own["error"]?["message"] == "No id" && own["error"]?["errorType"] == "Own"
                && own["error"]?["data"] == ["a": 1] && own["error"]?["errorInfo"] == ["b": 2], "\(own)")
        #expect(own["evaluationResult"] == nil && own["stash"] == #"{"seen":true}"#)
        let fault = try Self.call(
            server, Self.codePath, Self.body(Self.code, #"{"result": {}}"#, function: "response")
        ).value
        #expect(fault["error"]?["message"]?.string?.hasPrefix("code.js:10:") == true, "\(fault)")
        #expect(fault["error"]?["location"]?["line"] == 10)
        let refused = try Self.call(
            server, Self.codePath, Self.body("export const request = () => {\n  while (true) {}\n};")
        )
        #expect(refused.status == 200)
        let findings = refused.value["error"]?["codeErrors"]?.array ?? []
        #expect(findings.contains { $0["location"]?["line"] == 2 && $0["errorType"] == "LINT_ERROR" }, "\(refused)")
        let unread = try Self.call(server, Self.codePath, Self.body("export const request = (")).value
        #expect(unread["error"]?["codeErrors"]?[0]?["errorType"] == "PARSER_ERROR", "\(unread)")
    }

    @Test("templates give what they print, and say where they fail")
    func templates() throws {
        let server = try Self.serve()
        func evaluate(_ template: String, _ context: String = #"{"arguments": {"id": "7"}}"#) throws -> JSONValue {
            let (status, value) = try Self.call(
                server, Self.templatePath, ["template": .string(template), "context": .string(context)])
            #expect(status == 200)
            return value
        }
        let told = try evaluate(#"$util.qr($ctx.stash.put("a", 1)){"id": $util.toJson($ctx.args.id)}"#)
        #expect(told["evaluationResult"] == #"{"id":"7"}"# && told["stash"] == #"{"a":1}"#, "\(told)")
        let own = try evaluate(#"$util.error("No", "Own")"#)
        #expect(own["error"]?["message"] == "No" && own["error"]?["errorType"] == "Own", "\(own)")
        let fault = try evaluate("{\n\"a\": $util.toJson($ctx.args.id.substring(9))\n}")
        #expect(fault["error"]?["location"]?["line"] == 2, "\(fault)")
        let unread = try evaluate("{}\n#if(")
        #expect(unread["error"]?["codeErrors"]?[0]?["errorType"] == "PARSER_ERROR", "\(unread)")
        let noJSON = try evaluate("{ a }")
        #expect(noJSON["error"]?["errorType"] == "MappingTemplate", "\(noJSON)")
    }

    @Test("what takes too long ends by its limit, and holds up nobody")
    func limits() throws {
        let server = try Self.serve()
        let spin = """
            export function request(ctx) {
              const l = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
              l.map(() => l.map(() => l.map(() => l.map(() => l.map(() => l.map(() => l.map(() => l.map(() => 1))))))));
              return {};
            }
            export const response = () => null;
            """
        let told = try Self.call(server, Self.codePath, Self.body(spin)).value
        // Memory comes first where the code is quick.
        let message = told["error"]?["message"]?.string ?? ""
        #expect(
            ["takes too", "needs too much memory"].contains { message.contains("The program \($0)") }, "\(told)")
        let long = "export const request = () => ({});\nexport const response = () => ({});\n//"
        let tooLong = try Self.call(
            server, Self.codePath, Self.body(long + String(repeating: "x", count: 32_768))
        ).value
        #expect(
            tooLong["error"]?["codeErrors"]?[0]?["value"]?.string?.contains("at most 32768") == true, "\(tooLong)")
        let large = try Self.call(
            server, Self.codePath, Self.body(long, String(repeating: " ", count: 1 << 20)))
        #expect(large.status == 413, "\(large)")
        #expect(try Self.call(server, Self.codePath, Self.body(long)).value["evaluationResult"] == "{}")
    }

    @Test("a call that is no such call is refused with a reason")
    func refused() throws {
        let server = try Self.serve()
        for (body, message) in [
            (Self.body(Self.code, "no json"), "The context must be a text with a JSON object."),
            (["code": "x", "runtime": ["name": "APPSYNC_JS"]], "The context must be a text with a JSON object."),
            (["context": "{}", "runtime": ["name": "APPSYNC_JS"]], "Code is needed."),
            (Self.body(Self.code, runtime: "OTHER"), "The runtime must be APPSYNC_JS."),
            (Self.body(Self.code, function: "other"), "The function must be request or response."),
            ([], "The body is no JSON object."),
        ] as [(JSONValue, String)] {
            let (status, value) = try Self.call(server, Self.codePath, body)
            #expect(status == 400 && value["message"] == .string(message), "\(value)")
        }
        let template = try Self.call(server, Self.templatePath, ["context": "{}"])
        #expect(template.status == 400 && template.value["message"] == "A template is needed.", "\(template)")
    }

    @Test("only who is an administrator may, by a signature for this service that fits")
    func signatures() throws {
        let server = try Self.serve()
        let body = Self.body(Self.code)
        #expect(try Self.call(server, Self.codePath, body).status == 200)
        for change in [
            { $0.secret = "other" }, { $0.accessKeyID = "nobody" }, { $0.service = "execute-api" },
            { $0.isSigned = false }, { $0.date = "20200101T000000Z" },
        ] as [(inout SignedCall) -> Void] {
            let refused = try Self.call(server, Self.codePath, body, change)
            #expect(refused.status == 403 && refused.value["evaluationResult"] == nil, "\(refused)")
        }
        let other = try Self.call(server, Self.codePath, body, sent: { $0.body += " " })
        #expect(other.status == 403, "\(other)")
    }
}

/// `homeport evaluate`, which needs no server.
@Suite("Handlers that the command evaluates")
struct EvaluateCommandTests {
    /// What the command says of files, and how it ends.
    private static func run(
        _ files: [String: String], _ arguments: [String]
    ) throws -> (status: Int32, value: JSONValue, errors: String) {
        let folder = TemporaryFolder()
        for (file, text) in files { try folder.write(text, to: file) }
        let outcome = try ProgramRun.outcome(["evaluate"] + arguments, in: folder)
        return (
            outcome.code.rawValue, (try? JSONReader.value(of: outcome.output)) ?? .null, outcome.diagnostics
        )
    }

    @Test("code and templates give their answer, and the command ends well")
    func good() throws {
        let files = [
            "get.js": EvaluateServeTests.code, "context.json": #"{"arguments": {"id": "7"}}"#,
            "get.req.vtl": #"{"id": $util.toJson($ctx.args.id)}"#,
            "get.ts": "export const request = (ctx: any) => ctx.args.id as string;\nexport const response = () => 2;",
        ]
        let code = try Self.run(
            files, ["--code", "get.js", "--context", "context.json", "--function", "request"])
        #expect(code.status == 0 && code.value["stash"] == #"{"seen":true}"#, "\(code)")
        let template = try Self.run(files, ["--code", "get.req.vtl", "--context", "context.json"])
        #expect(template.status == 0 && template.value["evaluationResult"] == #"{"id":"7"}"#, "\(template)")
        let typed = try Self.run(files, ["--code", "get.ts", "--context", "context.json"])
        #expect(typed.status == 0 && typed.value["evaluationResult"] == #""7""#, "\(typed)")
    }

    @Test("code that fails or would be refused is told with its line, and the command fails")
    func faults() throws {
        let files = [
            "fails.js":
                "export const request = (ctx) => {\n  return ctx.nothing.more;\n};\nexport const response = () => 1;",
            "refused.js": "export const request = () => {\n\n  while (true) {}\n};\nexport const response = () => 1;",
            "text.js": "export const request = (",
        ]
        let fails = try Self.run(files, ["--code", "fails.js"])
        #expect(fails.status == 1 && fails.value["error"]?["location"]?["line"] == 2, "\(fails)")
        let refused = try Self.run(files, ["--code", "refused.js"])
        #expect(
            refused.status == 1 && refused.value["error"]?["codeErrors"]?[0]?["location"]?["line"] == 3, "\(refused)")
        let unread = try Self.run(files, ["--code", "text.js"])
        #expect(unread.status == 1 && unread.value["error"]?["codeErrors"]?[0]?["errorType"] == "PARSER_ERROR")
    }

    @Test("a context that is no JSON, a file that is not there and a file that is too long are told")
    func unreadable() throws {
        let files = [
            "get.js": EvaluateServeTests.code, "context.json": "{ not json",
            "long.js": String(repeating: "/", count: (1 << 20) + 1),
        ]
        let context = try Self.run(files, ["--code", "get.js", "--context", "context.json"])
        #expect(context.status != 0 && context.errors.contains("context.json is not JSON"), "\(context)")
        let absent = try Self.run(files, ["--code", "absent.js"])
        #expect(absent.status != 0 && absent.errors.contains("the code absent.js cannot be read"), "\(absent)")
        let long = try Self.run(files, ["--code", "long.js"])
        #expect(long.status != 0 && long.errors.contains("long.js cannot be read"), "\(long)")
        let other = try Self.run(files, ["--code", "get.js", "--function", "other"])
        #expect(other.status != 0, "\(other)")
    }
}
