import Testing

@testable import Network

struct CompressionTests {
    static func sample(_ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: 0x20 &+ ($0 &* $0 / 7) % 64) }
    }

    static func deflated(_ bytes: [UInt8], _ format: CompressionFormat, pieces: Int = 1) throws -> [UInt8] {
        var deflater = try Deflater(format)
        var output: [UInt8] = []
        let size = max(1, (bytes.count + pieces - 1) / pieces)
        for start in stride(from: 0, to: bytes.count, by: size) {
            try bytes[start..<min(start + size, bytes.count)].withUnsafeBytes {
                try deflater.deflate($0, ending: .more, into: &output)
            }
        }
        try [UInt8]().withUnsafeBytes { try deflater.deflate($0, ending: .finish, into: &output) }
        return output
    }

    static func inflated(_ bytes: [UInt8], _ format: CompressionFormat, room: Int) throws -> [UInt8] {
        var inflater = try Inflater(format)
        var output: [UInt8] = []
        var position = 0
        while true {
            let before = output.count
            let progress = try bytes.withUnsafeBytes {
                try inflater.inflate($0, at: &position, into: &output, upTo: room)
            }
            #expect(output.count - before <= room)
            if progress != .outputIsFull { return output }
        }
    }

    @Test(
        "what is compressed comes back, in pieces and with little room",
        arguments: CompressionFormat.allCases, [0, 1, 1000, 200_000])
    func roundTrip(_ format: CompressionFormat, _ count: Int) throws {
        let bytes = Self.sample(count)
        for pieces in [1, 7] {
            let compressed = try Self.deflated(bytes, format, pieces: pieces)
            #expect(try Self.inflated(compressed, format, room: 1 << 20) == bytes)
            #expect(try Self.inflated(compressed, format, room: 333) == bytes)
        }
    }

    @Test("a compressor that is reset makes the same again")
    func reset() throws {
        var deflater = try Deflater(.zlib)
        var outputs: [[UInt8]] = [[], []]
        for index in outputs.indices {
            try Self.sample(5000).withUnsafeBytes { try deflater.deflate($0, ending: .finish, into: &outputs[index]) }
            deflater.reset()
        }
        #expect(outputs[0] == outputs[1])
    }

    @Test("a long body is compressed in steps, each of so many bytes", arguments: [0, 1, 131_072, 131_073, 1_000_000])
    func longBody(_ count: Int) throws {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 16) }
        let compression = try #require(LongCompression(bytes))
        var steps = 1
        var found: [UInt8]?
        while found == nil {
            switch compression.next() {
            case .more: steps += 1
            case .done(let bytes): found = bytes
            case .failed:
                Issue.record("it failed")
                return
            }
        }
        #expect(steps == max(1, (count + LongCompression.bytesPerTurn - 1) / LongCompression.bytesPerTurn))
        #expect(try Self.inflated(found ?? [], .gzip, room: 2 << 20) == bytes)
    }

    @Test("a response is compressed as one gzip file, again and again")
    func gzip() throws {
        var pool = CompressionPool()
        for count in [0, 1024, 100_000, 1024] {
            var output = Array("head".utf8)
            let bytes = Self.sample(count)
            #expect(bytes.withUnsafeBytes { pool.gzip($0, into: &output) })
            #expect(output.prefix(4) == Array("head".utf8)[...])
            #expect(output[4...].prefix(2) == [0x1F, 0x8B])
            #expect(try Self.inflated(Array(output[4...]), .gzip, room: 1 << 20) == bytes)
        }
    }
}

struct ContentDecoderTests {
    /// Decodes pieces as a request's body comes in, a little room at a time.
    static func decode(
        _ coding: ContentCoding, _ pieces: [ArraySlice<UInt8>], bytesMax: Int, room: Int = 1000
    ) throws(CompressionError) -> [UInt8] {
        var decoder = try ContentDecoder(coding, bytesMax: bytesMax)
        var output: [UInt8] = []
        for piece in pieces {
            var position = 0
            try Array(piece).withUnsafeBufferPointer { bytes throws(CompressionError) in
                while try decoder.decode(UnsafeRawBufferPointer(bytes), at: &position, into: &output, upTo: room)
                    == .outputIsFull
                {}
            }
        }
        try decoder.finish()
        return output
    }

