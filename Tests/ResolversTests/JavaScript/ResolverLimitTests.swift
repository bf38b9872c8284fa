import JSON
import Testing

@testable import Resolvers

@Suite("Limits of handlers")
struct ResolverLimitTests {
    private static func limits(_ change: (inout ResolverLimits) -> Void) -> ResolverLimits {
        var limits = ResolverLimits()
        change(&limits)
        return limits
    }

    private func failure(_ body: String, _ context: JSONValue = [:], _ limits: ResolverLimits) throws -> String {
        guard case .failed(let error) = try ResolverRunning.outcome(body, context, limits: limits).end else {
            return "no failure"
        }
        #expect(error.type == "Code" && error.isFault)
        return error.message
    }

    @Test("a code has at most so many characters")
    func codeCharacters() {
        let code = "export const request = () => null;\nexport const response = () => null;\n//"
        let rest = ResolverLimits.codeCharactersMax - code.utf16.count
        #expect(throws: Never.self) {
            try ResolverCode(javaScript: code + String(repeating: "x", count: rest))
        }
        #expect(throws: ResolverCodeError.self) {
            try ResolverCode(javaScript: code + String(repeating: "x", count: rest + 1))
        }
    }

    @Test(
        "a loop has at most so many turns",
        arguments: [
            "for (const x of ctx.args.list) { n += 1; }",
            "for (const x of ctx.args.text) { n += 1; }",
            "for (const x in ctx.args.object) { n += 1; }",
        ])
    func loopTurns(loop: String) throws {
        func context(_ count: Int) -> JSONValue {
            [
                "arguments": [
                    "list": .array((0..<count).map { .integer(Int64($0)) }),
                    "text": .string(String(repeating: "a", count: count)),
                    "object": .object(JSONObject((0..<count).map { ("k\($0)", .null) })),
                ]
            ]
        }
        let body = "let n = 0;\n\(loop)\nreturn n;"
        let limits = ResolverLimits()
        #expect(try ResolverRunning.value(body, context(limits.loopTurnsMax)) == 1_000)
        #expect(
            try failure(body, context(limits.loopTurnsMax + 1), limits).contains(bytesOf: "A loop takes too many turns")
        )
    }

    @Test("a loop in a loop has its turns each time")
    func nestedLoops() throws {
        let body = "let n = 0;\nfor (const a of ctx.args.l) { for (const b of 'xy') { n += 1; } }\nreturn n;"
        let list = JSONValue.array((0..<900).map { .integer(Int64($0)) })
        #expect(try ResolverRunning.value(body, ["arguments": ["l": list]]) == 1_800)
    }

    @Test(
        "steps, calls, memory, nesting and sizes have bounds",
        arguments: [
            (
                "[1, 2, 3].map(function f(x) { return [1, 2, 3, 4].map(f); });\nreturn 1;",
                ResolverLimitTests.limits { $0.stepsMax = 2_000 }, "takes too many steps", "Maximum call stack"
            ),
            (
                "const f = (n) => (n === 0 ? 0 : f(n - 1) + 1);\nreturn f(100);",
                ResolverLimitTests.limits { $0.callDepthMax = 50 },
                "Maximum call stack", ""
            ),
            (
                "let s = 'aaaaaaaaaaaaaaaa';\n[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20].forEach(() => { s = s + s + 'b'; s.length; s.trim(); });\nreturn s.length;",
                ResolverLimitTests.limits { $0.memoryBytesMax = 1 << 20 }, "too much memory", "Invalid string length"
            ),
            (
                "let v = 1;\n[1,2,3,4,5,6,7,8,9,10].forEach(() => { v = [v]; });\nreturn v;",
                ResolverLimitTests.limits { $0.nestingMax = 9 }, "nested more than 9 deep", ""
            ),
            (
                "let v = 1;\n[1,2,3,4,5,6,7,8,9,10].forEach(() => { v = { v }; });\nreturn util.dynamodb.toDynamoDB(v);",
                ResolverLimitTests.limits { $0.nestingMax = 9 }, "nested more than 9 deep", ""
            ),
            ("return ctx.args.deep;", ResolverLimitTests.limits { $0.nestingMax = 3 }, "nested more than 3 deep", ""),
            ("const o = {};\no.o = o;\nreturn o;", ResolverLimitTests.limits { _ in }, "nested more than 100 deep", ""),
            (
                "return 'x'.concat(ctx.args.long);", ResolverLimitTests.limits { $0.resultBytesMax = 1_000 },
                "more than 1000 bytes", ""
            ),
            ("return ctx.args;", ResolverLimitTests.limits { $0.resultBytesMax = 1_000 }, "more than 1000 bytes", ""),
            (
                "ctx.stash.s = ctx.args.long;\nreturn 1;", ResolverLimitTests.limits { $0.resultBytesMax = 1_000 },
                "more than 1000 bytes",
                ""
            ),
            (
                "[1, 2, 3].forEach((n) => util.appendError('e' + n));\nreturn 1;",
                ResolverLimitTests.limits { $0.outErrorsMax = 2 },
                "at most 2 errors", ""
            ),
        ] as [(String, ResolverLimits, String, String)])
    func bounds(body: String, limits: ResolverLimits, message: String, other: String) throws {
        let context: JSONValue = [
            "arguments": ["deep": [[[[1]]]], "long": .string(String(repeating: "y", count: 1_000))]
        ]
        let found = try failure(body, context, limits)
        #expect(
            found.contains(bytesOf: message) || (!other.isEmpty && found.contains(bytesOf: other)), "\(found)")
    }

    @Test("a handler runs at most so long")
    func time() throws {
        let body = """
            const list = ctx.args.l;
            let n = 0;
            list.forEach(() => list.forEach(() => list.forEach(() => { n += 1; })));
            return n;
            """
        let list = JSONValue.array((0..<900).map { .integer(Int64($0)) })
        let limits = Self.limits {
            $0.stepsMax = .max
            $0.milliseconds = 30
        }
        #expect(try failure(body, ["arguments": ["l": list]], limits).contains(bytesOf: "takes too long"))
    }

    @Test("the console keeps so many lines and bytes, and leaves out the others")
    func logs() throws {
        let body = "[1, 2, 3, 4, 5].forEach((n) => console.log('line', n));\nreturn 1;"
        let lines = try ResolverRunning.outcome(body, limits: Self.limits { $0.logLinesMax = 3 })
        #expect(lines.logs.count == 3)
        let bytes = try ResolverRunning.outcome(body, limits: Self.limits { $0.logBytesMax = 80 })
        #expect(bytes.logs.count == 2)
        guard case .value(1) = bytes.end else {
            Issue.record("\(bytes.end)")
            return
        }
    }

    @Test("a pattern that costs too much ends the handler")
    func patterns() throws {
        let text = JSONValue.string(String(repeating: "a", count: 40))
        #expect(
            try failure("return ctx.args.s.replaceAll('(a+)+b', '');", ["arguments": ["s": text]], ResolverLimits())
                .contains(bytesOf: "takes too long"))
    }

    @Test("a realm is given up once it has kept too many names")
    func names() {
        let realm = ResolverRealm()
        let program = try? JavaScriptProgram.read(
            """
            export const request = (ctx) => ctx.args.list.reduce((o, n) => { o['k' + n] = n; return o; }, {});
            export const response = () => null;
            """, file: "code.js", isTypeScript: false
        ).0
        guard let program else { return }
        let list = JSONValue.array((0..<25_000).map { .integer(Int64($0)) })
        let limits = Self.limits { $0.milliseconds = 60_000 }
        _ = HandlerRun(realm, program, limits).run(
            .request, ResolverContext(json: ["arguments": ["list": list]]), .live)
        #expect(!realm.end())
    }

    @Test("handlers on many threads do not meet")
    func threads() async throws {
        let code = try ResolverRunning.code(
            "ctx.stash.id = ctx.args.id;\nreturn [ctx.args.id, seen.push(ctx.args.id)];", before: "const seen = [];")
        await withTaskGroup(of: Bool.self) { group in
            for id in 0..<64 {
                group.addTask {
                    for _ in 0..<50 {
                        let outcome = code.run(
                            .request, ResolverContext(json: ["arguments": ["id": .integer(Int64(id))]]))
                        guard case .value([.integer(Int64(id)), 1]) = outcome.end else { return false }
                        guard outcome.stash["id"] == .integer(Int64(id)) else { return false }
                    }
                    return true
                }
            }
            for await isRight in group { #expect(isRight) }
        }
    }
}
