import Testing

@testable import Network

@Suite("Remembered heads")
struct HeadMemoryTests {
    private func head(_ text: String, in memory: HeadMemory) throws(HTTPParseError) -> HTTPRequestHead {
        try Array(text.utf8).withUnsafeBufferPointer { bytes throws(HTTPParseError) in
            try memory.head(parsing: UnsafeRawBufferPointer(bytes), limits: HTTPLimits())
        }
    }

    private static let text = "POST /graphql?a=b HTTP/1.1\r\nHost: a\r\nX-Api-Key: one\r\nContent-Length: 3\r\n\r\n"

    @Test("the same bytes are read twice, and not again")
    func remembers() throws {
        let memory = HeadMemory()
        let heads = try (0..<4).map { _ in try head(Self.text, in: memory) }
        #expect(heads[0] !== heads[1] && heads[1] === heads[2] && heads[2] === heads[3])
        #expect(heads[3].fields["x-api-key"] == "one" && heads[3].path == "/graphql" && heads[3].query == "a=b")
        #expect(memory.count == 1)
        #expect(heads.map(\.isKept) == [false, true, true, true])
        heads[1].findings = memory
        #expect(try head(Self.text, in: memory).findings === memory)
    }

    @Test("two heads that come by turns stay, whatever places they have")
    func turns() throws {
        for number in 0..<200 {
            let memory = HeadMemory()
            let texts = ["/", "/\(number)"].map { "GET \($0) HTTP/1.1\r\nHost: a\r\n\r\n" }
            for _ in 0..<2 { for text in texts { _ = try head(text, in: memory) } }
            let known = try texts.map { try head($0, in: memory) }
            for (text, one) in zip(texts, known) { #expect(try head(text, in: memory) === one) }
        }
    }

    @Test("one other byte is another head, wherever it is")
    func differs() throws {
        let memory = HeadMemory()
        for _ in 0..<3 { _ = try head(Self.text, in: memory) }
        let bytes = Array(Self.text.utf8)
        for place in bytes.indices {
            var other = bytes
            other[place] ^= 1
            let text = String(decoding: other, as: UTF8.self)
            let alone = Result { () throws(HTTPParseError) in try head(text, in: HeadMemory()) }
            let found = Result { () throws(HTTPParseError) in try head(text, in: memory) }
            switch (alone, found) {
            case (.success(let alone), .success(let found)):
                #expect(alone.fields.all.map(\.value) == found.fields.all.map(\.value))
                #expect(alone.methodText == found.methodText && alone.encodedPath == found.encodedPath)
            case (.failure(let alone), .failure(let found)): #expect(alone == found)
            default: Issue.record("byte \(place) is understood once")
            }
        }
    }

    @Test("what is no head is refused every time")
    func refuses() throws {
        let memory = HeadMemory()
        for _ in 0..<4 {
            #expect(throws: HTTPParseError.self) { try head("POST / HTTP/1.1\r\n\r\n", in: memory) }
        }
        #expect(memory.count == 0)
    }

    @Test("there are no more than a loop has room for, and none that is long")
    func hasLimits() throws {
        let memory = HeadMemory()
        for number in 0..<10 * HTTPLimits.rememberedHeads {
            let text = "GET /\(number) HTTP/1.1\r\nHost: a\r\n\r\n"
            for _ in 0..<2 { #expect(try head(text, in: memory).path == "/\(number)") }
        }
        #expect((1...HTTPLimits.rememberedHeads).contains(memory.count))
        let short = HeadMemory()
        for length in [HTTPLimits.rememberedHeadBytes, 1] {
            let text = "GET / HTTP/1.1\r\nHost: a\r\nA: \(String(repeating: "a", count: length))\r\n\r\n"
            for _ in 0..<2 { _ = try head(text, in: short) }
            #expect(short.count == (length == 1 ? 1 : 0))
        }
    }
}
