import JSON
import Testing

@testable import Items

@Suite("Items in JSON")
struct ItemReaderTests {
    static func json(_ text: String) throws -> JSONValue { try JSONReader.value(of: text) }

    static let written: [(String, String?)] = [
        (#"{"S":"a"}"#, nil), (#"{"S":""}"#, nil), (#"{"N":"1"}"#, nil), (#"{"N":"1.0"}"#, #"{"N":"1"}"#),
        (#"{"B":"AAH/"}"#, nil), (#"{"B":""}"#, nil), (#"{"B":"YR=="}"#, #"{"B":"YQ=="}"#),
        (#"{"BOOL":false}"#, nil),
        (#"{"NULL":true}"#, nil), (#"{"L":[]}"#, nil), (#"{"L":[{"S":"a"},{"L":[{"N":"2"}]}]}"#, nil),
        (#"{"M":{}}"#, nil),
        (#"{"M":{"b":{"S":"x"},"a":{"N":"1e1"}}}"#, #"{"M":{"a":{"N":"1e1"},"b":{"S":"x"}}}"#),
        (#"{"SS":["b","a"]}"#, #"{"SS":["a","b"]}"#), (#"{"NS":["10","9","-1.0"]}"#, #"{"NS":["-1","9","10"]}"#),
        (#"{"BS":["Ag==","AQ=="]}"#, #"{"BS":["AQ==","Ag=="]}"#), (#"{"S":"a","N":null}"#, #"{"S":"a"}"#),
        // What the engine takes for the right type.
        (#"{"N":5}"#, #"{"N":"5"}"#), (#"{"BOOL":"true"}"#, #"{"BOOL":true}"#), (#"{"SS":[1]}"#, #"{"SS":["1"]}"#),
        (#"{"L":["a"]}"#, #"{"L":[{"S":"a"}]}"#), (#"{"S":5}"#, #"{"S":"5"}"#),
    ]

    @Test("values are read and written", arguments: written)
    func values(_ text: String, _ expected: String?) throws {
        let value = try ItemValue(json: Self.json(text))
        #expect(JSONWriter.text(of: value.json) == expected ?? text)
        var written: [UInt8] = []
        value.write(to: &written)
        #expect(String(decoding: written, as: UTF8.self) == expected ?? text)
        #expect(try ItemValue(json: value.json) == value)
    }

    static let isEmpty = "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes"
    static let invalid = "One or more parameter values were invalid: "

    static let refused: [(String, String)] = [
        (#"{}"#, isEmpty), (#"{"X":"a"}"#, isEmpty), (#"{"S":null}"#, isEmpty), (#"{"L":[{}]}"#, isEmpty),
        (#"{"M":{"a":{"Q":"1"}}}"#, isEmpty),
        (
            #"{"S":"a","N":"1"}"#,
            "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes"
        ),
        (#"{"NULL":false}"#, invalid + "Null attribute value types must have the value of true"),
        (#"{"SS":[]}"#, invalid + "An string set  may not be empty"),
        (#"{"NS":[]}"#, invalid + "An number set  may not be empty"),
        (#"{"BS":[]}"#, invalid + "Binary sets should not be empty"),
        (#"{"SS":["a",""]}"#, invalid + "An string set may not have a empty string as a member"),
        (#"{"BS":[""]}"#, invalid + "Binary sets may not contain null or empty values"),
        (#"{"SS":["a","b","a"]}"#, invalid + "Input collection [a, b, a] contains duplicates"),
        (#"{"NS":["1","1.0"]}"#, invalid + "Input collection contains duplicates"),
        (#"{"BS":["AQ==","AQ=="]}"#, invalid + "Input collection of type BS contains duplicates."),
        (#"{"N":"x"}"#, "The parameter cannot be converted to a numeric value: x"),
        (#"{"M":{"":{"S":"a"}}}"#, "Empty attribute name"),
    ]

    @Test("what no value is, is refused", arguments: refused)
    func refusals(_ text: String, _ message: String) throws {
        let json = try Self.json(text)
        let error = #expect(throws: ItemError.self) { try ItemValue(json: json) }
        #expect(error?.type == "ValidationException")
        #expect(error?.message == message)
    }

    @Test(
        "JSON of another form is refused as such",
        arguments: [
            #"[{"S":"a"}]"#, #"5"#, #"{"S":["a"]}"#, #"{"L":{"a":{"S":"b"}}}"#, #"{"M":[]}"#, #"{"SS":"a"}"#,
            #"{"SS":[null]}"#,
            #"{"B":"_-8="}"#, #"{"B":"a"}"#, #"{"B":"YQ"}"#, #"{"B":5}"#, #"{"BOOL":"yes"}"#, #"{"BOOL":[]}"#,
        ])
    func forms(_ text: String) throws {
        let json = try Self.json(text)
        let error = #expect(throws: ItemError.self) { try ItemValue(json: json) }
        #expect(error?.type == "SerializationException")
    }

    @Test("32 lists and maps may be within each other, and no more")
    func nesting() throws {
        func deep(_ levels: Int) -> JSONValue {
            (0..<levels).reduce(ItemValue.number(.zero).json) { inner, level in
                level.isMultiple(of: 2) ? ["L": .array([inner])] : ["M": ["d": inner]]
            }
        }
        #expect(throws: Never.self) { try ItemValue(json: deep(ItemLimits.nestingMax)) }
        let error = #expect(throws: ItemError.self) { try ItemValue(json: deep(ItemLimits.nestingMax + 1)) }
        let empty = (0..<ItemLimits.nestingMax).reduce(["L": []] as JSONValue) { inner, _ in ["M": ["d": inner]] }
        #expect(throws: ItemError.self) { try ItemValue(json: empty) }
        #expect(error?.message.hasPrefix("Nesting Levels have exceeded supported limits: ") == true)
    }

    @Test("an attribute without a name is refused")
    func emptyName() throws {
        let error = #expect(throws: ItemError.self) { try Item(json: Self.json(#"{"":{"S":"a"}}"#)) }
        #expect(error?.message == "Empty attribute name")
    }
}
