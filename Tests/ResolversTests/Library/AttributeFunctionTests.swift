import JSON
import Testing

@testable import Resolvers

@Suite("Values of items: util.dynamodb")
struct AttributeFunctionTests {
    static let rows = LibraryRow.table(
        "util.dynamodb.",
        [
            ("toDynamoDB", #"["test"]"#, #"{"S":"test"}"#),
            ("toDynamoDB", "[12345]", #"{"N":12345}"#),
            ("toDynamoDB", "[1.5]", #"{"N":1.5}"#),
            ("toDynamoDB", "[true]", #"{"BOOL":true}"#),
            ("toDynamoDB", "[null]", #"{"NULL":null}"#),
            ("toDynamoDB", "[]", #"{"NULL":null}"#),
            (
                "toDynamoDB", #"[["foo",123,{"bar":"baz"}]]"#,
                #"{"L":[{"S":"foo"},{"N":123},{"M":{"bar":{"S":"baz"}}}]}"#
            ),
            ("toString", #"["test"]"#, #"{"S":"test"}"#), ("toString", "[null]", "null"),
            ("toNumber", "[12345]", #"{"N":12345}"#), ("toBoolean", "[true]", #"{"BOOL":true}"#),
            ("toBinary", #"["foo"]"#, #"{"B":"foo"}"#), ("toNull", "[]", #"{"NULL":null}"#),
            ("toStringSet", #"[["foo","bar"]]"#, #"{"SS":["foo","bar"]}"#),
            ("toNumberSet", "[[1,23,4.56]]", #"{"NS":[1,23,4.56]}"#),
            ("toBinarySet", #"[["foo"]]"#, #"{"BS":["foo"]}"#),
            ("toList", #"[["foo",null]]"#, #"{"L":[{"S":"foo"},{"NULL":null}]}"#),
            ("toMap", #"[{"a":1}]"#, #"{"M":{"a":{"N":1}}}"#),
            ("toMapValues", #"[{"foo":"bar","beep":["boop"]}]"#, #"{"foo":{"S":"bar"},"beep":{"L":[{"S":"boop"}]}}"#),
            ("toMapValues", "[{}]", "{}"), ("toMapValues", "[null]", "null"),
            // Only the module `dynamodb` knows a set that is a value.
            ("toMapValues", #"[{"a":{"SS":["b"]}}]"#, #"{"a":{"M":{"SS":{"L":[{"S":"b"}]}}}}"#),
            (
                "toS3Object", #"["foo","bar","baz"]"#,
                #"{"S":"{\"s3\":{\"key\":\"foo\",\"bucket\":\"bar\",\"region\":\"baz\"}}"}"#
            ),
            (
                "toS3Object", #"["foo","bar","baz","beep"]"#,
                #"{"S":"{\"s3\":{\"key\":\"foo\",\"bucket\":\"bar\",\"region\":\"baz\",\"version\":\"beep\"}}"}"#
            ),
            (
                "fromS3ObjectJson", #"["{\"s3\":{\"key\":\"foo\",\"bucket\":\"bar\",\"region\":\"baz\"}}"]"#,
                #"{"key":"foo","bucket":"bar","region":"baz"}"#
            ),
            ("fromS3ObjectJson", #"["foo"]"#, "null"), ("fromS3ObjectJson", "[null]", "null"),
            // Templates have the same as text.
            ("toNumberJson", "[12345]", #""{\"N\":12345}""#),
            ("toMapValuesJson", #"[{"foo":"bar"}]"#, #""{\"foo\":{\"S\":\"bar\"}}""#),
            ("toNullJson", "[]", #""{\"NULL\":null}""#),
        ])

    @Test("a value gets the name of its type", arguments: rows)
    func value(row: LibraryRow) throws {
        try LibraryCalls.check(row)
    }

    @Test("what is no list is no set, and the message says who is meant")
    func mismatch() throws {
        let error = try LibraryCalls.refusal("util.dynamodb.toStringSet", #"["a"]"#)
        #expect(error?.message == "util.dynamodb.toStringSet expects an array as argument 1, but it is a string.")
        #expect(error?.isFault == true)
    }

    @Test("names of templates that nobody has are none")
    func unknown() {
        #expect(LibraryTable.velocity("util.dynamodb.toEverythingJson") == nil)
        #expect(LibraryTable.velocity("dynamodb.get") == nil)
        #expect(LibraryTable.javaScript["util.dynamodb.toNumberJson"] == nil)
    }
}
