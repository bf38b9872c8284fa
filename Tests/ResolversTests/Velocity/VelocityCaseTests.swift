import JSON
import Testing

@testable import Resolvers

@Suite("Mapping templates")
struct VelocityCaseTests {
    @Test("the cases are there")
    func isThere() {
        #expect(ResolverCase.all("vtl").count > 50)
    }

    @Test("a template gives what AppSync gives", arguments: ResolverCase.all("vtl"))
    func asAppSync(_ given: ResolverCase) throws {
        let expected = given.json["error"]
        let code: ResolverCode
        do throws(ResolverCodeError) {
            code = try ResolverCode(template: nil, response: given.code)
        } catch {
            #expect(expected?["kind"]?.string == "template-parse", "\(error.findings)")
            return
        }
        let outcome = code.run(.response, ResolverContext(json: given.context))
        switch outcome.end {
        case .value(let value):
            #expect(expected == nil)
            if given.json["expectIs"]?.string == "json-string" {
                #expect(try JSONReader.value(of: value.string ?? "") == given.json["expect"])
            } else {
                #expect(value == given.json["expect"])
            }
            #expect(given.json["expectEarlyReturn"]?.bool != true)
        case .early(let value, _):
            #expect(value == given.json["expect"])
            #expect(given.json["expectEarlyReturn"]?.bool == true)
        case .failed(let error):
            let expected = try #require(expected, "\(error.message)")
            if let message = expected["message"]?.string { #expect(error.message == message) }
            if let part = expected["messageContains"]?.string { #expect(error.message.contains(bytesOf: part)) }
            if let type = expected["errorType"]?.string { #expect(error.type == type) }
        }
        if let stash = given.json["expectStash"] { #expect(.object(outcome.stash) == stash) }
        if let errors = given.json["expectOutErrors"]?.array {
            #expect(outcome.outErrors.map(\.message) == errors.map { $0["message"]?.string ?? "" })
            #expect(outcome.outErrors.map { $0.type ?? "" } == errors.map { $0["errorType"]?.string ?? "" })
        }
    }
}
