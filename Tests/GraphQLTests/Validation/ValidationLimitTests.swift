import GraphQL
import TestSupport
import Testing

@Suite("The limits of validation")
struct ValidationLimitTests {
    private static let schema = testSchema(
        "type Query { a: Query b: Query c(x: Int): Int s: String } type Mutation { a: Query }")

    private func messages(_ text: String, _ limits: ValidationLimits = .standard) throws -> [String] {
        let document = try Document(parsing: text, limits: .schema)
        return Validation.errors(in: document, schema: Self.schema, limits: limits).map(\.message)
    }

    private static let tooComplex = "Validation error of type DocumentTooComplex: "

    /// Documents that are made to take long. What they must not do is take long.
    static let bombs: [(name: String, text: String)] = [
        ("the same field ten thousand times", "{" + String(repeating: "s ", count: 10_000) + "}"),
        ("ten thousand aliases", "{" + (0..<5_000).map { "a\($0): s " }.joined() + "}"),
        ("one alias for many arguments", "{" + (0..<2_000).map { "c(x: \($0)) " }.joined() + "}"),
        ("many objects under one name", "{" + String(repeating: "a { s } ", count: 3_000) + "}"),
        (
            "fragments that double at each step",
            "{ ...F0 } "
                + (0..<300).map { "fragment F\($0) on Query { a { ...F\($0 + 1) } b { ...F\($0 + 1) } } " }.joined()
                + "fragment F300 on Query { s }"
        ),
        (
            "fragments that double at each step, not too deep",
            "{ ...F0 } "
                + (0..<150).map { "fragment F\($0) on Query { a { ...F\($0 + 1) } b { ...F\($0 + 1) } } " }.joined()
                + "fragment F150 on Query { s }"
        ),
        (
            "fragments that overlap in every combination",
            "{ ...F0 ...G0 } "
                + (0..<60).map { step in
                    "fragment F\(step) on Query { a { ...F\(step + 1) ...G\(step + 1) } b { ...G\(step + 1) } } "
                        + "fragment G\(step) on Query { a { ...G\(step + 1) } b { ...F\(step + 1) ...G\(step + 1) } } "
                }.joined() + "fragment F60 on Query { s } fragment G60 on Query { s }"
        ),
        (
            "automata of fragments",
            "{ " + (0..<40).map { "...S\($0) " }.joined() + "} "
                + (0..<40).map { state in
                    "fragment S\(state) on Query { a { ...T\((state * 7 + 3) % 40) } b { ...T\((state * 11 + 5) % 40) } } "
                        + "fragment T\(state) on Query { a { s } b { a { s } } } "
                }.joined()
        ),
        (
            "everybody spreads everybody",
            "{ ...F0 } "
                + (0..<80).map { step in
                    "fragment F\(step) on Query { a { \((0..<80).map { "...F\($0) " }.joined()) } } "
                }.joined()
        ),
        (
            "one long chain of fragments",
            "{ ...F0 } " + (0..<1_800).map { "fragment F\($0) on Query { ...F\($0 + 1) } " }.joined()
                + "fragment F1800 on Query { s }"
        ),
        (
            "a long circle of fragments",
            "{ ...F0 } " + (0..<1_500).map { "fragment F\($0) on Query { ...F\(($0 + 1) % 1_500) } " }.joined()
        ),
        (
            "a big fragment in many places",
            "{" + String(repeating: "a { ...F s } ", count: 2_000) + "} fragment F on Query { "
                + (0..<2_500).map { "x\($0): s " }.joined() + "}"
        ),
    ]

    @Test("end the checking of a document that is made to take long", arguments: bombs.indices)
    func bomb(_ index: Int) throws {
        let bomb = Self.bombs[index]
        let document = try Document(parsing: bomb.text, limits: .schema)
        var errors: [ValidationError] = []
        let time = processorTime { errors = Validation.errors(in: document, schema: Self.schema) }
        // A build for debugging is some twenty times slower than the one that serves; there the limit is 50 ms.
        #expect(time < .seconds(4), "\(bomb.name) took \(time)")
        #expect(errors.count <= ValidationLimits.standard.errorsMax + 1)
    }

