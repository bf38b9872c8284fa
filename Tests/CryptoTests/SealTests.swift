import Testing

@testable import Crypto

@Suite("Sealed bytes")
struct SealTests {
    private let seal = Seal(key: RandomBytes.make(count: 32))

    @Test(
        "what is sealed opens for its purpose, under its key, of every size", arguments: [0, 1, 15, 16, 17, 448, 5000])
    func opens(count: Int) {
        let plain = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
        let sealed = seal.seal(plain, for: [1, 2])
        #expect(sealed.count == count + Seal.extraBytes)
        #expect(seal.open(sealed, for: [1, 2]) == plain)
        #expect(seal.open(sealed, for: [1]) == nil)
        #expect(seal.open(sealed, for: [1, 2, 0]) == nil)
        #expect(seal.open(sealed, for: []) == nil)
        #expect(Seal(key: RandomBytes.make(count: 32)).open(sealed, for: [1, 2]) == nil)
        #expect(seal.seal(plain, for: [1, 2]) != sealed)
        #expect(count < 15 || !sealed.contains(plain))
    }

    @Test("no byte of it may be changed, missing or too many")
    func changes() {
        let sealed = seal.seal([1, 2, 3, 4, 5], for: [])
        for index in sealed.indices {
            for bit in 0..<8 {
                var changed = sealed
                changed[index] ^= 1 << bit
                #expect(seal.open(changed, for: []) == nil, "\(index)")
            }
            #expect(seal.open(sealed.prefix(index), for: []) == nil)
            #expect(seal.open(sealed[index...].dropFirst(), for: []) == nil)
        }
        #expect(seal.open(sealed + [0], for: []) == nil)
        #expect(seal.open([0] + sealed, for: []) == nil)
        #expect(seal.open([], for: []) == nil)
        #expect(seal.open(sealed, for: []) == [1, 2, 3, 4, 5])
    }

    @Test("a purpose does not run into the bytes")
    func purpose() {
        #expect(seal.open(seal.seal([], for: [1]), for: []) == nil)
        #expect(seal.open(seal.seal([1], for: []), for: [1]) == nil)
    }

    @Test("the limit is sealed and opened, and no byte more is opened")
    func limit() {
        let most = [UInt8](repeating: 7, count: Seal.bytesMax)
        let sealed = seal.seal(most, for: [])
        #expect(seal.open(sealed, for: [])?.count == Seal.bytesMax)
        #expect(seal.open(sealed + [0], for: []) == nil)
    }

    /// Test case 15 of the paper on GCM that SP 800-38D refers to, and case 16's beginning with data beside it.
    @Test("it is AES-256 with GCM")
    func published() throws {
        let bytes = { (text: String) in Hexadecimal.bytes(of: text.utf8) ?? [] }
        let seal = Seal(key: bytes("feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308"))
        let plain = bytes(
            """
            d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72\
            1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39
            """)
        let sealed = bytes(
            """
            cafebabefacedbaddecaf888\
            522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa\
            8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662\
            76fc6ece0f4e1768cddf8853bb2d551b
            """)
        #expect(seal.open(sealed, for: bytes("feedfacedeadbeeffeedfacedeadbeefabaddad2")) == plain)
        #expect(seal.open(sealed, for: []) == nil)
    }
}
