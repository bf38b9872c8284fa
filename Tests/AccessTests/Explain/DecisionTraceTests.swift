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
                "list Post: asked by the caller",
                #"  no   {allow: groups, groups: ["Admin"]}  the caller's groups are ["Devs"]"#,
                #"  if   {allow: owner, ownerField: "owner"}  "#
                    + #"the record's owner is one of ["sub-bob", "bob", "sub-bob::bob"]"#,
            ])
    }

    @Test("says of each rule why it does not admit, also of those that are not about what is asked")
    func denial() throws {
        let test = try TestPolicy(
            """
            type Post @model @auth(rules: [
              { allow: public }, { allow: private, operations: [read] }, { allow: owner, ownerField: "author" }
              { allow: groups, groupsField: "teams" }, { allow: groups, groups: ["Admin"] }
            ]) { id: ID! author: String teams: [String] }
            type Bare @model { id: ID! }
            """)
        let trace = DecisionTrace(subject: "bob (Cognito User Pools)")
        let caller = test.policy.caller(Callers.bob, trace: trace)
        _ = try test.model("Post").list.decision(for: caller)
        _ = try test.model("Post").delete.decision(for: caller) { $0 == "author" ? "ann" : nil }
        _ = try test.model("Bare").get.decision(for: caller)
        #expect(
            trace.lines == [
                "delete Post: denied for bob (Cognito User Pools)",
                "  no   {allow: public}  it is for callers of the mode API_KEY",
                "  no   {allow: private}  delete is not among its operations",
                #"  no   {allow: groups, groups: ["Admin"]}  the caller's groups are ["Devs"]"#,
                #"  if   {allow: owner, ownerField: "author"}  "#
                    + #"the record's author is one of ["sub-bob", "bob", "sub-bob::bob"]"#,
                #"  no   this record  its author is "ann", compared with ["sub-bob", "bob", "sub-bob::bob"]"#,
                #"  if   {allow: groups, groupsField: "teams"}  the record's teams contains one of ["Devs"]"#,
                "  no   this record  it has no teams",
                "get Bare: denied for bob (Cognito User Pools)",
                "  no   no @auth  a model without rules is closed to everybody",
            ])
        for line in trace.lines { #expect(!line.contains("userPools:") && !line.hasPrefix(":")) }
    }

    @Test("has a limit")
    func limit() {
        let trace = DecisionTrace()
        for _ in 0..<AccessLimits.traceStepsMax * 2 { trace.note("rule", isMet: false, "reason") }
        #expect(trace.steps.count == AccessLimits.traceStepsMax)
    }
}
