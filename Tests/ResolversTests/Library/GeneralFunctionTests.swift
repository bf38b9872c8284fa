import JSON
import Testing

@testable import Resolvers

@Suite("Errors, callers, numbers, heads and models: util and ai")
struct GeneralFunctionTests {
    @Test("an error has what it is given, and ends the handler")
    func error() throws {
        #expect(try LibraryCalls.refusal("util.error", #"["foo"]"#) == ResolverError("foo"))
        #expect(
            try LibraryCalls.refusal("util.error", #"["foo","Bar",{"id":"1"},{"hint":"x"}]"#)
                == ResolverError("foo", type: "Bar", data: ["id": "1"], info: ["hint": "x"]))
        #expect(try LibraryCalls.refusal("util.error", #"["foo",null,null,[1]]"#) == ResolverError("foo", info: [1]))
        #expect(
            try LibraryCalls.refusal("util.unauthorized", "[]")
                == ResolverError("Unauthorized", type: "Unauthorized", isUnauthorized: true))
    }

    @Test("an appended error goes to the outcome, up to the limit")
    func appended() throws {
        var limits = ResolverLimits()
        limits.outErrorsMax = 2
        var calls = LibraryCalls(limits: limits)
        #expect(try calls.run("util.appendError", #"["careful","Warn"]"#) == .null)
        _ = try calls.run("util.appendError", #"["b"]"#)
        #expect(calls.call.outcome.outErrors == [ResolverError("careful", type: "Warn"), ResolverError("b")])
        #expect(throws: ResolverError.fault("A field has at most 2 errors.")) {
            _ = try calls.run("util.appendError", #"["c"]"#)
        }
    }

    static let iam = #""accountId":"1","cognitoIdentityPoolId":null,"sourceIp":["1.1.1.1"],"username":"a""#
    static let pool = #""sub":"a","issuer":"i","claims":{},"username":"a","sourceIp":["1.1.1.1"]"#
    static let identities: [(String, String)] = [
        ("null", "API Key Authorization"), ("{}", "Lambda Authorization"),
        (#"{"resolverContext":{"k":"v"}}"#, "Lambda Authorization"),
        ("{\(iam),\"userArn\":\"arn\"}", "IAM Authorization"), ("{\(iam)}", "API Key Authorization"),
        (#"{"accountId":"1","sourceIp":null,"username":"a","userArn":"arn"}"#, "API Key Authorization"),
        ("{\(pool),\"defaultAuthStrategy\":\"ALLOW\",\"groups\":null}", "User Pool Authorization"),
        ("{\(pool),\"defaultAuthStrategy\":\"ALLOW\"}", "User Pool Authorization"),
        ("{\(pool)}", "API Key Authorization"),
        (#"{"sub":"a","issuer":"i","claims":{}}"#, "Open ID Connect Authorization"),
        (#"{"sub":"a","issuer":"i","claims":{},"username":"a"}"#, "API Key Authorization"),
        (#"{"claims":{}}"#, "API Key Authorization"),
    ]

    @Test("an identity says by its shape how the caller came", arguments: identities)
    func authType(identity: String, type: String) throws {
        var context = ResolverContext()
        context.identity = try JSONReader.value(of: identity)
        try LibraryCalls.check(LibraryRow("util.authType", "[]", "\"\(type)\""), context)
    }

    @Test("a server that knows the mode says it")
    func toldAuthType() throws {
        var context = ResolverContext()
        context.authType = "IAM Authorization"
        try LibraryCalls.check(LibraryRow("util.authType", "[]", #""IAM Authorization""#), context)
    }

    @Test("identifiers have their forms, and those with times are in order")
    func identifiers() throws {
        var calls = LibraryCalls()
        #expect(try calls.run("util.autoId", "[]") == "00112233-4455-4677-8899-aabbccddeeff")
        #expect(try calls.run("util.autoUlid", "[]") == "01C5P7XACE008J4CT4ANK7F24S")
        let first = try calls.run("util.autoKsuid", "[]").string
        #expect(first == "10Bn7QCqapaDoMjbEqXHk5rkkbH")
        let later = ResolverSurroundings(now: { 1_517_943_697_000 }, randomBytes: { Array(repeating: 0, count: $0) })
        var second = LibraryCall(ResolverContext(), in: later)
        let function = try #require(LibraryTable.javaScript["util.autoKsuid"])
        let ksuid = try #require(function.run(&second).string)
        #expect(ksuid > first ?? "")
    }

    static let rows = LibraryRow.table(
        "",
        [
            ("util.math.roundNum", "[1.5]", "2"), ("util.math.roundNum", "[-1.5]", "-1"),
            ("util.math.roundNum", "[2.4]", "2"), ("util.math.roundNum", "[7]", "7"),
            ("util.math.minVal", "[1,2.5]", "1"), ("util.math.maxVal", "[1,2.5]", "2.5"),
            ("util.math.randomWithinRange", "[5,5]", "5"),
            ("util.math.randomWithinRange", "[0,1000]", "0"),
            (
                "util.http.copyHeaders", #"[{"Host":"a","x-y":"b","te":"c","Content-Length":"1","accept":["d"]}]"#,
                #"{"x-y":"b","accept":["d"]}"#
            ),
            ("util.http.copyHeaders", "[null]", "null"),
            (
                "ai.invokeModel", #"[{"modelId":"m","body":{"a":1},"guardrailIdentifier":null}]"#,
                #"{"operation":"InvokeModel","modelId":"m","body":{"a":1}}"#
            ),
            (
                "ai.converse", #"[{"modelId":"m","messages":[],"system":[{"text":"s"}]}]"#,
                #"{"operation":"Converse","modelId":"m","messages":[],"system":[{"text":"s"}]}"#
            ),
        ])

    @Test("a function of numbers, heads and models", arguments: rows)
    func function(row: LibraryRow) throws {
        try LibraryCalls.check(row)
    }

    @Test("chance is between nothing and one, and within its range")
    func chance() throws {
        var call = LibraryCall(ResolverContext())
        let double = try #require(LibraryTable.javaScript["util.math.randomDouble"])
        let within = try #require(LibraryTable.javaScript["util.math.randomWithinRange"])
        for _ in 0..<100 {
            call.arguments = []
            #expect((0..<1).contains(try #require(try double.run(&call).number)))
            call.arguments = [-2, 3]
            #expect((-2..<3).contains(try #require(try within.run(&call).integer)))
        }
        #expect(try LibraryCalls.refusal("util.math.randomWithinRange", "[2,1]") != nil)
    }

    @Test("fields of the answer's head: the last one wins, and what cannot be set is an error beside the value")
    func headers() throws {
        var calls = LibraryCalls()
        _ = try calls.run("util.http.addResponseHeader", #"["X-A","1"]"#)
        _ = try calls.run("util.http.addResponseHeaders", #"[{"x-a":2,"Cache-Control":"no-store"}]"#)
        let headers = calls.call.outcome.responseHeaders
        #expect(headers.map(\.0) == ["x-a", "Cache-Control"])
        #expect(headers.map(\.1) == ["2", "no-store"])
        for arguments in [
            #"["","a"]"#, #"["a b","c"]"#, #"["Content-Type","a"]"#, #"["x-amzn-a","b"]"#, #"["Connection","a"]"#,
            #"["vary","a"]"#, #"["a",null]"#, #"["a","b\r\nSet-Cookie: c"]"#,
        ] {
            let before = calls.call.outcome.outErrors.count
            _ = try calls.run("util.http.addResponseHeader", arguments)
            #expect(calls.call.outcome.outErrors.count == before + 1, "\(arguments)")
            #expect(calls.call.outcome.outErrors.last?.type == "ResponseHeaderError")
        }
        #expect(calls.call.outcome.responseHeaders.count == 2)
    }

    @Test("all fields together have a size")
    func headerSize() throws {
        var calls = LibraryCalls()
        let text = String(repeating: "x", count: LibraryLimits.headerBytesMax - 3)
        _ = try calls.run("util.http.addResponseHeader", [.string("x-a"), .string(text)])
        #expect(calls.call.outcome.responseHeaders.count == 1)
        _ = try calls.run("util.http.addResponseHeader", #"["x","1"]"#)
        #expect(calls.call.outcome.responseHeaders.count == 1)
        #expect(calls.call.outcome.outErrors.first?.message == "The headers have more than 4096 bytes.")
    }

    @Test("a model's request that lacks what it needs is refused")
    func models() throws {
        #expect(
            try LibraryCalls.refusal("ai.invokeModel", #"[{"modelId":"m"}]"#)?.message
                == "ai.invokeModel expects 'body'.")
    }
}
