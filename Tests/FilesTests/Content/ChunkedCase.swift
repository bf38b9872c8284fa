import Crypto
import Testing

@testable import Files

/// A body in chunks, and what has to become of it.
struct ChunkedCase: Sendable, CustomTestStringConvertible {
    enum Outcome: Equatable {
        case taken([UInt8], [UInt8]?)
        case refused(String)
    }

    let name: String
    let bytes: [UInt8]
    let form: PayloadClaim.Chunks
    let length: Int
    var announced: Checksum?
    var content: [UInt8] = []
    var checksum: [UInt8]?
    var code = "InvalidRequest"

    var testDescription: String { name }
    var isSmallAndSigned: Bool { bytes.count < 2_000 && form.signing != nil }

    init(_ name: String, _ bytes: [UInt8], like other: ChunkedCase) {
        self = other.with(name, bytes)
    }

    private init(_ name: String, _ bytes: [UInt8], _ form: PayloadClaim.Chunks, length: Int) {
        (self.name, self.bytes, self.form, self.length) = (name, bytes, form, length)
    }

    private func with(_ name: String, _ bytes: [UInt8]) -> ChunkedCase {
        var other = ChunkedCase(name, bytes, form, length: length)
        other.announced = announced
        return other
    }

    /// What comes of the body in these pieces.
    func outcome(cutting pieces: [ArraySlice<UInt8>]) -> Outcome {
        let body = ChunkedBody(form, decodedLength: length, announced: announced)
        var content: [UInt8] = []
        do throws(FileError) {
            for piece in pieces {
                try body.read(Array(piece)) { content.append(contentsOf: $0) }
            }
            try body.finish()
        } catch {
            return .refused(error.code)
        }
        return .taken(content, body.checksum)
    }

    // MARK: Bodies without signatures

    private static let plain = PayloadClaim.Chunks(signing: nil, hasTrailer: true)

    private static func plain(
        _ name: String, _ text: String, _ content: String = "", length: Int? = nil, crc32: Bool = false,
        code: String = "InvalidRequest"
    ) -> ChunkedCase {
        var body = ChunkedCase(name, Array(text.utf8), plain, length: length ?? content.utf8.count)
        body.content = Array(content.utf8)
        if crc32 {
            body.announced = .crc32
            body.checksum = [0x36, 0x10, 0xA6, 0x86]
        }
        body.code = code
        return body
    }

    // MARK: Bodies with signatures

    /// The examples of the documentation of S3.
    private static let date = "20130524T000000Z"
    private static let scope = "20130524/us-east-1/s3/aws4_request"

    static func signing(seed: String) -> ChunkSigning {
        let key = ["20130524", "us-east-1", "s3", "aws4_request"].reduce(
            Array("AWS4wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY".utf8)
        ) { HMACSHA256.code(of: Array($1.utf8), key: $0) }
        return ChunkSigning(key: HMACKey(key), date: date, scope: scope, seed: seed)
    }

    private static func published(
        _ name: String, seed: String, signatures: [String], trailer: String? = nil
    ) -> ChunkedCase {
        let content = [UInt8](repeating: UInt8(ascii: "a"), count: 66_560)
        let pieces = [content[..<65_536], content[65_536...], []]
        var bytes: [UInt8] = []
        for (piece, signature) in zip(pieces, signatures) {
            bytes += Array("\(Hexadecimal.number(piece.count));chunk-signature=\(signature)\r\n".utf8) + piece
            if !piece.isEmpty { bytes += Array("\r\n".utf8) }
        }
        bytes += Array("\(trailer ?? "")\r\n".utf8)
        var body = ChunkedCase(
            name, bytes, .init(signing: signing(seed: seed), hasTrailer: trailer != nil), length: content.count)
        body.content = content
        return body
    }

    private static let published = published(
        "published", seed: "4f232c4386841ef735655705268965c44a0e4690baa4adea153f7db9fa80a0a9",
        signatures: [
            "ad80c730a21e5b8d04586a2213dd63b9a0e99e0e2307b0ade35a65485a288648",
            "0055627c9e194cb4542bae2aa5492e3c1575bbb81b612b7d234b86a503ef5497",
            "b6c6ea8a5354eaf15b3cb7646744f4275b71ea724fed81ceb9323e279d449df9",
        ])

    private static let publishedWithTrailer: ChunkedCase = {
        var body = published(
            "published with a trailer", seed: "106e2a8a18243abcf37539882f36619c00e2dfc72633413f02d3b74544bfeb8e",
            signatures: [
                "b474d8862b1487a5145d686f57f013e54db672cee1c953b3010fb58501ef5aa2",
                "1c1344b170168f8e65b41376b44b20fe354e373826ccbbe2c1d40a8cae51e5c7",
                "2ca2aba2005185cf7159c6277faf83795951dd77a3a99e6e65d5c9f85863f992",
            ],
            trailer: "x-amz-checksum-crc32c:sOO8/Q==\r\n"
                + "x-amz-trailer-signature:d81f82fc3505edab99d459891051a732e8730629a2e4a59689829ca17fe2e435\r\n")
        body.announced = .crc32c
        body.checksum = [0xB0, 0xE3, 0xBC, 0xFD]
        return body
    }()

