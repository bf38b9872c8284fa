import CSystem
import Crypto
import TestSupport
import Testing

@testable import Files

@Suite("Checksums")
struct ChecksumTests {
    /// What each makes of the digits 1 to 9, which is published for every one of them.
    @Test(
        "are the published ones",
        arguments: [
            (Checksum.crc32, "cbf43926"), (.crc32c, "e3069283"), (.crc64nvme, "ae8b14860a799888"),
            (.md5, "25f9e794323b453885f5181f1b624d0b"), (.sha1, "f7c3bc1d808e04732adf679965ccc34ca7ae3441"),
            (.sha256, "15e2b0d3c33891ebb0f1ef609ec419420c20e320ce94c65fbc8c3312448eb225"),
        ])
    func arePublished(checksum: Checksum, hexadecimal: String) {
        #expect(Hexadecimal.text(of: ChecksumStream.sum(checksum, of: Array("123456789".utf8))) == hexadecimal)
        #expect(ChecksumStream.sum(checksum, of: []).count == checksum.byteCount)
    }

    @Test("are the same however the bytes are cut", arguments: Checksum.allCases)
    func areTheSameHoweverCut(checksum: Checksum) {
        let bytes = (0..<1_000).map { UInt8(truncatingIfNeeded: $0 * 7) }
        let whole = ChecksumStream.sum(checksum, of: bytes)
        let stream = ChecksumStream(checksum)
        for size in [1, 3, 7, 8, 9, 64, 333] {
            var rest = bytes[...]
            while !rest.isEmpty {
                rest.prefix(size).withUnsafeBytes { stream.update($0) }
                rest = rest.dropFirst(size)
            }
            #expect(stream.finish() == whole, "in pieces of \(size)")
        }
    }

    @Test("of a whole follow from those of its parts where they are cyclic", arguments: Checksum.allCases)
    func areJoined(checksum: Checksum) {
        for (first, second) in [(0, 0), (0, 5), (5, 0), (1, 1), (9, 1_000), (70_000, 12_345)] {
            let one = (0..<first).map { UInt8(truncatingIfNeeded: $0 * 31) }
            let two = (0..<second).map { UInt8(truncatingIfNeeded: $0 * 17 + 3) }
            let joined = checksum.joined(
                ChecksumStream.sum(checksum, of: one), ChecksumStream.sum(checksum, of: two), secondLength: second)
            #expect(joined == (checksum.isJoinable ? ChecksumStream.sum(checksum, of: one + two) : nil))
        }
        #expect(checksum.joined([1], [2, 3], secondLength: 1) == nil)
        #expect(checksum.joined([0, 0, 0, 0], [0, 0, 0, 0], secondLength: -1) == nil)
    }

    @Test("of more bytes than memory has follow as well")
    func areJoinedOverLongParts() {
        // A part of 2^40 bytes that are zero, in two ways: as one, and as two halves.
        let sum = ChecksumStream.sum(.crc64nvme, of: [1, 2, 3])
        let zero = [UInt8](repeating: 0, count: 8)
        let half = Checksum.crc64nvme.joined(zero, zero, secondLength: 1 << 39) ?? []
        let once = Checksum.crc64nvme.joined(sum, zero, secondLength: 1 << 40)
        let twice = Checksum.crc64nvme.joined(sum, zero, secondLength: 1 << 39).flatMap {
            Checksum.crc64nvme.joined($0, half, secondLength: 1 << 39)
        }
        #expect(once == twice)
    }

    @Test(
        "come out the same with the processor's instruction and without",
        arguments: [homeport_crc32, homeport_crc32c, homeport_crc64nvme])
    func instructionAgreesWithTable(kind: homeport_crc_kind) {
        let bytes = (0..<777).map { UInt8(truncatingIfNeeded: $0 * 13 + $0 >> 3) }
        for start in 0..<5 {
            for end in start...777 {
                bytes[start..<end].withUnsafeBytes { bytes in
                    let one = homeport_crc(kind, 0x1234_5678, bytes.baseAddress, bytes.count)
                    #expect(one == homeport_crc_by_table(kind, 0x1234_5678, bytes.baseAddress, bytes.count))
                }
            }
        }
    }

    @Test("are read from texts of their own length only")
    func areRead() {
        #expect(Checksum.crc32.bytes(of: "NhCmhg==") == [0x36, 0x10, 0xA6, 0x86])
        #expect(Checksum.text(of: [0x36, 0x10, 0xA6, 0x86]) == "NhCmhg==")
        for text in [
            "", "NhCmhg", "NhCmhg=", "NhCmhg===", "NhCmhh==", "NhCm-g==", "NhCmhgA=", " NhCmhg=", "NhCmhg==\n",
        ] {
            #expect(Checksum.crc32.bytes(of: text) == nil, "\(text)")
        }
        for checksum in Checksum.allCases {
            let sum = ChecksumStream.sum(checksum, of: [1])
            #expect(checksum.bytes(of: Checksum.text(of: sum)) == sum)
        }
    }

    @Test("are found by their names")
    func areFound() {
        for checksum in Checksum.named {
            #expect(Checksum(name: checksum.name) == checksum)
            #expect(Checksum(name: checksum.rawValue) == checksum)
            #expect(Checksum(fieldName: "\(checksum.fieldName)") == checksum)
            #expect(Checksum(fieldName: "\(checksum.fieldName)".uppercased()) == checksum)
            #expect(checksum.elementName == "Checksum\(checksum.name)")
        }
        for name in ["", "md5", "crc", "crc32 ", "x-amz-checksum-", "x-amz-checksum-md5", "content-md5"] {
            #expect(Checksum(name: name) == nil)
            #expect(Checksum(fieldName: name) == nil)
        }
    }

    @Test("of a body are made together, MD5 always")
    func areMadeTogether() {
        let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 * 3) }
        let digests = ContentDigests([.crc32, .sha256])
        digests.update(bytes)
        #expect(digests.byteCount == bytes.count)
        let sums = digests.finish()
        #expect(sums.all.map(\.checksum) == [.crc32, .sha256, .md5])
        for (checksum, sum) in sums.all { #expect(sum == ChecksumStream.sum(checksum, of: bytes)) }
        #expect(sums[.sha1] == nil)
        #expect(sums.md5 == ChecksumStream.sum(.md5, of: bytes))
    }
}
