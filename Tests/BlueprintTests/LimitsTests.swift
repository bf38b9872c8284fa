import GraphQL
import Testing

@testable import Blueprint

@Suite("Limits")
struct LimitsTests {
    @Test("types nested in each other thousands deep are read without deep recursion")
    func readsDeepNesting() {
        let count = 5_000
        let types = (0..<count).map { "type N\($0) { next: N\(($0 + 1) % count) value: Int }" }
        let schema =
            "type T @model @auth(rules: [{ allow: public }]) { id: ID! n: N0 }\n" + types.joined(separator: "\n")
        var settings = Settings()
        settings.additionalModes = [.userPools]
        let made = check(schema, settings)
        #expect(made.api != nil)
        #expect(check("input AMPLIFY { globalAuthRule: AuthRule = { allow: public } }\n" + schema, settings).api != nil)
    }

    @Test("a schema with very many mistakes has no more diagnostics than the limit")
    func endsAtDiagnosticsLimit() {
        let fields = (0..<5_000).map { "f\($0): Nope\($0)" }.joined(separator: "\n")
        let types = (0..<2_000).map { "type Type\($0) { a: Int }" }.joined(separator: "\n")
        #expect(check("type A {\n\(fields)\n}\n\(types)").diagnostics.count == BlueprintLimits.diagnosticsMax)
    }
}
