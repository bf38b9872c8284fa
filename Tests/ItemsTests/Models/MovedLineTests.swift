import Blueprint
import JSON
import Store
import TestSupport
import Testing

@testable import Items

@Suite("Lines of DynamoDB's JSON as rows")
struct MovedLineTests {
    private static let schema = """
        type Todo @model { id: ID! title: String note: String count: Int price: Float done: Boolean tags: [String] meta: AWSJSON }
        type Pair @model { a: ID! @primaryKey(sortKeyFields: ["b", "c"]) b: Int! c: String! v: String }
        """

    private func forms() throws -> [RecordItem] {
        let layout = DatabaseLayout(of: try TestTables(schema: Self.schema).blueprint)
        return try ["Todo", "Pair"].map { name in
            RecordItem(table: try #require(layout.tables.first { $0.model == name }), typeName: name)
        }
    }

    /// The row as the reader of items makes it; nil for a mistake or an attribute without a field.
    private static func whole(_ line: [UInt8], _ form: RecordItem) -> [StoredValue]? {
        guard let json = try? JSONReader.value(of: line), json.object?.count == 1, let content = json["Item"],
            let item = try? Item(json: content, isStrict: true), item.size <= ItemLimits.itemBytesMax,
            let moved = try? form.moved(item, nowMilliseconds: 7), moved.unknown.isEmpty
        else { return nil }
        return moved.values
    }

    private static func quick(_ line: [UInt8], _ form: RecordItem) -> [StoredValue]? {
        line.withUnsafeBytes { MovedLine(form)?.row(of: $0, nowMilliseconds: 7)?.values }
    }

    private static let values = [
        #"{"S":"Köln"}"#, #"{"S":""}"#, #"{"S":"a\"b"}"#, #"{"N":"0"}"#, #"{"N":"-12"}"#, #"{"N":"1.25"}"#,
        #"{"N":"0.1"}"#,
        #"{"N":"6E2"}"#, #"{"N":"007"}"#, #"{"N":"-0"}"#, #"{"N":"12345678901234567890123"}"#, #"{"N":"1."}"#,
        #"{"N":".5"}"#,
        #"{"N":"99999999999999999"}"#, #"{"N":"0.30000000000000004"}"#, #"{"BOOL":true}"#, #"{"BOOL":false}"#,
        #"{"BOOL":"true"}"#, #"{"NULL":true}"#, #"{"NULL":false}"#, #"{"L":[{"S":"a"},{"NULL":true},{"N":"1"}]}"#,
        #"{"M":{"z":{"N":"1.5"},"a":{"L":[]},"é":{"S":"}"}}}"#, #"{"SS":["b","a"]}"#, #"{"NS":["2","1"]}"#,
        #"{"B":"AAEC"}"#,
        #"{"S":"x","N":"1"}"#, #"{ "S" : "spaced" }"#, #"{}"#, #""bare""#,
    ]

    @Test("say the same as the reader of items, or leave the line to it")
    func agree() throws {
        let forms = try forms()
        var quickCount = 0
        for form in forms {
            let fields = form.table.columns.map(\.field) + ["__typename", "b#c", "gone", "ds_sk"]
            for field in fields {
                for value in Self.values {
                    let key = form === forms[0] ? #""id":{"S":"1"}"# : #""a":{"S":"1"},"b":{"N":"2"},"c":{"S":"3"}"#
                    let line = Array(#"{"Item":{\#(key),"\#(field)":\#(value)}}"#.utf8)
                    guard let row = Self.quick(line, form) else { continue }
                    quickCount += 1
                    #expect(row == Self.whole(line, form), "\(String(decoding: line, as: UTF8.self))")
                }
            }
        }
        #expect(quickCount > 60, "\(quickCount)")
        let usual = Array(
            #"{"Item":{"id":{"S":"1"},"__typename":{"S":"Todo"},"title":{"S":"é"},"count":{"N":"3"},"price":{"N":"-0.125"},"done":{"BOOL":true},"tags":{"L":[{"S":"a"}]},"note":{"NULL":true},"meta":{"M":{}},"createdAt":{"S":"2026-01-02T03:04:05.678Z"}}}"#
                .utf8)
        #expect(Self.quick(usual, forms[0]) != nil && Self.quick(usual, forms[0]) == Self.whole(usual, forms[0]))
        for other in [
            #"{"Item":{"__typename":{"S":"Pair"},"id":{"S":"1"}}}"#, #"{"Item":{"title":{"S":"no key"}}}"#, "", "{",
            #"{"Item":{"#,
            #"{"Item":{"id":{"S":"1"},"id":{"S":"2"}}}"#, #"{"Item":{"id":{"S":"1"}}}x"#,
            #"{"Item":{"id":{"S":"1"},}}"#,
            #"{"Item":{"id":{"S":"1"}},"more":1}"#, #"{"Item":{"id":{"S":"\#("\u{1}")"}}}"#,
            #"{"Item":{"id":{"S":"\#(String(repeating: "a", count: 410_000))"}}}"#,
        ] { #expect(Self.quick(Array(other.utf8), forms[0]) == nil, "\(other.prefix(80))") }
        // Bytes that are no UTF-8.
        #expect(Self.quick(Array(#"{"Item":{"id":{"S":""#.utf8) + [0xFF] + Array(#""}}}"#.utf8), forms[0]) == nil)
    }

    @Test("that are damaged in any way never give another row than the reader of items")
    func mutations() throws {
        var random = SeededRandom(test: "MovedLineTests")
        let form = try forms()[0]
        let pieces = Self.values.map { Array($0.utf8) }
        for _ in 0..<1_500 {
            var line = Array(#"{"Item":{"id":{"S":"1"},"title":{"S":"ü2"},"count":{"N":"31"},"meta":"#.utf8)
            line += pieces[Int.random(in: 0..<pieces.count, using: &random)] + Array("}}".utf8)
            for _ in 0..<Int.random(in: 0...3, using: &random) where !line.isEmpty {
                let place = Int.random(in: 0..<line.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: line.remove(at: place)
                case 1: line[place] = UInt8.random(in: 0...255, using: &random)
                default: line.insert(Array(#"{}[]":,\0 1é"#.utf8).randomElement(using: &random) ?? 0, at: place)
                }
            }
            guard let row = Self.quick(line, form) else { continue }
            #expect(row == Self.whole(line, form), "\(line) \(String(decoding: line, as: UTF8.self))")
        }
    }
}
