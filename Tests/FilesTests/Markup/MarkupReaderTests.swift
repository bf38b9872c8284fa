import JSON
import TestSupport
import Testing

@testable import Files

@Suite("XML of requests")
struct MarkupReaderTests {
    private static func shape(_ element: MarkupElement) -> String {
        "\(element.name)[\(element.text)]" + element.children.map { "(\(shape($0)))" }.joined()
    }

    private static func read(_ text: String) throws(FileError) -> String {
        shape(try MarkupReader.read(Array(text.utf8)))
    }

    @Test(
        "is read as XML says",
        arguments: [
            ("<a/>", "a[]"),
            ("<a></a>", "a[]"),
            ("<a ></a >", "a[]"),
            ("<a b='1' c = \"2\" />", "a[]"),
            ("\u{FEFF}<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<a>x</a>\n", "a[x]"),
            ("<?xml version='1.0' encoding='utf-8' standalone='yes' ?><a>x</a>", "a[x]"),
            ("<?xml version=\"1.0\"?><!-- c --><?go on?><a>x<!-- y -->z<?p?></a><!-- end -->", "a[xz]"),
            ("<s:a xmlns:s='urn:x'><s:b>1</s:b></s:a>", "a[](b[1])"),
            ("<a xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\"><b>1</b> <b>2</b></a>", "a[ ](b[1])(b[2])"),
            ("<a>&lt;&gt;&amp;&quot;&apos;</a>", "a[<>&\"']"),
            ("<a>&amp;lt;</a>", "a[&lt;]"),
            ("<a>&#65;&#x42;&#x00000043;&#xe9;&#x1F600;</a>", "a[ABCé😀]"),
            ("<a>&#13;&#10;&#9;</a>", "a[\r\n\t]"),
            ("<a>x\r\ny\rz\n</a>", "a[x\ny\nz\n]"),
            ("<a><![CDATA[<b>&amp;]]]]><![CDATA[>]]></a>", "a[<b>&amp;]]>]"),
            ("<é>日本</é>", "é[日本]"),
            ("<a b='&lt;&#10;'>x</a>", "a[x]"),
        ])
    func isRead(text: String, expected: String) throws {
        #expect(try Self.read(text) == expected)
    }

    @Test(
        "is refused when it is not well-formed, or could reach beyond itself",
        arguments: [
            "", " ", "text", "<", "<a", "<a>", "<a></b>", "<a></a", "<a><b></a></b>", "<a/><b/>", "<a/>x", "x<a/>",
            "<1/>", "<-a/>", "< a/>", "<a/ >", "<a b/>", "<a b=1/>", "<a b='1/>", "<a b='<'/>", "<a b='1' b='2'/>",
            "<a b='1'c='2'/>",
            "<:a/>", "<a:/>", "<a:b:c/>", "<a>&</a>", "<a>&x</a>", "<a>&amp</a>", "<a>&nbsp;</a>", "<a>&#;</a>",
            "<a>&#x;</a>",
            "<a>&#0;</a>", "<a>&#1;</a>", "<a>&#xD800;</a>", "<a>&#xFFFE;</a>", "<a>&#x110000;</a>",
            "<a>&#99999999999999999999;</a>",
            "<a>&#-1;</a>", "<a>&#X41;</a>", "<a>]]></a>", "<a><![CDATA[x</a>", "<a><!-- -- --></a>", "<a><!-- </a>",
            "<a><?p</a>",
            "<a>\u{1}</a>", "<a>\u{0}</a>", "<a>\u{8}</a>", "<a>\u{1F}</a>", "<a b='\u{B}'/>",
            "<!DOCTYPE a><a/>", "<!DOCTYPE a [<!ENTITY x 'y'>]><a>&x;</a>",
            "<!DOCTYPE a SYSTEM 'file:///etc/passwd'><a/>",
            "<a><!DOCTYPE a></a>", "<!ENTITY x 'y'><a/>",
            " <?xml version='1.0'?><a/>", "<a><?xml version='1.0'?></a>", "<?xml?><a/>", "<?xml version='1.1'?><a/>",
            "<?xml version='1.0' encoding='UTF-16'?><a/>", "<?xml version='1.0' encoding='ISO-8859-1'?><a/>",
            "<?xml encoding='UTF-8'?><a/>", "<?xml version='1.0' version='1.0'?><a/>", "<?xml version='1.0'",
        ])
    func isRefused(text: String) {
        #expect(throws: FileError.self) { try Self.read(text) }
        do throws(FileError) {
            _ = try Self.read(text)
        } catch {
            #expect(error.code == "MalformedXML")
        }
    }

