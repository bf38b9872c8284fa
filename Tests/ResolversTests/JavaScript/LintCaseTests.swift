import JSON
import Testing

@testable import Resolvers

/// A snippet of `Cases/resolver-language.json`, with what AppSync's own lint says of it.
struct LintCase: Sendable, CustomTestStringConvertible {
    let name: String
    let code: String
    let json: JSONValue

    var testDescription: String { name }

    static let all = (ResolverCase.file("resolver-language")["cases"]?.array ?? []).map { json in
        LintCase(name: json["name"]?.string ?? "", code: json["code"]?.string ?? "", json: json)
    }
}

@Suite("Lint cases")
struct LintCaseTests {
    @Test("the lint finds what AppSync's finds, where it finds it", arguments: LintCase.all)
    func verdict(_ snippet: LintCase) {
        let isAccepted = snippet.json["accepted"]?.bool == true
        let isBeyondLint = snippet.json["beyondLint"]?.bool == true
        var findings: [ResolverCodeError.Finding]
        var code: ResolverCode?
        do throws(ResolverCodeError) {
            let resolver = try ResolverCode(javaScript: snippet.code)
            findings = resolver.warnings
            code = resolver
        } catch {
            findings = error.findings
        }
        let ofLint = findings.filter { $0.rule != nil }
        guard !isAccepted else {
            #expect(ofLint.isEmpty, "\(ofLint)")
            if !isBeyondLint {
                #expect(code != nil, "\(findings)")
                return
            }
            // What the lint does not see is refused, or fails when it runs.
            guard let code else { return }
            let request = code.run(.request, ResolverContext(json: ["arguments": [:]]))
            guard case .failed(let error) = request.end else {
                Issue.record("it ran: \(request.end)")
                return
            }
            #expect(error.type == "Code")
            return
        }
        #expect((code != nil) == (snippet.json["acceptedByBase"]?.bool == true), "\(findings)")
        let first = ofLint.first
        #expect(first?.rule == snippet.json["rule"]?.string)
        #expect(first?.message == snippet.json["message"]?.string)
        #expect(first?.place.line == snippet.json["line"]?.integer.map { Int($0) })
        for rule in snippet.json["rules"]?.array ?? [] {
            #expect(ofLint.contains { $0.rule == rule.string })
        }
    }
}
