import TestSupport
import Testing

@testable import JSON

@Suite("A text from outside")
struct ByteTextTests {
    @Test("is equal to another one only if the bytes are, in every way of asking", arguments: LookAlikes.all)
    func isBytes(_ pair: LookAlikes) {
        let (one, other) = (pair.one, pair.other)
        let maybe: String? = other
        #expect(ByteText(one) != ByteText(other))
        #expect(ByteText(one) == ByteText(String(decoding: Array(one.utf8), as: UTF8.self)))
        #expect((ByteText(one) < ByteText(other)) != (ByteText(other) < ByteText(one)))
        #expect(Set<ByteText>(texts: [one, other, one]).count == 2)
        #expect(![one].contains(other))
        #expect([one].firstIndex(of: other) == nil)
        #expect([one] != [other])
        #expect((one == other) == false)
        #expect(one != other)
        #expect((one < other) != (other < one))
        #expect((maybe == one) == false && maybe != one)
        #expect(!one.hasPrefix(other) && !one.hasSuffix(other))
        #expect([one, other, one].eachOnce() == [one, other])
        switch one {
        case other: Issue.record("they are one pattern")
        default: break
        }
        var table: [ByteText: Int] = [:]
        table[one] = 1
        table[other, default: 1] += 1
        #expect(table[one] == 1 && table[other] == 2)
    }

    @Test("in JSON is the same as elsewhere: as a value, as a key and as a number's digits", arguments: LookAlikes.all)
    func isBytesInJSON(_ pair: LookAlikes) {
        let (one, other) = (pair.one, pair.other)
        #expect(JSONValue.string(one) != .string(other))
        #expect(JSONValue.array([.string(one)]) != .array([.string(other)]))
        #expect(JSONObject([(one, .null)]) != JSONObject([(other, .null)]))
        #expect(JSONObject([(one, .null), (other, .null)]).count == 2)
        #expect(JSONObject([(one, .null)])[other] == nil)
        #expect(JSONValue.string(one).text == ByteText(one))
    }

    @Test(
        "is the same text whatever it is kept in",
        arguments: ["", "id", "fifteen letters", "more than fifteen letters", "e\u{301}"])
    func keeping(text: String) {
        // A text that was cut from a longer one is kept elsewhere, however short it is.
        var cut = text + String(repeating: "x", count: 40)
        cut.removeLast(40)
        var roomy = text
        roomy.reserveCapacity(100)
        for other in [cut, roomy, String(decoding: Array(text.utf8), as: UTF8.self)] {
            #expect(ByteText(other) == ByteText(text) && ByteText(other).hashValue == ByteText(text).hashValue)
            #expect(ByteText(other + "a") != ByteText(text + "b"))
        }
    }

    @Test("has parts between separators, whatever marks stand on those")
    func parts() {
        #expect("a::b".parts(separatedBy: "::") == ["a", "b"])
        // A blank with a mark on it is one character, and a blank nevertheless.
        #expect(" a \u{301}b  c".words == ["a", "\u{301}b", "c"])
        #expect("".words == [] && "  ".words == [])
        #expect("a:b".parts(separatedBy: "::") == ["a:b"])
        #expect("".parts(separatedBy: "/") == [""])
        #expect("/a/\u{301}b/".parts(separatedBy: "/") == ["", "a", "\u{301}b", ""])
        #expect("application/xml".contains(bytesOf: "xml"))
        #expect(!"xm".contains(bytesOf: "xml"))
    }

    @Test(
        "has a folder, as a path",
        arguments: [
            ("", "."), ("a", "."), ("/", "/"), ("/a", "/"), ("a/b", "a"), ("a/b/", "a/b"), ("/a/b.c", "/a"),
            ("a/\u{301}b", "a"),
        ])
    func folders(path: String, folder: String) { #expect(path.folderOfPath == folder) }
}
