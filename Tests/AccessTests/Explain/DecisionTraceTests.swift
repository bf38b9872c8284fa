import Testing

@testable import Access

@Suite("An explanation")
struct DecisionTraceTests {
    @Test("names the rules that were considered and what was compared")
    func steps() throws {
        let test = try TestPolicy(
            #"type Post @model @auth(rules: [{allow: owner}, {allow: groups, groups: ["Admin"]}]) { id: ID! }"#)
        let trace = DecisionTrace()
        let caller = test.policy.caller(Callers.bob, trace: trace)
        _ = try test.model("Post").list.decision(for: caller)
        #expect(
            trace.lines == [
                #"list Post: Post:userPools:staticGroup:Admin:cognito:groups does not admit: "#
                    + #"group Admin, the caller's groups are ["Devs"]"#,
                #"list Post: Post:userPools:owner:owner:sub::username admits: "#
                    + #"records whose owner is one of ["sub-bob", "bob", "sub-bob::bob"]"#,
            ])
    }

    @Test("has a limit")
    func limit() {
        let trace = DecisionTrace()
        for _ in 0..<AccessLimits.traceStepsMax * 2 { trace.note("rule", isMet: false, "reason") }
        #expect(trace.steps.count == AccessLimits.traceStepsMax)
    }
}
