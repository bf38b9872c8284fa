import JSON
import Testing

@testable import Resolvers

@Suite("Velocity")
struct VelocityLanguageTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let json: JSONValue
        let context: JSONValue
        let testDescription: String

        static let all = read("vtl-language")
        /// What Velocity's grammar and Java's classes do in corners, in the same context.
        static let facts = read("velocity-facts")

        private static func read(_ name: String) -> [Case] {
            (ResolverCase.file(name)["cases"]?.array ?? []).map { json in
                let name = json["name"]?.string.map { "\(json["group"]?.string ?? ""): \($0)" }
                return Case(
                    json: json, context: context, testDescription: name ?? json["template"]?.string ?? "")
            }
        }

        private static let context = ResolverCase.file("vtl-language")["context"] ?? .null
    }

    @Test("the cases are there")
    func isThere() {
        #expect(Case.all.count > 200)
        #expect(Case.facts.count > 200)
    }

    @Test("a template gives what Velocity 1.7 gives", arguments: Case.all + Case.facts)
    func asVelocity(_ given: Case) throws {
        let template = try #require(given.json["template"]?.string)
        let run = VelocityRun(template, ResolverContext(json: given.context))
        switch given.json["fault"]?.string {
        case "parse"?:
            #expect(run.refusal != nil)
            return
        case "render"?:
            #expect(run.error?.isFault == true)
            return
        default: break
        }
        #expect(run.refusal == nil)
        #expect(run.error == nil)
        if let expected = given.json["returned"] {
            #expect(run.returned == expected)
        } else if let expected = given.json["expectJson"] {
            let value = try JSONReader.value(of: run.text)
            #expect(value == expected)
        } else if let either = given.json["either"]?.array {
            #expect(either.contains(.string(run.text)), "\(run.text)")
        } else {
            #expect(run.text == given.json["expect"]?.string)
        }
    }
}
