import Testing

@testable import Network

@Suite("Values of header fields")
struct HTTPFieldTextTests {
    @Test(
        "are UTF-8, and where they are none, Latin-1",
        arguments: [
            (Array("plain".utf8), "plain"), (Array("hä日".utf8), "hä日"), ([0x68, 0xE4], "hä"), ([0xC3], "Ã"),
            ([0xC3, 0xA4, 0xFF], "Ã¤ÿ"), ([0x80], "\u{80}"), ([], ""),
        ] as [([UInt8], String)])
    func areTexts(value: [UInt8], text: String) throws {
        let bytes = Array("GET / HTTP/1.1\r\nhost: a\r\nx-a: ".utf8) + value + Array("\r\nx-b: c\r\n\r\n".utf8)
        let fields = try bytes.withUnsafeBytes { try HTTPRequestHead(parsing: $0, limits: HTTPLimits()) }.fields
        #expect(fields["x-a"] == text)
        #expect(fields.values(of: "x-a" as String) == [text])
        #expect(fields.all.map(\.value) == ["a", text, "c"])
        var seen: [[UInt8]] = []
        Array("x-a".utf8).withUnsafeBytes { fields.forEachValue(of: $0) { seen.append(Array($0)) } }
        #expect(seen == [value])
        var texts: [[UInt8]] = []
        Array("x-a".utf8).withUnsafeBytes { fields.forEachText(of: $0) { texts.append(Array($0)) } }
        #expect(texts == [Array(text.utf8)])
        var names: [String] = []
        fields.forEach { name, _ in names.append(String(decoding: name, as: UTF8.self)) }
        #expect(names == ["host", "x-a", "x-b"])
    }

    @Test("hold what they may hold and nothing else, wherever it stands")
    func bytes() {
        for count in [1, 7, 8, 9, 16, 21] {
            for place in 0..<count {
                for byte in UInt8.min...UInt8.max {
                    var value = [UInt8](repeating: UInt8(ascii: "~"), count: count)
                    value[place] = byte
                    let bytes = Array("GET / HTTP/1.1\r\nhost: a\r\nx-a: ".utf8) + value + Array("\r\n\r\n".utf8)
                    let head = bytes.withUnsafeBytes { try? HTTPRequestHead(parsing: $0, limits: HTTPLimits()) }
                    #expect((head != nil) == HTTPCharacters.isFieldValue(byte), "\(byte) at \(place) of \(count)")
                }
            }
        }
    }

    @Test(
        "of somebody's own letters go back as they came",
        arguments: [
            ("plain", Array("plain".utf8)), ("hä", [0x68, 0xE4]), ("日ä", Array("日ä".utf8)),
            ("a\r\nb: c\u{85}", Array("ab: c".utf8) + [0x85]),
        ] as [(String, [UInt8])])
    func lettersGoBack(text: String, value: [UInt8]) throws {
        var lines = HTTPFieldLines()
        lines.append(name: "x-a", letters: text)
        lines.append(name: "x b", letters: text)
        #expect(lines.bytes == Array("x-a: ".utf8) + value + Array("\r\n".utf8))
    }
}
