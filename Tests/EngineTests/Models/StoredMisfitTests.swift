import JSON
import Store
import Synchronization
import Testing

@testable import Engine

/// Records of an earlier schema, read with a later one that does not allow their values.
@Suite("A stored value that the schema does not allow")
struct StoredMisfitTests {
    private static func schema(_ type: String) -> String {
        """
        type Thing @model @searchable @auth(rules: [{allow: public}]) {
          id: ID! group: ID @index(name: "byGroup", queryField: "thingsByGroup") value: \(type) note: String
          holderID: ID holder: Holder @belongsTo(fields: ["holderID"])
        }
        type Holder @model @auth(rules: [{allow: public}]) {
          id: ID! group: ID things: [Thing] @hasMany(indexName: "byGroup", fields: ["group"])
          thingID: ID thing: Thing @hasOne(fields: ["thingID"])
        }
        enum Colour { RED GREEN DARK_BLUE }
        """
    }

    private static func engine(_ old: String, _ value: JSONValue, _ new: String) async throws -> (
        TestEngine, TestEngine
    ) {
        let earlier = try TestEngine(schema(old), project: { $0.conflictStrategy = .automerge })
        let record = JSONObject([("id", "1"), ("group", "g"), ("value", value), ("holderID", "h")])
        try await earlier.create("Thing", [record])
        try await earlier.create("Holder", [JSONObject([("id", "h"), ("group", "g"), ("thingID", "1")])])
        let later = try TestEngine(sharing: earlier, schema: schema(new), project: { $0.conflictStrategy = .automerge })
        return (earlier, later)
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let old: String
        let value: JSONValue
        let new: String
        let shown: JSONValue
        /// What follows `Can't serialize value (…) : `, or the whole of another text, by the end of its path.
        let errors: [(place: String, text: String)]
        var testDescription: String { "\(value.text) of \(old) as \(new)" }

        init(
            _ old: String, _ value: JSONValue, as new: String, _ shown: JSONValue,
            _ errors: (place: String, text: String)...
        ) {
            (self.old, self.value, self.new, self.shown, self.errors) = (old, value, new, shown, errors)
        }
    }

    private static func unknown(_ text: String) -> String { "Invalid input for Enum 'Colour'. Unknown value '\(text)'" }

    private static func unreadable(_ text: String, _ noun: String) -> String {
        "Unable to serialize `\(text)` as a valid \(noun)."
    }