    @Test(
        "is refused in other encodings, and with what is no character",
        arguments: [
            [0xFF, 0xFE, 0x3C, 0x00, 0x61, 0x00, 0x2F, 0x00, 0x3E, 0x00],
            [0x3C, 0x61, 0x3E, 0xE9, 0x3C, 0x2F, 0x61, 0x3E],
            Array("<a>".utf8) + [0xC0, 0xAF] + Array("</a>".utf8),
            Array("<a>".utf8) + [0xEF, 0xBF, 0xBE] + Array("</a>".utf8),
            Array("<a>".utf8) + [0xED, 0xA0, 0x80] + Array("</a>".utf8),
        ] as [[UInt8]])
    func isRefusedInOtherEncodings(bytes: [UInt8]) {
        #expect(throws: FileError.self) { try MarkupReader.read(bytes) }
    }

    @Test("is read up to its limits of bytes, depth, elements and attributes, and not beyond")
    func hasLimits() throws {
        func nested(_ depth: Int) -> [UInt8] {
            Array((String(repeating: "<a>", count: depth) + String(repeating: "</a>", count: depth)).utf8)
        }
        func many(_ count: Int) -> [UInt8] {
            Array(("<a>" + String(repeating: "<b/>", count: count - 1) + "</a>").utf8)
        }
        func attributes(_ count: Int) -> [UInt8] {
            Array(("<a" + (0..<count).map { " n\($0)=''" }.joined() + "/>").utf8)
        }
        _ = try MarkupReader.read(nested(FileLimits.markupDepthMax))
        #expect(throws: FileError.self) { try MarkupReader.read(nested(FileLimits.markupDepthMax + 1)) }
        #expect(throws: FileError.self) { try MarkupReader.read(nested(200_000)) }
        #expect(
            try MarkupReader.read(many(FileLimits.markupElementsMax)).children.count == FileLimits.markupElementsMax - 1
        )
        #expect(throws: FileError.self) { try MarkupReader.read(many(FileLimits.markupElementsMax + 1)) }
        _ = try MarkupReader.read(attributes(MarkupReader.attributesMax))
        #expect(throws: FileError.self) { try MarkupReader.read(attributes(MarkupReader.attributesMax + 1)) }
        _ = try MarkupReader.read(many(10), bytesMax: 43)
        #expect(throws: FileError.self) { try MarkupReader.read(many(10), bytesMax: 42) }
    }

    @Test("is refused wherever it is cut")
    func isRefusedWhenCut() throws {
        let whole = Array(
            "<?xml version=\"1.0\"?><!--c--><s:Delete xmlns:s=\"urn:x\"><Object><Key>a&amp;b&#65;<![CDATA[c]]></Key></Object></s:Delete>"
                .utf8)
        _ = try MarkupReader.read(whole)
        for end in 0..<whole.count {
            #expect(throws: FileError.self, "cut at \(end)") { try MarkupReader.read(Array(whole[..<end])) }
        }
    }

    @Test("never ends the process, whatever bytes come")
    func survivesRandomBytes() {
        var random = SeededRandom(test: "survivesRandomBytes")
        let pieces: [[UInt8]] =
            [
                "<", ">", "</", "/>", "<a>", "</a>", "<a", "&", ";", "&#", "&#x", "&amp;", "<!--", "-->", "<![CDATA[",
                "]]>", "<?", "?>",
                "<?xml ", "version='1.0'", "=", "'", "\"", " ", "\r", "\n", ":", "x", "9", "é", "<!DOCTYPE",
            ].map { Array($0.utf8) } + [[0], [0xFF], [0xC3], [0xEF, 0xBB, 0xBF]]
        for _ in 0..<Fuzz.rounds(ordinarily: 20_000) {
            let bytes = (0..<Int.random(in: 0...12, using: &random)).flatMap { _ in
                pieces.randomElement(using: &random) ?? []
            }
            _ = try? MarkupReader.read(bytes)
        }
    }
}
