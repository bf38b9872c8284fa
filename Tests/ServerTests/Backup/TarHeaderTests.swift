import Files
import Testing

@testable import Server

@Suite("The heads of a tar archive")
struct TarHeaderTests {
    @Test(
        "say the size of what follows, also one that eleven octal digits do not",
        arguments: [0, 1, 511, 512, 8_589_934_591])
    func sizes(size: Int64) throws {
        let header = TarHeader(name: "files/objects/1/0/1", size: size, modified: 1_700_000_000)
        let read = try #require(TarHeader(header.blocks))
        #expect(read.name == "files/objects/1/0/1" && read.size == size && read.kind == .file)
        #expect((Int64(TarHeader.padding(behind: size)) + size) % 512 == 0)
    }

    @Test("say a larger size in an extended head before")
    func largeSizes() throws {
        let size: Int64 = 20 << 40
        let blocks = TarHeader(name: "data.sqlite", size: size).blocks
        #expect(blocks.count == 3 * TarHeader.blockBytes)
        let extended = try #require(TarHeader(Array(blocks[..<512])))
        #expect(extended.kind == .extended)
        let records = Array(blocks[512..<512 + Int(extended.size)])
        #expect(TarHeader.size(inRecords: records) == size)
        #expect(TarHeader(Array(blocks[1_024...]))?.name == "data.sqlite")
    }

    @Test("that are none are not believed")
    func refusals() {
        let good = TarHeader(name: "a", size: 5).blocks
        #expect(TarHeader(good) != nil)
        for place in [0, 99, 124, 156, 300] {
            var bad = good
            bad[place] ^= 0x40
            #expect(TarHeader(bad) == nil, "\(place)")
        }
        #expect(TarHeader([]) == nil)
        // A link, a device: with the right sum.
        for kind in "12346" {
            var link = good
            let byte = kind.utf8.first ?? 0
            link[156] = byte
            let sum = link.enumerated().reduce(0) { $0 + ((148..<156).contains($1.offset) ? 0x20 : Int($1.element)) }
            let digits = Array(String(sum, radix: 8).utf8)
            link.replaceSubrange(148..<154, with: [UInt8](repeating: 0x30, count: 6 - digits.count) + digits)
            #expect(TarHeader(link) == nil, "\(kind)")
        }
    }

    @Test(
        "have records that end where they say, or are none",
        arguments: [
            "", "5 a=b", "9999999999999999999 size=1\n", "0 size=1\n", "-3 size=1\n", "30 size=1\n", "10 size=x\n",
        ])
    func records(text: String) {
        #expect(TarHeader.size(inRecords: Array(text.utf8)) == nil)
    }
}

@Suite("The names of files in an archive")
struct ArchiveNameTests {
    @Test("are those that the store gives, and nothing else comes out of an archive")
    func names() {
        for name in ["objects/1/0/100000001", "objects/a/1/a00001000"] { #expect(FileSnapshot.isName(name), "\(name)") }
        for name in [
            "", "objects", "objects/", "objects/1/0/100000002/x", "objects/1/1/100000001", "objects/2/0/100000001",
            "objects/1/0/0100000001", "objects/1/0/../100000001", "../1/0/100000001", "objects/1/0/100000001 ",
            "objects//1/0/100000001", "incoming/1/0/100000001", "objects/A/1/A00001000", "objects/1/0/+100000001",
            "/objects/1/0/100000001", "objects/1/0/ffffffffffffffffff",
        ] { #expect(!FileSnapshot.isName(name), "\(name)") }
    }
}

@Suite("A trace")
struct TraceParentTests {
    private static let number = "4bf92f3577b34da6a3ce929d0e0e4736"

    @Test("is read from the field of its name")
    func read() {
        #expect(TraceParent.trace("00-\(Self.number)-00f067aa0ba902b7-01") == Self.number)
        #expect(TraceParent.trace("01-\(Self.number)-00f067aa0ba902b7-01-more") == Self.number)
    }

    @Test(
        "is none of another form",
        arguments: [
            "", "00", "00-\(number)", "00-\(number)-00f067aa0ba902b7", "00-\(number)-00f067aa0ba902b7-01-more",
            "ff-\(number)-00f067aa0ba902b7-01", "00-\(number.uppercased())-00f067aa0ba902b7-01",
            "00-00000000000000000000000000000000-00f067aa0ba902b7-01", "00-\(number)-0000000000000000-01",
            "00-\(number)x-00f067aa0ba902b7-01",
        ])
    func refused(value: String) {
        #expect(TraceParent.trace(value) == nil)
    }
}