    static let bodies: [(ContentCoding, CompressionFormat)] = [(.gzip, .gzip), (.deflate, .zlib), (.deflate, .raw)]

    @Test("a compressed body is read, however it is cut", arguments: bodies, [0, 1, 500])
    func reads(_ kind: (coding: ContentCoding, format: CompressionFormat), _ count: Int) throws {
        let bytes = CompressionTests.sample(count)
        let body = try CompressionTests.deflated(bytes, kind.format)
        for cut in cuts(of: body) {
            #expect(try Self.decode(kind.coding, cut, bytesMax: 1000, room: 7) == bytes)
        }
    }

    @Test("a body of several gzip files is read as one")
    func members() throws {
        let body = try CompressionTests.deflated([1, 2], .gzip) + CompressionTests.deflated([3], .gzip)
        for cut in cuts(of: body) { #expect(try Self.decode(.gzip, cut, bytesMax: 3) == [1, 2, 3]) }
        #expect(throws: CompressionError.tooLong(bytesMax: 2)) { try Self.decode(.gzip, [body[...]], bytesMax: 2) }
    }

    @Test("a body is inflated to its limit and no further", arguments: bodies)
    func bomb(_ kind: (coding: ContentCoding, format: CompressionFormat)) throws {
        let body = try CompressionTests.deflated([UInt8](repeating: 0, count: 10_000_000), kind.format)
        #expect(try Self.decode(kind.coding, [body[...]], bytesMax: 10_000_000).count == 10_000_000)
        for room in [1, 1000, .max] {
            #expect(throws: CompressionError.tooLong(bytesMax: 5000)) {
                try Self.decode(kind.coding, [body[...]], bytesMax: 5000, room: room)
            }
        }
    }

    @Test("a body that ends too early is refused", arguments: bodies)
    func truncated(_ kind: (coding: ContentCoding, format: CompressionFormat)) throws {
        let body = try CompressionTests.deflated(CompressionTests.sample(300), kind.format)
        for count in 0..<body.count {
            #expect(throws: CompressionError.self) { try Self.decode(kind.coding, [body[..<count]], bytesMax: 1000) }
        }
    }

    @Test("bytes behind the end are refused", arguments: bodies)
    func trailing(_ kind: (coding: ContentCoding, format: CompressionFormat)) throws {
        let body = try CompressionTests.deflated([1, 2, 3], kind.format) + [0]
        for cut in cuts(of: body) {
            #expect(throws: CompressionError.self) { try Self.decode(kind.coding, cut, bytesMax: 1000) }
        }
    }

    @Test("a body that is not compressed is refused", arguments: [ContentCoding.gzip, .deflate])
    func notCompressed(_ coding: ContentCoding) throws {
        let body = Array("{\"query\":\"{ a }\"}".utf8)
        for cut in cuts(of: body) {
            #expect(throws: CompressionError.self) { try Self.decode(coding, cut, bytesMax: 1000) }
        }
    }

    @Test("a gzip body with a wrong checksum is refused")
    func checksum() throws {
        var body = try CompressionTests.deflated([1, 2, 3], .gzip)
        body[body.count - 8] ^= 1
        #expect(throws: CompressionError.self) { try Self.decode(.gzip, [body[...]], bytesMax: 1000) }
    }

    @Test(
        "a Content-Encoding is understood or refused",
        arguments: [
            ("", .identity), ("identity", .identity), ("gzip", .coding(.gzip)), ("X-GZip", .coding(.gzip)),
            ("Deflate", .coding(.deflate)), ("br", .unsupported), ("gzip, gzip", .unsupported),
            ("amz-1.0", .unsupported),
        ] as [(String, ContentCoding.Request)])
    func requests(_ value: String, _ expected: ContentCoding.Request) {
        #expect(ContentCoding.requested(by: value) == expected)
    }

    @Test(
        "gzip is sent only to who takes it",
        arguments: [
            ("gzip", true), ("deflate, gzip, br", true), ("GZIP;q=0.5", true), ("br, *", true), ("*;q=0", false),
            ("gzip;q=0", false), ("gzip; q=0.000, *", false), ("", false), ("identity", false), ("br;q=1", false),
            ("x-gzip", true), ("gzip;q=0.001", true),
        ])
    func accepts(_ value: String, _ expected: Bool) {
        #expect(ContentCoding.isGzipAccepted(by: value) == expected)
    }
}
