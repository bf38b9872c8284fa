import JSON
import Testing

@testable import Cloud

/// A member of each shape, and what it is refused with.
@Suite("Members of a call")
struct MemberCheckTests {
    private typealias Member = MemberShape.Member

    private static let members: [Member] = [
        Member("Name", .text(1...4, .resource), isRequired: true), Member("Secret", .text(0...2, isSecret: true)),
        Member("Kind", .choice(["a", "b"])), Member("Flag", .boolean), Member("Count", .integer(1...10)),
        Member("Time", .number), Member("Blob", .bytes(1...3)),
        Member("Names", .list(.text(1...4), min: 1, max: 2)), Member("Texts", .texts(keyMax: 2, valueMax: 2)),
        Member("Map", .map(.integer(1...2), keyMax: 2, max: 2)),
        Member("Object", .object([Member("Inner", .text(1...2), isRequired: true)])), Member("Any", .anything),
    ]

    private static func refusal(_ input: String) throws -> String? {
        var object = try #require(try JSONReader.value(of: input).object)
        if object["Name"] == nil { object.set("Name", to: "n") }
        do throws(CloudError) {
            try MemberCheck.run(members, on: object, in: ServiceWords())
            return nil
        } catch { return "\(error.type): \(error.message)" }
    }

    private static let one = "ValidationException: 1 validation error detected: "

    @Test(
        "is refused by its shape, in the service's words",
        arguments: [
            (#"{"Name": null}"#, one + "Value at 'name' failed to satisfy constraint: Member must not be null"),
            (#"{"Name": 1}"#, "SerializationException: NUMBER_VALUE can not be converted to a String"),
            (
                #"{"Name": ""}"#,
                "ValidationException: 2 validation errors detected: Value '' at 'name' failed to satisfy constraint: Member must "
                    + "have length greater than or equal to 1; Value '' at 'name' failed to satisfy constraint: Member must "
                    + #"satisfy regular expression pattern: [\.\-_A-Za-z0-9]+"#
            ),
            (
                #"{"Name": "abcde"}"#,
                one
                    + "Value 'abcde' at 'name' failed to satisfy constraint: Member must have length less than or equal to 4"
            ),
            (
                #"{"Name": "äöü"}"#,
                one
                    + #"Value 'äöü' at 'name' failed to satisfy constraint: Member must satisfy regular expression pattern: [\.\-_A-Za-z0-9]+"#
            ),
            (
                #"{"Secret": "abc"}"#,
                one + "Value at 'secret' failed to satisfy constraint: Member must have length less than or equal to 2"
            ),
            (
                #"{"Kind": "c"}"#,
                one + "Value 'c' at 'kind' failed to satisfy constraint: Member must satisfy enum value set: [a, b]"
            ),
            (#"{"Flag": "true"}"#, "SerializationException: STRING_VALUE can not be converted to a Boolean"),
            (
                #"{"Count": 0}"#,
                one
                    + "Value '0' at 'count' failed to satisfy constraint: Member must have value greater than or equal to 1"
            ),
            (
                #"{"Count": 11}"#,
                one
                    + "Value '11' at 'count' failed to satisfy constraint: Member must have value less than or equal to 10"
            ),
            (#"{"Count": 1.5}"#, "SerializationException: NUMBER_VALUE can not be converted to a Integer"),
            (#"{"Time": "x"}"#, "SerializationException: STRING_VALUE can not be converted to a Double"),
            (#"{"Blob": "?"}"#, "SerializationException: The member at 'blob' is no base64."),
            (
                #"{"Blob": ""}"#,
                one + "Value at 'blob' failed to satisfy constraint: Member must have length greater than or equal to 1"
            ),
            (
                #"{"Blob": "YWJjZA=="}"#,
                one + "Value at 'blob' failed to satisfy constraint: Member must have length less than or equal to 3"
            ),
            (
                #"{"Names": []}"#,
                one
                    + "Value at 'names' failed to satisfy constraint: Member must have length greater than or equal to 1"
            ),
            (
                #"{"Names": ["a", "b", "c"]}"#,
                one + "Value at 'names' failed to satisfy constraint: Member must have length less than or equal to 2"
            ),
            (
                #"{"Names": ["a", "abcde"]}"#,
                one
                    + "Value 'abcde' at 'names.2' failed to satisfy constraint: Member must have length less than or equal to 4"
            ),
            (#"{"Names": {}}"#, "SerializationException: START_OBJECT can not be converted to a List"),
            (
                #"{"Texts": {"a": "abc"}}"#,
                one
                    + "Value at 'texts' failed to satisfy constraint: Map value must satisfy constraint: [Member must have length less than or equal to 2]"
            ),
            (#"{"Texts": []}"#, "SerializationException: START_ARRAY can not be converted to a Map"),
            (
                #"{"Map": {"a": 3}}"#,
                one
                    + "Value '3' at 'map.a' failed to satisfy constraint: Member must have value less than or equal to 2"
            ),
            (
                #"{"Map": {"a": 1, "b": 1, "c": 1}}"#,
                one + "Value at 'map' failed to satisfy constraint: Member must have length less than or equal to 2"
            ),
            (
                #"{"Object": {}}"#,
                one + "Value at 'object.inner' failed to satisfy constraint: Member must not be null"
            ),
            (#"{"Object": true}"#, "SerializationException: TRUE_VALUE can not be converted to a Structure"),
        ])
    func refusals(input: String, refusal: String) throws {
        #expect(try Self.refusal(input) == refusal)
    }

    @Test(
        "that its shape allows is taken, and so is one that no row names",
        arguments: [
            "{}", #"{"Name": "abcd"}"#, #"{"Secret": "ää"}"#, #"{"Kind": "a"}"#, #"{"Flag": false}"#, #"{"Count": 10}"#,
            #"{"Time": 1.5}"#, #"{"Time": 7}"#, #"{"Blob": "YWJj"}"#, #"{"Names": ["abcd"]}"#,
            #"{"Texts": {"ab": "ab"}}"#,
            #"{"Map": {"a": 1}}"#, #"{"Object": {"Inner": "ab"}}"#, #"{"Any": [1, {}]}"#, #"{"Other": 1}"#,
            #"{"Flag": null}"#,
        ])
    func allowed(input: String) throws { #expect(try Self.refusal(input) == nil) }

    @Test("with many faults names the first of them")
    func faults() throws {
        let many = (0...CloudLimits.faultsMax).map { Member("M\($0)", .text(1...2), isRequired: true) }
        #expect { try MemberCheck.run(many, on: JSONObject(), in: ServiceWords()) } throws: { error in
            (error as? CloudError)?.message.hasPrefix("\(CloudLimits.faultsMax) validation errors detected: ") == true
        }
    }
}