    @Test("refuse fragments that nest too deeply, before anything walks them")
    func depth() throws {
        func chain(_ length: Int) -> String {
            "{ ...F0 } " + (0..<length).map { "fragment F\($0) on Query { a { ...F\($0 + 1) } } " }.joined()
                + "fragment F\(length) on Query { s }"
        }
        #expect(try messages(chain(99)) == [])
        #expect(try messages(chain(100)) == [Self.tooComplex + "The fragments of the document nest too deeply"])
    }

    /// Fragments each of which spreads the next one twice, on a type that has fields of its own type.
    private static func doubling(
        _ count: Int, on type: String, through fields: [String], end: String, condition: String = ""
    ) -> String {
        let body = { (step: Int) in fields.map { "\($0) { ...F\(step + 1) \(condition) } " }.joined() }
        return (0..<count).map { "fragment F\($0) on \(type) { \(body($0)) } " }.joined()
            + "fragment F\(count) on \(type) { \(end) }"
    }

    static let doublings: [(name: String, text: String)] = [
        ("fields", "{ ...F0 } " + doubling(40, on: "Query", through: ["a", "b"], end: "s")),
        ("one field under two names", "{ ...F0 } " + doubling(40, on: "Query", through: ["x: a", "y: a"], end: "s")),
        (
            "spreads that are left out",
            "{ s a { ...F0 @skip(if: true) } } " + doubling(40, on: "Query", through: ["a", "b"], end: "s")
        ),
        (
            "spreads under conditions",
            "query ($yes: Boolean!) { ...F0 } "
                + doubling(40, on: "Query", through: ["a", "b"], end: "s", condition: "@include(if: $yes)")
        ),
        (
            "what a mutation gives",
            "mutation { a { ...F0 } } " + doubling(40, on: "Query", through: ["a", "b"], end: "s")
        ),
        (
            "what a schema says of itself",
            "{ __schema { queryType { ...F0 } } } "
                + doubling(40, on: "__Type", through: ["x: ofType", "y: ofType"], end: "name")
        ),
        (
            "inline fragments",
            "{ ...F0 } " + doubling(40, on: "Query", through: ["... on Query", "... on Query"], end: "s")
        ),
        (
            "the second operation",
            "query A { s } query B { ...F0 } " + doubling(40, on: "Query", through: ["a", "b"], end: "s")
        ),
    ]

    @Test("refuse an operation that selects too much when its fragments are written out", arguments: doublings.indices)
    func expansion(_ index: Int) throws {
        #expect(
            try messages(Self.doublings[index].text) == [
                Self.tooComplex + "An operation selects more than 20000 fields when every fragment is written out"
            ], "\(Self.doublings[index].name)")
    }

    @Test("count a fragment for each of its spreads, and what nobody spreads not at all")
    func selections() throws {
        let limits = ValidationLimits(
            errorsMax: 10, errorBytesMax: 10_000, workMax: 1_000, depthMax: 10, selectionsMax: 10)
        let fragment = " fragment F on Query { x: s y: s z: s s }"
        #expect(try messages("{ ...F ...F }" + fragment, limits) == [])
        #expect(try messages("{ s ...F ...F }" + fragment, limits).count == 1)
        let unused = " fragment G on Query { \((0..<20).map { "g\($0): s" }.joined(separator: " ")) }"
        #expect(try messages("{ s }" + unused, limits).allSatisfy { $0.contains("UnusedFragment") })
    }

    @Test("end a list of errors that is too long")
    func errors() throws {
        let text = "{" + (0..<50).map { "no\($0) " }.joined() + "}"
        #expect(try messages(text).count == 50)
        let few = ValidationLimits(errorsMax: 7, errorBytesMax: 1_000_000, workMax: 1_000, depthMax: 10)
        #expect(try messages(text, few).count == 7)
        let short = ValidationLimits(errorsMax: 1_000, errorBytesMax: 500, workMax: 1_000, depthMax: 10)
        #expect(try messages(text, short).count < 15)
    }

    @Test("refuse a document that asks for too much work")
    func work() throws {
        let limits = ValidationLimits(errorsMax: 10, errorBytesMax: 10_000, workMax: 100, depthMax: 10)
        #expect(try messages("{" + String(repeating: "s ", count: 100) + "}", limits) == [])
        #expect(
            try messages("{" + String(repeating: "s ", count: 101) + "}", limits)
                == [Self.tooComplex + "The fields of the document overlap in too many ways"])
    }
}
