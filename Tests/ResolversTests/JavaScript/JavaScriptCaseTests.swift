import JSON
import Testing

@testable import Resolvers

@Suite("JavaScript cases")
struct JavaScriptCaseTests {
    @Test("a handler gives what AppSync's gives", arguments: ResolverCase.all("js"))
    func run(_ resolver: ResolverCase) throws {
        let expectedError = resolver.json["error"]
        let code: ResolverCode
        do throws(ResolverCodeError) {
            code = try ResolverCode(javaScript: resolver.code)
        } catch {
            #expect(expectedError?["kind"]?.string == "refused-at-save", "refused: \(error.findings)")
            if let message = expectedError?["lintMessage"]?.string {
                #expect(error.findings.contains { $0.message == message }, "\(error.findings)")
            }
            return
        }
        #expect(expectedError?["kind"]?.string != "refused-at-save", "it is not refused")
        let outcome = code.run(
            resolver.handler == "response" ? .response : .request, ResolverContext(json: resolver.context))
        if let expectedError {
            guard case .failed(let error) = outcome.end else {
                Issue.record("no error, but \(outcome.end)")
                return
            }
            expect(error, expectedError)
            return
        }
        let value: JSONValue
        switch outcome.end {
        case .value(let answer), .early(let answer, _): value = answer
        case .failed(let error):
            Issue.record("\(error)")
            return
        }
        try expect(value, resolver.json)
        if let filter = resolver.json["expectSubscriptionFilter"] { #expect(outcome.subscriptionFilter == filter) }
        if let stash = resolver.json["expectStash"] { #expect(JSONValue.object(outcome.stash) == stash) }
        if let errors = resolver.json["expectOutErrors"]?.array {
            #expect(outcome.outErrors.count == errors.count)
            for (error, expected) in zip(outcome.outErrors, errors) { expect(error, expected) }
        }
        if let early = resolver.json["expectEarlyReturn"]?.bool {
            if case .early = outcome.end { #expect(early) } else { #expect(!early) }
        }
    }

    private func expect(_ value: JSONValue, _ json: JSONValue) throws {
        guard let expected = json["expect"] else { return }
        if json["expectIs"]?.string == "json-string" {
            let text = try #require(value.string)
            #expect(try JSONReader.value(of: text) == expected)
        } else {
            #expect(value == expected)
        }
    }

    private func expect(_ error: ResolverError, _ expected: JSONValue) {
        if let message = expected["message"]?.string { #expect(error.message == message) }
        if let part = expected["messageContains"]?.string { #expect(error.message.contains(bytesOf: part)) }
        if let start = expected["messageStartsWith"]?.string { #expect(error.message.hasPrefix(start)) }
        if let end = expected["messageEndsWith"]?.string { #expect(error.message.hasSuffix(end)) }
        if let type = expected["errorType"]?.string { #expect(error.type == type) }
        if let data = expected["data"] { #expect(error.data == data) }
        if let info = expected["errorInfo"] { #expect(error.info == info) }
    }
}
