import Items
import JSON
import TestSupport
import Testing

@testable import Moving

@Suite("Ion text")
struct IonTests {
    private func read(_ text: String) throws -> [JSONValue] {
        try Array(text.utf8).withUnsafeBytes { bytes in try IonReader.objects(of: bytes).map { .object($0) } }
    }

    static let lines: [(ion: String, json: String)] = [
        (
            #"$ion_1_0 {Item:{id:"t1",name:"Milk, 2 l",done:false,rank:6d2,tags:["a",null],meta:{x:1.5},note:null}}"#,
            #"{"Item":{"id":{"S":"t1"},"name":{"S":"Milk, 2 l"},"done":{"BOOL":false},"rank":{"N":"6e2"},"tags":{"L":[{"S":"a"},{"NULL":true}]},"meta":{"M":{"x":{"N":"1.5"}}},"note":{"NULL":true}}}"#
        ),
        (
            #"$ion_1_0 {Item:{pk:"o",sk:-0.5,b:{{AAEC}},ss:$dynamodb_SS::["a","b"],ns:$dynamodb_NS::[1.,2.5],bs:$dynamodb_BS::[{{AQ==}},{{Ag==}}],big:12345678901234567890123456789012345678.,'a#b':"c"}}"#,
            #"{"Item":{"pk":{"S":"o"},"sk":{"N":"-0.5"},"b":{"B":"AAEC"},"ss":{"SS":["a","b"]},"ns":{"NS":["1.","2.5"]},"bs":{"BS":["AQ==","Ag=="]},"big":{"N":"12345678901234567890123456789012345678."},"a#b":{"S":"c"}}}"#
        ),
        (
            #"$ion_1_0 {Record:{Metadata:{WriteTimestampMicros:1768386096366933},Keys:{id:"t3"},NewImage:{id:"t3",e:[],m:{}}}}"#,
            #"{"Metadata":{"WriteTimestampMicros":{"N":"1768386096366933"}},"Keys":{"id":{"S":"t3"}},"NewImage":{"id":{"S":"t3"},"e":{"L":[]},"m":{"M":{}}}}"#
        ),
        (
            #"{ Item : { 'a b' : "\n\t\x41\u00e9\U0001F30D\\\"" , n : null.string , } }"#,
            #"{"Item":{"a b":{"S":"\n\tAé🌍\\\""},"n":{"NULL":true}}}"#
        ),
    ]

    @Test("means what DynamoDB's JSON means", arguments: lines)
    func means(ion: String, json: String) throws {
        #expect(try read(ion) == [JSONReader.value(of: json)])
    }

    @Test("may be a list of entries")
    func list() throws {
        #expect(try read("$ion_1_0 [{Item:{id:\"a\"}},{Item:{id:\"b\"}}]").count == 2)
        #expect(try read("$ion_1_0").isEmpty)
    }

    static let faults = [
        "{", "{Item:", "{Item:7}", "{Item:{a}}", "{Item:{a:}}", "{Item:{a:x}}", "{Item:{a:\"x}}", "{Item:{a:{{AA}}",
        "{Item:{a:$dynamodb_SS}}",
        "{Item:{a:\"\\q\"}}", "{Item:{a:\"\\ud800\"}}", "{Item:{a:1}} x", "[{Item:{a:1}}", "{Item:{a:1 b:2}}",
        "{Item:{a:\(String(repeating: "[", count: 100))\(String(repeating: "]", count: 100))}}",
    ]

    @Test("that is none is refused", arguments: faults)
    func refuses(text: String) {
        #expect(throws: IonReader.Fault.self) { try read(text) }
    }

    @Test("of any bytes ends")
    func random() {
        var random = SeededRandom(test: "IonTests")
        let parts = [
            "{", "}", "[", "]", "\"", "'", ":", ",", "Item", "$dynamodb_SS::", "{{", "}}", "\\", "1d2", "null", " ",
            "é",
        ]
        for _ in 0..<2_000 {
            let text = (0..<20).map { _ in parts.randomElement(using: &random) ?? "" }.joined()
            _ = try? read(text)
        }
    }

    @Test("is written as it is read")
    func writes() throws {
        let item = Item([
            ("id", .string("a'\"\\\n\u{1}é")), ("n", .number(try ItemNumber("600"))),
            ("f", .number(try ItemNumber("1.5e-100"))),
            ("b", .binary([0, 1, 2])), ("t", .bool(true)), ("z", .null), ("l", .list([.null, .map(Item())])),
            ("ss", .strings(["a", "b"])), ("ns", .numbers([try ItemNumber("1"), try ItemNumber("2.5")])),
            ("a#b'c", .string("")),
        ])
        var buffer: [UInt8] = []
        IonWriter.append(item, to: &buffer)
        let lines = try buffer.dropLast().withUnsafeBytes { try TableLine.lines(ion: $0) }
        guard case .item(let read)? = lines.first else {
            Issue.record("no item")
            return
        }
        #expect(read == item)
    }
}
