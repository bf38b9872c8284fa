import JSON
import Testing

@testable import Resolvers

@Suite("Two templates")
struct VelocityProgramTests {
    @Test("a half that is missing answers an empty object, and leaves the stash")
    func missingHalf() throws {
        let code = try ResolverCode(template: nil, response: nil)
        var context = ResolverContext()
        context.stash.set("a", to: 1)
        for handler in [ResolverCode.Handler.request, .response] {
            let outcome = code.run(handler, context)
            guard case .value(let value) = outcome.end else {
                Issue.record("it did not answer")
                return
            }
            #expect(value == [:])
            #expect(outcome.stash["a"] == 1)
        }
    }

    @Test("nothing of one run is left in the next one")
    func isolation() throws {
        let code = try ResolverCode(
            template: "#if($seen)\"again\"#else\"first\"#end#set($seen = true)$util.qr($ctx.args.put('x', 1))",
            response: "$util.toJson($ctx.args.x)")
        for _ in 0..<2 {
            guard case .value("first") = code.run(.request, ResolverContext()).end,
                case .value(.null) = code.run(.response, ResolverContext()).end
            else {
                Issue.record("something was left")
                return
            }
        }
    }

    @Test("nothing printed is null")
    func empty() throws {
        let code = try ResolverCode(template: "", response: " \n")
        guard case .value(.null) = code.run(.request, ResolverContext()).end,
            case .value(.null) = code.run(.response, ResolverContext()).end
        else {
            Issue.record("it is not null")
            return
        }
    }

    @Test("a fault says where, and a refusal too")
    func places() throws {
        let code = try ResolverCode(template: "a\n  $ctx.args.entrySet().add(1)", response: nil)
        guard case .failed(let error) = code.run(.request, ResolverContext()).end else {
            Issue.record("it did not fail")
            return
        }
        #expect(error.place == ResolverPlace(line: 2, column: 24))
        #expect(error.type == "MappingTemplate")
        #expect(error.message.hasSuffix("at velocity[line 2, column 24]"))
        let refusal = #expect(throws: ResolverCodeError.self) { try ResolverCode(template: "\n#if(", response: nil) }
        #expect(refusal?.findings.first?.place == ResolverPlace(line: 2, column: 5))
    }

    @Test(
        "output that is no JSON is a fault in AppSync's words",
        arguments: [
            ("{\"a\": 1, \"a\": 2}", "Duplicate field 'a' detected on Object. Duplicate JSON keys are not allowed."),
            ("[{\"b\": {\"a\": 1, \"\\u0061\": 2}}]", "Duplicate field 'a' detected on Object."),
            ("{} }", "Trailing characters at the end of the JSON string are not allowed."),
            ("{\"a\": $nothing}", "Unable to parse the JSON document: "),
            ("{\"a\"", "Unable to parse the JSON document: "),
            ("\"a", "Unable to parse the JSON document: "),
            ("01", "Unable to parse the JSON document: "),
            ("$util.toJson({1: 1, \"1\": 2})", "Duplicate field '1' detected on Object."),
        ])
    func output(_ given: (template: String, message: String)) throws {
        let code = try ResolverCode(template: given.template, response: nil)
        guard case .failed(let error) = code.run(.request, ResolverContext()).end else {
            Issue.record("it did not fail")
            return
        }
        #expect(error.message.hasPrefix(given.message))
        #expect(error.type == "MappingTemplate" && error.isFault)
    }

    @Test(
        "output may have a comma behind its last member, and none before the first or twice",
        arguments: [
            ("{\"a\": 1,}", #"{"a":1}"#), ("[1, 2 ,\n]", "[1,2]"),
            ("{\"a\": [\n#foreach($i in [1, 2]){\"b\": $i,},#end], }", #"{"a":[{"b":1},{"b":2}]}"#),
            ("{,}", nil), ("[,]", nil), ("[1,,]", nil), ("{\"a\": 1,,}", nil), ("{\"a\": ,}", nil), ("{},", nil),
        ] as [(String, String?)])
    func lastComma(_ given: (template: String, value: String?)) throws {
        let code = try ResolverCode(template: given.template, response: nil)
        switch code.run(.request, ResolverContext()).end {
        case .value(let value): #expect(JSONWriter.text(of: value) == given.value)
        default: #expect(given.value == nil)
        }
    }

    @Test("a request says its version")
    func versions() {
        let first = RequestVersion(of: ["version": "2017-02-28"])
        #expect(first?.runsOnNull == false && first?.judgesErrors == false)
        #expect(first?.has(operation: "BatchGetItem") == false && first?.has(operation: "GetItem") == true)
        let second = RequestVersion(of: ["version": "2018-05-29"])
        #expect(second?.runsOnNull == true && second?.judgesErrors == true)
        #expect(RequestVersion(of: ["version": 1]) == nil)
        #expect(RequestVersion(of: [:]) == nil)
    }
}
