import TestSupport
import Testing

@testable import HTTP2

/// The examples of RFC 7541, appendix C: the blocks of one connection, one after the other.
struct HPACKVector: Sendable, CustomTestStringConvertible {
    let name: String
    var tableBytes = 4096
    /// Each block, the fields that it has, and the size of the table behind it.
    let blocks: [(hex: String, fields: String, tableSize: Int)]

    var testDescription: String { name }

    static let all: [HPACKVector] = [
        .init(
            name: "C.2.1 literal with indexing",
            blocks: [("400a637573746f6d2d6b65790d637573746f6d2d686561646572", "custom-key: custom-header", 55)]),
        .init(
            name: "C.2.2 literal without indexing", blocks: [("040c2f73616d706c652f70617468", ":path: /sample/path", 0)]
        ),
        .init(
            name: "C.2.3 literal never indexed", blocks: [("100870617373776f726406736563726574", "password: secret", 0)]
        ),
        .init(name: "C.2.4 indexed", blocks: [("82", ":method: GET", 0)]),
        .init(
            name: "C.3 requests without Huffman",
            blocks: [
                (
                    "828684410f7777772e6578616d706c652e636f6d",
                    ":method: GET|:scheme: http|:path: /|:authority: www.example.com", 57
                ),
                (
                    "828684be58086e6f2d6361636865",
                    ":method: GET|:scheme: http|:path: /|:authority: www.example.com|cache-control: no-cache", 110
                ),
                (
                    "828785bf400a637573746f6d2d6b65790c637573746f6d2d76616c7565",
                    ":method: GET|:scheme: https|:path: /index.html|:authority: www.example.com|custom-key: custom-value",
                    164
                ),
            ]),
        .init(
            name: "C.4 requests with Huffman",
            blocks: [
                (
                    "828684418cf1e3c2e5f23a6ba0ab90f4ff",
                    ":method: GET|:scheme: http|:path: /|:authority: www.example.com", 57
                ),
                (
                    "828684be5886a8eb10649cbf",
                    ":method: GET|:scheme: http|:path: /|:authority: www.example.com|cache-control: no-cache", 110
                ),
                (
                    "828785bf408825a849e95ba97d7f8925a849e95bb8e8b4bf",
                    ":method: GET|:scheme: https|:path: /index.html|:authority: www.example.com|custom-key: custom-value",
                    164
                ),
            ]),
        .init(
            name: "C.5 answers without Huffman", tableBytes: 256,
            blocks: [
                (
                    "4803333032580770726976617465611d4d6f6e2c203231204f637420323031332032303a31333a323120474d546e1768747470"
                        + "733a2f2f7777772e6578616d706c652e636f6d",
                    ":status: 302|cache-control: private|date: Mon, 21 Oct 2013 20:13:21 GMT|location: https://www.example.com",
                    222
                ),
                (
                    "4803333037c1c0bf",
                    ":status: 307|cache-control: private|date: Mon, 21 Oct 2013 20:13:21 GMT|location: https://www.example.com",
                    222
                ),
                (
                    "88c1611d4d6f6e2c203231204f637420323031332032303a31333a323220474d54c05a04677a69707738666f6f3d4153444a4b48"
                        + "514b425a584f5157454f50495541585157454f49553b206d61782d6167653d333630303b2076657273696f6e3d31",
                    ":status: 200|cache-control: private|date: Mon, 21 Oct 2013 20:13:22 GMT|location: https://www.example.com"
                        + "|content-encoding: gzip|set-cookie: foo=ASDJKHQKBZXOQWEOPIUAXQWEOIU; max-age=3600; version=1",
                    215
                ),
            ]),
        .init(
            name: "C.6 answers with Huffman", tableBytes: 256,
            blocks: [
                (
                    "488264025885aec3771a4b6196d07abe941054d444a8200595040b8166e082a62d1bff6e919d29ad171863c78f0b97c8e9ae82ae"
                        + "43d3",
                    ":status: 302|cache-control: private|date: Mon, 21 Oct 2013 20:13:21 GMT|location: https://www.example.com",
                    222
                ),
                (
                    "4883640effc1c0bf",
                    ":status: 307|cache-control: private|date: Mon, 21 Oct 2013 20:13:21 GMT|location: https://www.example.com",
                    222
                ),
                (
                    "88c16196d07abe941054d444a8200595040b8166e084a62d1bffc05a839bd9ab77ad94e7821dd7f2e6c7b335dfdfcd5b3960d5af"
                        + "27087f3672c1ab270fb5291f9587316065c003ed4ee5b1063d5007",
                    ":status: 200|cache-control: private|date: Mon, 21 Oct 2013 20:13:22 GMT|location: https://www.example.com"
                        + "|content-encoding: gzip|set-cookie: foo=ASDJKHQKBZXOQWEOPIUAXQWEOIU; max-age=3600; version=1",
                    215
                ),
            ]),
    ]
}

@Suite("HPACK, by the examples of RFC 7541")
struct HPACKVectorTests {
    @Test("the blocks have their fields, and the table its size", arguments: HPACKVector.all)
    func decodes(_ vector: HPACKVector) throws {
        var decoder = HPACKDecoder(tableBytes: vector.tableBytes)
        for block in vector.blocks {
            let fields = try decoder.fields(bytes(ofHex: block.hex))
            #expect(fields == block.fields)
            #expect(decoder.tableSize == block.tableSize)
        }
    }

