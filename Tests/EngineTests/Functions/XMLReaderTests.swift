import JSON
import TestSupport
import Testing

@testable import Engine

@Suite("XML as JSON")
struct XMLReaderTests {
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
        ("<a>&x;</a>", #"{"a":"&x;"}"#),
        ("<n:a xmlns:n=\"u\"><n:b>é</n:b></n:a>", #"{"n:a":{"xmlns:n":"u","n:b":"é"}}"#),
    ]

    @Test("elements, attributes and texts become members", arguments: documents)
    func documentsAreRead(_ row: (xml: String, json: String)) throws {
        #expect(JSONWriter.text(of: try XMLReader.value(of: Array(row.xml.utf8))) == row.json)
    }

    @Test(
        "what is no XML is an error that says where",
        arguments: [
            "", "text", "<a>", "</a>", "<a></b>", "<a", "<a b>", "<a b=c/>", "<a b=\"c/>", "<!-- ", "<a><![CDATA[ ]]",
            "<!DOCTYPE", "<>", "< a/>", "<a/>text", "<a></a", "<?",
        ])
    func malformed(_ xml: String) {
        #expect(throws: XMLError.self) { try XMLReader.value(of: Array(xml.utf8)) }
    }

    @Test("elements contain each other as often as the limit says, and not once more")
    func depth() throws {
        func nested(_ depth: Int) -> [UInt8] {
            Array((String(repeating: "<a>", count: depth) + String(repeating: "</a>", count: depth)).utf8)
        }
        _ = try XMLReader.value(of: nested(FunctionLimits.elementDepthMax))
        #expect(throws: XMLError.tooDeep(max: FunctionLimits.elementDepthMax)) {
            try XMLReader.value(of: nested(FunctionLimits.elementDepthMax + 1))
        }
    }

    @Test("no text crashes the reader")
    func fuzz() {
        var random = SeededRandom(test: "XMLReaderTests")
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
            _ = try? XMLReader.value(of: bytes)
        }
    }
}
