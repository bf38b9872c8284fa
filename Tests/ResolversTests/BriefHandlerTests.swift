import JSON
import Testing

@testable import Resolvers

/// Handlers on a loop: short ones end there, and of the others it is as if they had not begun.
@Suite("Handlers that a loop has time for")
struct BriefHandlerTests {
    /// A million calls, which is beyond what a loop has time for and far below what a handler may take.
    private static let long = """
        const l = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
        let n = 0;
        l.forEach(() => l.forEach(() => l.forEach(() => l.forEach(() => { n += 1; }))));
        """

    private static func value(_ outcome: ResolverOutcome?) -> JSONValue? {
        guard let outcome, case .value(let value) = outcome.end else { return nil }
        return value
    }

    /// The outcome of a short one. It is given up where the machine does something else for as long as others may wait; what was given up
    /// has never been, so it is begun again.
    private static func brief(
        _ code: ResolverCode, _ handler: ResolverCode.Handler = .request, _ context: ResolverContext = ResolverContext()
    ) -> ResolverOutcome? {
        (0..<triesMax).lazy.compactMap { _ in code.runBriefly(handler, context) }.first
    }

    private static let triesMax = 20

    @Test("a short one gives what it gives elsewhere")
    func short() throws {
        let code = try ResolverRunning.code(
            "ctx.stash.a = ctx.args.a; console.log('seen'); util.appendError('beside'); return { b: ctx.args.a };")
        let context = ResolverContext(json: ["arguments": ["a": 1]])
        let brief = try #require(Self.brief(code, .request, context))
        let whole = code.run(.request, context)
        #expect(Self.value(brief) == ["b": 1] && Self.value(whole) == ["b": 1])
        #expect(brief.stash == whole.stash && brief.logs == whole.logs && brief.outErrors == whole.outErrors)
    }

    @Test("an error that the code makes itself is an outcome, and so is an early return")
    func ends() throws {
        let fails = try ResolverRunning.code("util.error('no', 'Own');")
        guard case .failed(let error)? = Self.brief(fails)?.end else {
            Issue.record("no error")
            return
        }
        #expect(error.message == "no" && error.type == "Own")
        let early = try ResolverRunning.code("runtime.earlyReturn(3);")
        guard case .early(3, false)? = Self.brief(early)?.end else {
            Issue.record("no early return")
            return
        }
    }

    @Test("a long one is given up, and not tried again before it has been short beside the loop")
    func remembered() throws {
        let code = try ResolverRunning.code("if (ctx.args.long) {\n\(Self.long)\n}\nreturn 1;")
        let short = ResolverContext()
        let long = ResolverContext(json: ["arguments": ["long": true]])
        // Whatever the first one pays for is paid.
        _ = code.run(.request, short)
        #expect(code.runBriefly(.request, long) == nil)
        #expect(Self.value(Self.brief(code)) == 1)
        // It may take longer than others wait there, on a machine that does something else.
        _ = code.runBesideLoop(.request, long)
        #expect(Self.value(code.runLong(.request, long)) == 1)
        #expect(code.runBriefly(.request, short) == nil)
        // The other handler of the same code has nothing to do with it.
        #expect(Self.value(Self.brief(code, .response, ResolverContext(json: ["result": 4]))) == 4)
        var isShort = false
        for _ in 0..<100 where !isShort {
            _ = code.runBesideLoop(.request, short)
            isShort = code.runBriefly(.request, short) != nil
        }
        #expect(isShort)
    }

    @Test(
        "beside the loop one that takes longer than others may wait is given up as well, and goes to its limit among the long ones"
    )
    func longer() throws {
        let code = try ResolverRunning.code(
            "const l = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];\nl.forEach(() => l.forEach(() => l.forEach(() => l.forEach(() => l.forEach(() => l.forEach(() => l.forEach(() => 1)))))));\nreturn 1;"
        )
        #expect(code.runBesideLoop(.request, ResolverContext()) == nil)
        guard case .failed(let error) = code.runLong(.request, ResolverContext()).end else {
            Issue.record("no limit")
            return
        }
        #expect(error.message.contains(bytesOf: "The program takes too"))
        // A fault that comes at once is its outcome there.
        let fault = try ResolverRunning.code("return ctx.args.nothing.member;")
        #expect(fault.runBesideLoop(.request, ResolverContext()) != nil)
    }