    @Test(
        "a block that cannot be is refused",
        arguments: [
            ("80", HPACKError.unknownIndex), ("be", .unknownIndex), ("ff80808000", .unknownIndex),
            ("ffffffffffff0f", .numberTooLarge), ("4003", .truncated), ("40036162", .truncated), ("41", .truncated),
            ("7f", .truncated), ("823f", .badTableSize), ("8220", .badTableSize), ("3fe21f", .badTableSize),
            // Padding of eight bits, padding of zeros, and the end inside of a text.
            ("0082 1fff 81ff", .badHuffmanCode), ("00811800", .badHuffmanCode), ("0084fffffffc00", .badHuffmanCode),
        ])
    func refuses(_ hex: String, _ error: HPACKError) {
        var decoder = HPACKDecoder()
        #expect(throws: error) { try decoder.fields(bytes(ofHex: hex)) }
    }

    @Test("a table that is made smaller loses its oldest fields, and can grow again")
    func resizes() throws {
        var decoder = HPACKDecoder()
        _ = try decoder.fields(bytes(ofHex: "400161016140016201624001630163"))
        #expect(decoder.tableSize == 3 * 34)
        #expect(try decoder.fields(bytes(ofHex: "3f25be")) == "c: c")
        #expect(decoder.tableSize == 68)
        #expect(throws: HPACKError.unknownIndex) { try decoder.fields(bytes(ofHex: "c0")) }
        #expect(try decoder.fields(bytes(ofHex: "203fe11f")).isEmpty)
        #expect(decoder.tableSize == 0)
        #expect(try decoder.fields(bytes(ofHex: "4001640164be")) == "d: d|d: d")
    }

    @Test("all bytes go through the Huffman code and the tables, whatever is evicted meanwhile")
    func random() throws {
        var random = SeededRandom(test: "HPACKVectorTests")
        var decoder = HPACKDecoder(tableBytes: 300)
        var known: [(String, Int)] = []
        for _ in 0..<2000 {
            var block: [UInt8] = []
            var expected = ""
            if known.count > 3, Bool.random(using: &random) {
                let place = Int.random(in: 0..<3, using: &random)
                expected = known[known.count - 1 - place].0
                HPACKInteger.append(62 + place, prefixBits: 7, pattern: 0x80, to: &block)
            } else {
                let name = String(repeating: "n", count: Int.random(in: 1...20, using: &random))
                let value = String(repeating: "v", count: Int.random(in: 0...30, using: &random))
                expected = "\(name): \(value)"
                block.append(0x40)
                for text in [name, value] {
                    HPACKInteger.append(text.utf8.count, prefixBits: 7, pattern: 0, to: &block)
                    block += Array(text.utf8)
                }
                known.append((expected, 0))
            }
            #expect(try decoder.fields(block) == expected)
            #expect(decoder.tableSize <= 300)
        }
    }

    @Test("random blocks are decoded or refused, and a table holds no more than its size")
    func survives() {
        var random = SeededRandom(test: "HPACKVectorTests.survives")
        for _ in 0..<Fuzz.rounds(ordinarily: 5000) {
            var decoder = HPACKDecoder()
            for _ in 0..<4 {
                let block = (0..<Int.random(in: 0...60, using: &random)).map { _ in
                    UInt8.random(in: 0...255, using: &random)
                }
                _ = try? decoder.fields(block)
                #expect(decoder.tableSize <= HTTP2Limits.tableBytes)
            }
        }
    }
}

@Suite("Heads of answers, as HPACK")
struct HPACKEncoderTests {
    @Test("lines become fields in lower case, without those of a connection of HTTP/1.1")
    func lines() throws {
        var block: [UInt8] = []
        HPACKEncoder.append(status: 418, to: &block)
        let lines =
            "Content-Type: text/plain\r\nX-Mine: a: b\r\nconnection: close\r\ntransfer-encoding: chunked\r\naccept: x\r\n"
        Array(lines.utf8).withUnsafeBufferPointer { HPACKEncoder.append(lines: $0, to: &block) }
        var decoder = HPACKDecoder()
        #expect(try decoder.fields(block) == ":status: 418|content-type: text/plain|x-mine: a: b|accept: x")
        #expect(decoder.tableSize == 0)
    }

    @Test("every name of the static table is found by it")
    func names() {
        let table = HPACKStaticTable.shared
        #expect(table.entries.count == 61)
        for index in 15...61 {
            guard let name = table.field(index)?.name else {
                Issue.record("no field \(index)")
                return
            }
            #expect(Array(name).withUnsafeBufferPointer { table.index(ofName: $0) } == index)
        }
    }

    @Test("a client that makes its table smaller gets that confirmed, once")
    func tableSize() {
        var encoder = HPACKEncoder()
        var block: [UInt8] = []
        encoder.tableSizeChanged(to: 4096)
        encoder.beginBlock(&block)
        #expect(block.isEmpty)
        encoder.tableSizeChanged(to: 100)
        encoder.beginBlock(&block)
        encoder.tableSizeChanged(to: 0)
        encoder.beginBlock(&block)
        #expect(block == [0x20])
    }
}

extension HPACKDecoder {
    /// The fields of a block as a text.
    mutating func fields(_ block: [UInt8]) throws(HPACKError) -> String {
        try block.withUnsafeBufferPointer { block throws(HPACKError) in
            let fields = try decode(UnsafeRawBufferPointer(block), limits: HTTP2Limits())
            return fields.text
        }
    }
}

extension HPACKFields {
    var text: String {
        entries.map {
            String(decoding: name(of: $0), as: UTF8.self) + ": " + String(decoding: value(of: $0), as: UTF8.self)
        }.joined(separator: "|")
    }
}

func bytes(ofHex hex: String) -> [UInt8] {
    let digits = hex.utf8.filter { $0 != 0x20 }.map { $0 < 0x3A ? $0 - 0x30 : $0 - 0x57 }
    return stride(from: 0, to: digits.count - 1, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
}