    static let rows: [Row] = [
        Row("String", "RED", as: "Colour", "RED"),
        Row("String", "DARK_BLUE", as: "Colour", "DARK_BLUE"),
        Row("String", "BLUE", as: "Colour", .null, ("", unknown("BLUE"))),
        Row("String", "", as: "Colour", .null, ("", unknown(""))),
        Row("String", "red", as: "Colour", .null, ("", unknown("red"))),
        Row("String", "RED ", as: "Colour", .null, ("", unknown("RED "))),
        Row("String", "DAR\u{212A}_BLUE", as: "Colour", .null, ("", unknown("DAR\u{212A}_BLUE"))),
        Row("String", "a\"b", as: "Colour", .null, ("", unknown("a\"b"))),
        Row(
            "[String]", ["RED", "BLUE", .null, "GREEN"], as: "[Colour]", ["RED", .null, .null, "GREEN"],
            ("[1]", unknown("BLUE"))),
        Row("[String]", ["RED", "GREEN"], as: "[Colour!]", ["RED", "GREEN"]),
        Row("[String]", [], as: "[Colour!]", []),
        Row(
            "[String]", ["RED", "BLUE", "PINK"], as: "[Colour!]", .null, ("[1]", unknown("BLUE")),
            ("[2]", unknown("PINK"))),
        Row("[String]", ["\u{52}ED", "a\"b"], as: "[Colour]", ["RED", .null], ("[1]", unknown("a\"b"))),
        Row("String", "2026-01-02T03:04:05.678Z", as: "AWSDateTime", "2026-01-02T03:04:05.678Z"),
        Row("String", "2026-01-31T03:04:05.678Z", as: "AWSDateTime", "2026-01-31T03:04:05.678Z"),
        Row(
            "String", "2026-02-29T03:04:05.678Z", as: "AWSDateTime", .null,
            ("", unreadable("2026-02-29T03:04:05.678Z", "DateTime Object"))),
        Row(
            "String", "2026-13-01T03:04:05.678Z", as: "AWSDateTime", .null,
            ("", unreadable("2026-13-01T03:04:05.678Z", "DateTime Object"))),
        Row("String", "yesterday", as: "AWSDateTime", .null, ("", unreadable("yesterday", "DateTime Object"))),
        Row("String", "2026-01-1", as: "AWSDate", .null, ("", unreadable("2026-01-1", "Date Object"))),
        Row("String", "12:30:", as: "AWSTime", .null, ("", unreadable("12:30:", "Time Object"))),
        Row("String", "a@b.test", as: "AWSEmail", "a@b.test"),
        Row("String", "nobody", as: "AWSEmail", .null, ("", unreadable("nobody", "email address"))),
        Row("String", "a..b@c", as: "AWSEmail", .null, ("", unreadable("a..b@c", "email address"))),
        Row("String", "here", as: "AWSURL", .null, ("", unreadable("here", "URL"))),
        Row("String", "0", as: "AWSPhone", .null, ("", unreadable("0", "phone number"))),
        Row("String", "1.2.3", as: "AWSIPAddress", .null, ("", unreadable("1.2.3", "IP address"))),
        Row(
            "[String]", ["::1", "::1::"], as: "[AWSIPAddress]", ["::1", .null],
            ("[1]", unreadable("::1::", "IP address"))),
        Row("AWSTimestamp", 1, as: "Int", 1),
        Row("AWSTimestamp", 0, as: "Int", 0),
        Row("AWSTimestamp", -2_147_483_648, as: "Int", -2_147_483_648),
        Row("AWSTimestamp", 2_147_483_648, as: "Int", .null, ("", "Expected type 'Int' but was 'Long'.")),
        Row(
            "[AWSTimestamp]", [-2_147_483_648, 2_147_483_648], as: "[Int]", [-2_147_483_648, .null],
            ("[1]", "Expected type 'Int' but was 'Long'.")),
        Row("[Int]", [1, 2], as: "[String]", ["1", "2"]),
        Row("[Boolean]", [true, false], as: "[Boolean]", [true, false]),
        Row("[Float]", [1.5, -2, .null], as: "[Float]", [1.5, -2.0, .null]),
        Row("[Float]", [1.5], as: "[Boolean]", [true]),
        Row("[String]", ["a", "b,]\"\\"], as: "[ID]", ["a", "b,]\"\\"]),
        Row(
            "[String]", ["a", .null], as: "[String!]", .null,
            ("[1]", "Cannot return null for non-nullable type: 'String' within parent 'Thing' (…)")),
    ]