    /// A body that is signed as clients sign it, with what a client does wrong.
    private static func signed(
        _ name: String, _ pieces: [String], trailer: String? = nil, length: Int? = nil, code: String = "",
        change: (inout [String]) -> Void = { _ in }
    ) -> ChunkedCase {
        let seed = String(repeating: "5e", count: 32)
        let signing = signing(seed: seed)
        var previous = seed
        var parts: [String] = []
        for piece in pieces + [""] {
            previous = signing.signature(ofChunk: Digest.sha256.of(Array(piece.utf8)), after: previous)
            parts.append("\(Hexadecimal.number(piece.utf8.count));chunk-signature=\(previous)\r\n")
            if !piece.isEmpty { parts.append("\(piece)\r\n") }
        }
        if let trailer {
            let signature = signing.signature(ofTrailer: Array("\(trailer)\n".utf8), after: previous)
            parts += ["\(trailer)\r\n", "x-amz-trailer-signature:\(signature)\r\n"]
        }
        parts.append("\r\n")
        change(&parts)
        let content = Array(pieces.joined().utf8)
        var body = ChunkedCase(
            name, Array(parts.joined().utf8), .init(signing: signing, hasTrailer: trailer != nil),
            length: length ?? content.count)
        body.content = content
        if trailer != nil {
            body.announced = .crc32
            body.checksum = [0x36, 0x10, 0xA6, 0x86]
        }
        body.code = code
        return body
    }

    private static let trailer = "x-amz-checksum-crc32:NhCmhg=="

    static let accepted: [ChunkedCase] = [
        plain("one chunk with a trailer", "5\r\nhello\r\n0\r\n\(trailer)\r\n\r\n", "hello", crc32: true),
        plain("no trailer", "5\r\nhello\r\n0\r\n\r\n", "hello"),
        plain("nothing in it", "0\r\n\r\n"),
        plain(
            "several chunks, digits of either case", "a\r\n0123456789\r\nA\r\nabcdefghij\r\n1\r\n\n\r\n0\r\n\r\n",
            "0123456789abcdefghij\n"),
        plain("zeros before a size", "0005\r\nhello\r\n000\r\n\r\n", "hello"),
        plain("line ends in the data", "4\r\n\r\n\r\n\r\n0\r\n\r\n", "\r\n\r\n"),
        plain(
            "a trailer in capitals, with blanks", "5\r\nhello\r\n0\r\nX-Amz-Checksum-CRC32: NhCmhg== \r\n\r\n", "hello",
            crc32: true),
        plain("a trailer line that ends twice", "5\r\nhello\r\n0\r\n\(trailer)\n\r\n\r\n", "hello", crc32: true),
        published,
        publishedWithTrailer,
        signed("signed", ["hello"]),
        signed("signed, several chunks", ["he", "l", "lo"]),
        signed("signed, nothing in it", []),
        signed("signed with a trailer", ["hel", "lo"], trailer: trailer),
        signed("signed with a trailer line that ends twice", ["hello"], trailer: trailer) {
            $0[3] = "\(trailer)\n\r\n"
        },
    ]