    @Test(
        "what meets a lower limit there is given up, whatever it does about it",
        arguments: [
            // Steps, and the memory of texts.
            BriefHandlerTests.long + "\nreturn n;",
            "let s = 'aaaaaaaaaaaaaaaa'; [1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17].forEach(() => { s = s + s; s.trim(); }); return s.length;",
            // A value, a stash and arguments that are too large, also where the handler returns early.
            "let s = 'aaaaaaaaaaaaaaaa'; [1,2,3,4,5,6,7,8,9,10,11,12,13,14,15].forEach(() => { s = s + s; }); return s;",
            "let s = 'aaaaaaaaaaaaaaaa'; [1,2,3,4,5,6,7,8,9,10,11,12,13,14,15].forEach(() => { s = s + s; }); ctx.stash.s = s; runtime.earlyReturn(1);",
            "let s = 'aaaaaaaaaaaaaaaa'; [1,2,3,4,5,6,7,8,9,10,11,12,13,14,15].forEach(() => { s = s + s; }); ctx.args.s = s; return 1;",
            // A regular expression that takes long, and a text for the library.
            "return 'aaaaaaaaaaaaaaaaaaaaaaaa'.replaceAll('(a|aa)+b', 'c');",
            "let s = 'aaaaaaaaaaaaaaaa'; [1,2,3,4,5,6,7,8,9,10,11,12,13,14,15].forEach(() => { s = s + s; }); return util.base64Encode(s).length;",
            // A fault may come of a limit.
            "return ctx.args.nothing.member;",
        ])
    func lowerLimits(body: String) throws {
        let code = try ResolverRunning.code(body)
        var context = ResolverContext()
        context.keepsArguments = true
        #expect(code.runBriefly(.request, context) == nil)
    }

    @Test("who is told much is not tried")
    func contexts() throws {
        let code = try ResolverRunning.code("return 1;")
        func isTried(_ context: JSONValue) -> Bool { Self.brief(code, .request, ResolverContext(json: context)) != nil }
        let valuesMax = ResolverLimits.briefContextValuesMax
        func list(_ count: Int) -> JSONValue { .array(Array(repeating: 1, count: count)) }
        #expect(isTried(["arguments": ["a": list(valuesMax - 100)]]))
        for place in ["arguments", "source", "stash", "result"] {
            #expect(!isTried([place: ["a": list(valuesMax)]] as JSONValue), "\(place)")
        }
        let text = JSONValue.string(String(repeating: "a", count: ResolverLimits.briefContextBytesMax + 1))
        #expect(!isTried(["prev": ["result": text]]))
        #expect(!isTried(["source": ["a": text]]))
    }

    @Test("templates are the same")
    func templates() throws {
        let code = try ResolverCode(
            template: """
                #set($n = 0)
                #foreach($a in [1..$ctx.args.n])#foreach($b in [1..$ctx.args.n])#set($n = $n + 1)#end#end
                $util.qr($ctx.stash.put("n", $n))
                $util.toJson($n)
                """, response: nil)
        func context(_ n: Int64) -> ResolverContext {
            ResolverContext(json: ["arguments": ["n": .integer(n)]])
        }
        _ = code.run(.request, context(2))
        let short = try #require(Self.brief(code, .request, context(2)))
        #expect(Self.value(short) == 4 && short.stash["n"] == 4)
        // Twice the steps that a loop has for it.
        #expect(code.runBriefly(.request, context(100)) == nil)
        #expect(Self.value(code.runLong(.request, context(100))) == 10_000)
    }
}