    /// Every way to a record, as a request and the place of the record in its answer.
    private static let ways: [(request: String, place: String)] = [
        (#"{ x: getThing(id: "1") { RECORD } }"#, "/x"),
        (#"{ x: listThings { items { RECORD } } }"#, "/x/items[0]"),
        (#"{ x: listThings { nextToken items { RECORD note } } }"#, "/x/items[0]"),
        (#"{ x: thingsByGroup(group: "g") { items { RECORD } } }"#, "/x/items[0]"),
        (#"{ x: searchThings { items { RECORD } } }"#, "/x/items[0]"),
        (#"{ x: syncThings { items { RECORD } } }"#, "/x/items[0]"),
        (#"{ x: syncThings(lastSync: 1) { items { RECORD } } }"#, "/x/items[0]"),
        (#"{ x: getHolder(id: "h") { thing { RECORD } } }"#, "/x/thing"),
        (#"{ x: getHolder(id: "h") { things { items { RECORD } } } }"#, "/x/things/items[0]"),
        (
            #"{ x: getThing(id: "1") { holder { thing { holder { things { items { RECORD } } } } } } }"#,
            "/x/holder/thing/holder/things/items[0]"
        ),
        (#"{ x: getThing(id: "1") { RECORD @include(if: true) } }"#, "/x"),
        (#"mutation { x: updateThing(input: {id: "1", note: "n", _version: 1}) { RECORD } }"#, "/x"),
        (#"mutation { x: createHolder(input: {id: "i", thingID: "1"}) { thing { RECORD } } }"#, "/x/thing"),
    ]

    @Test("is null with an error, whatever way leads to it, and what it allows is shown", arguments: rows)
    func everyWay(_ row: Row) async throws {
        let (_, engine) = try await Self.engine(row.old, row.value, row.new)
        for way in Self.ways {
            let answer = try await engine.value(way.request.replacing("RECORD", with: "id value"))
            var value = answer["data"]
            for step in way.place.split(separator: "/") {
                value = value?[String(step.prefix { $0 != "[" })]
                if step.hasSuffix("[0]") { value = value?.array?.first }
            }
            #expect(value?["id"] == "1", "\(way.request) \(answer.text)")
            #expect(value?["value"] == row.shown, "\(way.request) \(answer.text)")
            let expected = row.errors.map { place, text in
                text.hasPrefix("Cannot")
                    ? text.replacing("…", with: "\(way.place)/value\(place)")
                    : "Can't serialize value (\(way.place)/value\(place)) : \(text)"
            }
            #expect(answer.messages == expected, "\(way.request)")
            for error in answer["errors"]?.array ?? [] {
                #expect(error["locations"] == .null)
                #expect(error["errorType"] == nil)
                #expect(error["path"] != nil)
            }
        }
    }

    @Test(
        "takes its record with it where null must not be, with one error",
        arguments: ["Colour!", "[Colour]!", "[Colour!]!"])
    func required(_ type: String) async throws {
        let isList = type.hasPrefix("[")
        let value: JSONValue = isList ? ["BLUE"] : "BLUE"
        let old = isList ? "[String]" : "String"
        let survives = type == "[Colour]!"
        let (_, engine) = try await Self.engine(old, value, type)
        for way in Self.ways {
            let answer = try await engine.value(way.request.replacing("RECORD", with: "id value"))
            let place = "\(way.place)/value\(isList ? "[0]" : "")"
            #expect(answer.messages == ["Can't serialize value (\(place)) : \(Self.unknown("BLUE"))"], "\(way.request)")
            #expect(answer["data"]?.text.contains(#""id":"1""#) == survives, "\(way.request) \(answer.text)")
        }
    }

    @Test("is not told to subscribers either")
    func events() async throws {
        let events = Mutex<[MutationEvent]>([])
        let (_, engine) = try await Self.engine("String", "BLUE", "Colour")
        engine.engine.tellOfMutations(
            MutationListener(hasListeners: { true }, publish: { new in events.withLock { $0 += new } }))
        _ = try await engine.value(
            #"mutation { updateThing(input: {id: "1", note: "n", _version: 1}) { note colour: value } }"#)
        #expect(events.withLock { $0.map { $0.value.text } } == [#"{"note":"n","value":null}"#])
    }

    @Test("is null among what is told of a conflict")
    func conflicts() async throws {
        let (earlier, _) = try await Self.engine("String", "BLUE", "Colour")
        for type in ["Colour", "Colour!"] {
            let engine = try TestEngine(
                sharing: earlier, schema: Self.schema(type), project: { $0.conflictStrategy = .optimisticConcurrency })
            let answer = try await engine.value(
                #"mutation { updateThing(input: {id: "1", note: "n", _version: 9}) { id value } }"#)
            #expect(answer.errorTypes == ["ConflictUnhandled"])
            #expect(answer["errors"]?.array?.first?["data"]?.text == #"{"id":"1","value":null}"#)
        }
    }

    @Test("may be changed to one that it allows")
    func cure() async throws {
        let (_, engine) = try await Self.engine("String", "BLUE", "Colour")
        let answer = try await engine.text(
            #"mutation { updateThing(input: {id: "1", value: GREEN, _version: 1}) { value } }"#)
        #expect(answer == #"{"data":{"updateThing":{"value":"GREEN"}}}"#)
    }
}
