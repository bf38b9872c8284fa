// Whether Homeport answers as AppSync does: cases, each a schema, who calls, and steps with what must come back.
//
//     Cases/AREA/NAME.json ─▶ ConformanceCase ─▶ CaseRun ──▶ the real server, over real sockets
//                                                  │  ▲              │
//                                       Identity ──┘  └── Matcher    └─▶ StandIns: functions, authorizer, HTTP servers
//
// A case is a file: `Cases/README.md` says how to write one. `NotYet.swift` lists those that do not pass yet; a listed
// case that passes is a failure, so the list only gets shorter. HOMEPORT_CASES=TEXT runs those whose name has the text.

import TestSupport
import Testing

@Suite("Conformance")
struct ConformanceTests {
    @Test("records are made, read, listed and changed as in AppSync", arguments: ConformanceCase.passing(in: .model))
    func models(_ testCase: ConformanceCase) async throws { try await expectToPass(testCase) }

    @Test("relations are followed as in AppSync", arguments: ConformanceCase.passing(in: .relations))
    func relations(_ testCase: ConformanceCase) async throws { try await expectToPass(testCase) }

    @Test("indices are queried as in AppSync", arguments: ConformanceCase.passing(in: .index))
    func indices(_ testCase: ConformanceCase) async throws { try await expectToPass(testCase) }

    @Test("rules let in and refuse whom AppSync does", arguments: ConformanceCase.passing(in: .auth))
    func rules(_ testCase: ConformanceCase) async throws { try await expectToPass(testCase) }

    @Test("what AppSync redacts is redacted", arguments: ConformanceCase.passing(in: .redaction))
    func redaction(_ testCase: ConformanceCase) async throws { try await expectToPass(testCase) }

    @Test("subscriptions speak and deliver as AppSync's", arguments: ConformanceCase.passing(in: .subscriptions))
    func subscriptions(_ testCase: ConformanceCase) async throws { try await expectToPass(testCase) }

    @Test("versions, conflicts and sync queries are AppSync's", arguments: ConformanceCase.passing(in: .datastore))
    func datastore(_ testCase: ConformanceCase) async throws { try await expectToPass(testCase) }

    @Test("scalars accept and refuse what AppSync's do", arguments: ConformanceCase.passing(in: .scalars))
    func scalars(_ testCase: ConformanceCase) async throws { try await expectToPass(testCase) }

    @Test("errors have AppSync's words and shape", arguments: ConformanceCase.passing(in: .errors))
    func errors(_ testCase: ConformanceCase) async throws { try await expectToPass(testCase) }

    @Test("the documents that the clients send are answered", arguments: ConformanceCase.passing(in: .clients))
    func clients(_ testCase: ConformanceCase) async throws { try await expectToPass(testCase) }

    @Test("schemas in TypeScript serve the same API", arguments: ConformanceCase.passing(in: .gen2))
    func typeScript(_ testCase: ConformanceCase) async throws { try await expectToPass(testCase) }

    @Test("introspection shows AppSync's types", arguments: ConformanceCase.passing(in: .introspection))
    func introspection(_ testCase: ConformanceCase) async throws { try await expectToPass(testCase) }

    @Test("functions and HTTP resolvers are called as by AppSync", arguments: ConformanceCase.passing(in: .custom))
    func custom(_ testCase: ConformanceCase) async throws { try await expectToPass(testCase) }

    @Test(
        "events reach channels, and their subscribers, as in AppSync Events",
        arguments: ConformanceCase.passing(in: .events))
    func events(_ testCase: ConformanceCase) async throws { try await expectToPass(testCase) }

    @Test("a case that is listed as not passing does not pass", arguments: ConformanceCase.listed)
    func listed(_ testCase: ConformanceCase) async throws {
        // What is to come and never does is not waited for as long as what does come.
        if try await CaseRun.outcome(of: testCase, patience: .seconds(1)) == nil {
            Issue.record("\(testCase.name) passes: strike it from the list")
        }
    }

    @Test("the list of cases that do not pass names cases only")
    func listNamesCases() {
        let names = Set(ConformanceCase.everyCase.map(\.name))
        #expect(NotYet.reasons.keys.filter { !names.contains($0) }.sorted() == [])
    }

    private func expectToPass(_ testCase: ConformanceCase) async throws {
        guard let failure = try await CaseRun.outcome(of: testCase, patience: patience) else { return }
        Issue.record(
            "\(testCase): \(failure)\nto repeat: HOMEPORT_CASES=\(testCase.name) swift test --filter ConformanceTests")
    }
}
