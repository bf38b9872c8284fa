import TestSupport
import Testing

@testable import JSON

@Suite("XML as JSON")
struct XMLObjectTests {
    private static let depthMax = 200

    private static func value(of bytes: [UInt8]) throws(XMLFault) -> JSONObject {
        try XMLObject.value(
            of: bytes, depthMax: depthMax, failing: { (fault) -> XMLFault in fault },
            counting: { () throws(XMLFault) in })
    }

    static let documents: [(xml: String, json: String)] = [
        ("<a/>", #"{"a":""}"#),
        ("<a></a>", #"{"a":""}"#),
        ("<a> text </a>", #"{"a":"text"}"#),
        ("<a>1</a>", #"{"a":1}"#),
        (
            "<a><b>-1.5</b><c>true</c><d>null</d><e>007</e><f>1x</f></a>",
            #"{"a":{"b":-1.5,"c":true,"d":null,"e":"007","f":"1x"}}"#
        ),
        ("<a><b>1</b><b>2</b><b/></a>", #"{"a":{"b":[1,2,""]}}"#),
        (#"<a id="1" n='x"y'>t</a>"#, #"{"a":{"id":1,"n":"x\"y","content":"t"}}"#),
        ("<a>x<b/>y</a>", #"{"a":{"content":["x","y"],"b":""}}"#),
        ("<a>&lt;&amp;&#65;&#x42;&quot;&apos;&unknown;&</a>", #"{"a":"<&AB\"'&unknown;&"}"#),
        ("<a><![CDATA[<b>1</b>]]></a>", #"{"a":"<b>1</b>"}"#),
        (
            """
            \u{FEFF}<?xml version="1.0"?><!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]>
            <!-- a < b --><posts>
              <post><id>1</id><title>Getting started &amp; more</title></post>
            </posts>
            """, #"{"posts":{"post":{"id":1,"title":"Getting started & more"}}}"#
        ),
        ("<a>&x;</a>", #"{"a":"&x;"}"#), ("", "{}"), (" <!-- a --> ", "{}"),
        ("<a>x<![CDATA[1]]></a>", #"{"a":["x","1"]}"#), ("<a><![CDATA[ true ]]></a>", #"{"a":" true "}"#),
        ("<a b='1'c='&#32;2'/>", #"{"a":{"b":1,"c":" 2"}}"#), ("<a>1</a><a>2</a>", #"{"a":[1,2]}"#),
        ("<a>&#x110000;&#;&#x;&#X41;</a>", #"{"a":"&#x110000;&#;&#x;A"}"#), ("<a>x\r\ny</a>", #"{"a":"x\r\ny"}"#),
        ("<n:a xmlns:n=\"u\"><n:b>é</n:b></n:a>", #"{"n:a":{"xmlns:n":"u","n:b":"é"}}"#),
    ]

    @Test("elements, attributes and texts become members", arguments: documents)
    func documentsAreRead(_ row: (xml: String, json: String)) throws {
        #expect(JSONWriter.text(of: .object(try Self.value(of: Array(row.xml.utf8)))) == row.json)
    }

    @Test(
        "what is no XML is an error that says where",
        arguments: [
            "text", "<a>", "</a>", "<a></b>", "<a", "<a b>", "<a b=c/>", "<a b=\"c/>", "<!-- ", "<a><![CDATA[ ]]",
            "<!DOCTYPE", "<>", "< a/>", "<a/>text", "<a></a", "<?",
        ])
    func malformed(_ xml: String) {
        #expect(throws: XMLFault.self) { try Self.value(of: Array(xml.utf8)) }
    }

    @Test("elements contain each other as often as the limit says, and not once more")
    func depth() throws {
        func nested(_ depth: Int) -> [UInt8] {
            Array((String(repeating: "<a>", count: depth) + String(repeating: "</a>", count: depth)).utf8)
        }
        _ = try Self.value(of: nested(Self.depthMax))
        #expect(throws: XMLFault(.tooDeep, "elements contain each other more than 200 times")) {
            try Self.value(of: nested(Self.depthMax + 1))
        }
    }

    @Test("no text crashes the reader")
    func fuzz() {
        var random = SeededRandom(test: "XMLObjectTests")
        let parts = [
            "<a>", "</a>", "<b c='1'>", "</b>", "<!--", "-->", "<![CDATA[", "]]>", "&#x", ";", "&amp;", "1", " ", "<!",
            "[", "]", ">", "<?x?>", "\"", "é", "/>", "<",
        ]
        for _ in 0..<Fuzz.rounds(ordinarily: 3000) {
            let text = (0..<Int.random(in: 0...20, using: &random)).map { _ in
                parts[Int.random(in: 0..<parts.count, using: &random)]
            }.joined()
            var bytes = Array(text.utf8)
            if !bytes.isEmpty, Bool.random(using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            _ = try? Self.value(of: bytes)
        }
    }
}

@Suite("XML as events")
struct XMLEventReaderTests {
    private static func events(
        _ text: String, _ rules: XMLEventReader.Rules = .init(.strict, depthMax: 3, elementsMax: 5, attributesMax: 2)
    ) throws(XMLFault) -> [XMLEvent] {
        var reader = try XMLEventReader(Array(text.utf8), rules)
        var events: [XMLEvent] = []
        while let event = try reader.next() { events.append(event) }
        return events
    }

    @Test("come in the order of the document, the attributes behind their element")
    func order() throws {
        let text = "<?xml version='1.0'?><a b='1'><c/>x&amp;y<!-- z --><![CDATA[<]]></a>"
        let expected: [XMLEvent] = [
            .start("a"), .attribute(name: "b", value: "1"), .start("c"), .end, .text("x&y", isLiteral: false),
            .text("<", isLiteral: true), .end,
        ]
        #expect(try Self.events(text) == expected)
    }

    @Test(
        "end with a limit, and have that many",
        arguments: [
            ("<a><a><a/></a></a>", nil), ("<a><a><a><a/></a></a></a>", XMLFault.Kind.tooDeep),
            ("<a><b/><b/><b/><b/></a>", nil), ("<a><b/><b/><b/><b/><b/></a>", .tooMuch), ("<a b='' c=''/>", nil),
            ("<a b='' c='' d=''/>", .tooMuch), ("<a><b c='' d=''/><b c='' d=''/></a>", nil),
        ])
    func limits(_ text: String, _ kind: XMLFault.Kind?) {
        do throws(XMLFault) {
            _ = try Self.events(text)
            #expect(kind == nil)
        } catch { #expect(error.kind == kind) }
    }

    @Test("are refused beyond a number of bytes")
    func bytes() throws {
        _ = try Self.events("<a/>", .init(.strict, bytesMax: 4, depthMax: 1))
        #expect(throws: XMLFault(.tooMuch, "more than 3 bytes")) {
            try Self.events("<a/>", .init(.lenient, bytesMax: 3, depthMax: 1))
        }
    }
}
