import JSON
import TestSupport
import Testing

@testable import Resolvers

/// Modules that are changed at random are refused, or their handlers end within their limits, and leave a realm as it was.
@Suite("Random modules")
struct ResolverFuzzTests {
    private static let sources =
        ResolverCase.all("js").map(\.code) + LintCase.all.map(\.code)
    private static let contexts = ResolverCase.all("js").map { ResolverContext(json: $0.context) }
    /// Rounds until one may run long: the others end early, so that a million can be run.
    private static let shortRounds = 16

    @Test("never trap, never hang, and never leave anything behind")
    func mutated() {
        var random = SeededRandom(test: "ResolverFuzzTests")
        var limits = ResolverLimits()
        limits.milliseconds = 500
        limits.memoryBytesMax = 4 << 20
        limits.resultBytesMax = 64 << 10
        let mutator = ModuleMutator(Self.sources)
        var taken = 0
        for round in 0..<Fuzz.rounds(ordinarily: 600) {
            let text = mutator.next(&random)
            let program: JavaScriptProgram
            do throws(ResolverCodeError) {
                program = try JavaScriptProgram.read(text, file: "code.js", isTypeScript: round % 8 == 0).0
            } catch {
                if error.findings.isEmpty { Issue.record("refused for nothing: \(text)") }
                continue
            }
            taken += 1
            limits.stepsMax = round % Self.shortRounds == 0 ? 20_000 : 1_500
            let context = Self.contexts.randomElement(using: &random) ?? ResolverContext()
            for handler in [ResolverCode.Handler.request, .response] {
                let outcome = program.run(handler, context, limits, .live)
                switch outcome.end {
                case .value(let value), .early(let value, _):
                    // About: numbers are counted as eight bytes.
                    if JSONWriter.bytes(of: value).count > 8 * limits.resultBytesMax {
                        Issue.record("too large: \(text)")
                    }
                case .failed(let error):
                    if error.isFault, error.type == nil { Issue.record("a fault without its type: \(text)") }
                }
                if outcome.logs.count > limits.logLinesMax { Issue.record("too many lines: \(text)") }
            }
        }
        #expect(taken > 0)
        print("\(taken) modules ran")
        let realm = ResolverRealm()
        #expect(realm.realm.isWhollyFrozen)
    }
}

/// Changes modules: parts of others are put in, words are exchanged, pieces are left out or doubled.
struct ModuleMutator {
    private let sources: [[Unicode.Scalar]]
    private let words: [[Unicode.Scalar]]

    init(_ sources: [String]) {
        self.sources = sources.map { Array($0.unicodeScalars) }
        var words = Set<String>()
        for source in sources {
            for word in source.split(whereSeparator: { !$0.isLetter && !$0.isNumber && $0 != "." && $0 != "_" }) {
                words.insert(String(word))
            }
        }
        words.formUnion([
            "(", ")", "{", "}", "[", "]", ",", ";", "=>", "...", "?.", "??", "=", "+=", "`", "${", "'", "1e9", "-1",
            "NaN",
            "null", "undefined", "ctx.stash", "ctx.args", "ctx", "JSON.stringify(ctx)", ".map(x => [x, ctx])",
            ".flat(9)",
            ".fill(1)", ".join('x')", ".split('')", ".replaceAll('(.*)*', '$1')", "Object.keys(ctx)", "[...'abc']",
            "for (const k of [1, 2]) { }", "for (const k in ctx) { }", "get a() { return ctx; }", "__proto__",
            "util.error(ctx)", "util.appendError('x')", "runtime.earlyReturn(ctx)", "console.log(ctx)",
            "Object.assign(ctx.stash, ctx)", ".concat(ctx.args)", ".reduce((a, b) => a + b, ctx)", "String.raw`a${1}`",
        ])
        self.words = words.sorted().map { Array($0.unicodeScalars) }
    }

    /// Statements that can stand nearly anywhere.
    private static let statements = [
        "ctx.stash.a = [ctx.args, ctx];", "console.log(ctx, [1, undefined], () => 1);",
        "for (const k in ctx) { ctx.args[k] = k; }",
        "util.appendError('x', ctx.args);", "if (ctx.args) { runtime.earlyReturn([ctx.stash]); }",
        "const self = { ctx }; self.self = self;",
        "return JSON.stringify(ctx);", "return [ctx.args].map((x) => [x, x]);",
        "ctx.args.list = [...'abc'].fill(ctx.args, 1);",
        "return util.dynamodb.toMapValues(ctx);", "for (const x of [ctx, ctx]) { x.args.n = (x.args.n ?? 0) + 1; }",
        "const { args, ...rest } = ctx; return rest;", "return 'aaaaaaaaaa'.replaceAll('(a*)*b', '$1');", "return ctx;",
        "[1, 2, 3].forEach((x) => [4, 5].forEach((y) => { ctx.stash[x + y] = { x, y }; }));", "delete ctx.args;",
        "const f = (n) => (n > 0 ? f(n - 1) : ctx); return f(1000);",
        "let s = 'ab'; s += s; s += s; s += s; return [s, s.split('')];",
        "return Object.entries(ctx.identity ?? {}).flat(3).sort().join();",
        "return { get a() { return [this_is_not_there]; } };",
        "const t = (s, ...v) => [s.raw, v]; return t`a${ctx}b`;", "return `${ctx}${[ctx]}`;",
        "return { ...ctx, ...ctx.info, [ctx.args]: 1 };",
        "return Object.assign(ctx.stash, ctx.args, { a: -0, b: 1e400, c: undefined });",
        "util.error(ctx.args, ctx, ctx, ctx);",
        "return extensions.setSubscriptionFilter(util.transform.toSubscriptionFilter(ctx.args));", "[].push(...[ctx]);",
    ]

    func next(_ random: inout SeededRandom) -> String {
        var text = sources.randomElement(using: &random) ?? []
        for _ in 0..<Int.random(in: 1...3, using: &random) {
            let place = Int.random(in: 0...text.count, using: &random)
            switch Int.random(in: 0..<20, using: &random) {
            case 0:
                let end = min(text.count, place + Int.random(in: 1...20, using: &random))
                text.removeSubrange(place..<end)
            case 1:
                let end = min(text.count, place + Int.random(in: 1...60, using: &random))
                text.insert(contentsOf: text[place..<end], at: place)
            case 2: text.insert(contentsOf: words.randomElement(using: &random) ?? [], at: place)
            case 3:
                let other = sources.randomElement(using: &random) ?? []
                guard !other.isEmpty else { continue }
                let start = Int.random(in: 0..<other.count, using: &random)
                let end = min(other.count, start + Int.random(in: 1...80, using: &random))
                text.insert(contentsOf: other[start..<end], at: place)
            case 4..<10:
                // A word is exchanged for another one.
                var start = place
                while start > 0, text[start - 1].properties.isAlphabetic { start -= 1 }
                var end = place
                while end < text.count, text[end].properties.isAlphabetic { end += 1 }
                text.replaceSubrange(start..<end, with: words.randomElement(using: &random) ?? [])
            default:
                // A statement comes behind the brace of a function.
                let braces = text.indices.filter { text[$0] == "{" && $0 > 0 && text[$0 - 1] == " " }
                guard let brace = braces.randomElement(using: &random) else { continue }
                let statement = Self.statements.randomElement(using: &random) ?? ""
                text.insert(contentsOf: " \(statement) ".unicodeScalars, at: brace + 1)
            }
        }
        return String(String.UnicodeScalarView(text))
    }
}