    static let refused: [ChunkedCase] = [
        plain("a sign before the size", "+5\r\nhello\r\n0\r\n\r\n", length: 5),
        plain("a blank before the size", " 5\r\nhello\r\n0\r\n\r\n", length: 5),
        plain("a blank behind the size", "5 \r\nhello\r\n0\r\n\r\n", length: 5),
        plain("a prefix of hexadecimal numbers", "0x5\r\nhello\r\n0\r\n\r\n", length: 5),
        plain("no size", "\r\nhello\r\n0\r\n\r\n", length: 5),
        plain("too many digits", "0000000000000005\r\nhello\r\n0\r\n\r\n", length: 5),
        plain("a size that overflows", "ffffffffffffffff\r\nhello", length: 5),
        plain("a size beyond what was announced", "7fffffff\r\nhello", length: 5, code: "IncompleteBody"),
        plain(
            "chunks beyond what was announced", "3\r\nabc\r\n3\r\ndef\r\n0\r\n\r\n", length: 5, code: "IncompleteBody"),
        plain("less than was announced", "3\r\nabc\r\n0\r\n\r\n", length: 5, code: "IncompleteBody"),
        plain("an extension", "5;a=b\r\nhello\r\n0\r\n\r\n", length: 5),
        plain(
            "a signature that nobody can check",
            "5;chunk-signature=\(String(repeating: "a", count: 64))\r\nhello\r\n0\r\n\r\n",
            length: 5),
        plain("a chunk longer than it says", "4\r\nhello\r\n0\r\n\r\n", length: 5),
        plain("a chunk without an end", "5\r\nhello0\r\n\r\n", length: 5),
        plain("a line feed alone behind a size", "5\nhello\r\n0\r\n\r\n", length: 5),
        plain("a line feed alone behind a chunk", "5\r\nhello\n0\r\n\r\n", length: 5),
        plain("a line without an end", String(repeating: "0", count: 300), length: 5),
        plain("something behind the last chunk", "5\r\nhello\r\n0\r\n\r\n\r\n", length: 5),
        plain("a second body behind it", "0\r\n\r\n0\r\n\r\n"),
        plain("a trailer that did not come", "5\r\nhello\r\n0\r\n\r\n", length: 5, crc32: true),
        plain("a trailer that was not announced", "5\r\nhello\r\n0\r\n\(trailer)\r\n\r\n", length: 5),
        plain(
            "another trailer than announced", "5\r\nhello\r\n0\r\nx-amz-checksum-crc32c:NhCmhg==\r\n\r\n", length: 5,
            crc32: true),
        plain(
            "a field that is no checksum", "5\r\nhello\r\n0\r\n\(trailer)\r\nx-amz-meta-a: b\r\n\r\n", length: 5,
            crc32: true),
        plain("a trailer twice", "5\r\nhello\r\n0\r\n\(trailer)\r\n\(trailer)\r\n\r\n", length: 5, crc32: true),
        plain(
            "a trailer that is no checksum", "5\r\nhello\r\n0\r\nx-amz-checksum-crc32:abc\r\n\r\n", length: 5,
            crc32: true),
        plain("a trailer without a colon", "5\r\nhello\r\n0\r\nx-amz-checksum-crc32\r\n\r\n", length: 5, crc32: true),
        plain(
            "a blank before the colon", "5\r\nhello\r\n0\r\nx-amz-checksum-crc32 :NhCmhg==\r\n\r\n", length: 5,
            crc32: true),
        plain(
            "a signature in a trailer that is not signed",
            "5\r\nhello\r\n0\r\n\(trailer)\r\nx-amz-trailer-signature:\(String(repeating: "a", count: 64))\r\n\r\n",
            length: 5, crc32: true),
        plain(
            "a long trailer", "0\r\nx-amz-checksum-crc32:\(String(repeating: " ", count: 2_000))NhCmhg==\r\n\r\n",
            crc32: true),
        signed("a chunk's signature is missing", ["hello"], code: "InvalidRequest") { $0[0] = "5\r\n" },
        signed("a chunk's signature in capitals", ["hello"], code: "InvalidRequest") { $0[0] = $0[0].uppercased() },
        signed("a chunk's signature is short", ["hello"], code: "InvalidRequest") {
            $0[0] = String($0[0].dropLast(3)) + "\r\n"
        },
        signed("a chunk's signature has more behind it", ["hello"], code: "InvalidRequest") {
            $0[0] = String($0[0].dropLast(2)) + ";a=b\r\n"
        },
        signed("the last chunk is missing", ["hello"], code: "InvalidRequest") { $0[2] = "" },
        signed("the last chunk has no signature", ["hello"], code: "InvalidRequest") { $0[2] = "0\r\n" },
        signed("chunks have changed places", ["ab", "cd"], code: "SignatureDoesNotMatch") {
            $0[0...3] = [$0[2], $0[3], $0[0], $0[1]]
        },
        signed("a chunk is left out", ["ab", "cd"], length: 2, code: "SignatureDoesNotMatch") { $0[0...1] = [] },
        signed("a chunk comes twice", ["ab", "ab"], code: "SignatureDoesNotMatch") { $0[2] = $0[0] },
        signed("other bytes", ["hello"], code: "SignatureDoesNotMatch") { $0[1] = "hellO\r\n" },
        signed("a trailer that was signed is left out", ["hello"], trailer: trailer, code: "InvalidRequest") {
            $0[3...4] = []
        },
        signed("a trailer's signature is left out", ["hello"], trailer: trailer, code: "InvalidRequest") { $0[4] = "" },
        signed("a trailer's signature comes first", ["hello"], trailer: trailer, code: "SignatureDoesNotMatch") {
            $0.swapAt(3, 4)
        },
        signed("a trailer's signature comes twice", ["hello"], trailer: trailer, code: "SignatureDoesNotMatch") {
            $0[5] = $0[4] + $0[5]
        },
        signed("another checksum than was signed", ["hello"], trailer: trailer, code: "SignatureDoesNotMatch") {
            $0[3] = "x-amz-checksum-crc32:NhCmhQ==\r\n"
        },
        signed("something behind the trailer", ["hello"], trailer: trailer, code: "InvalidRequest") {
            $0[5] = "\r\n\r\n"
        },
    ]
}

extension Hexadecimal {
    static func number(_ number: Int) -> String { String(number, radix: 16) }
}
