import Testing

@testable import Crypto

@Suite("Keys of passwords")
struct ScryptTests {
    /// Its fourth takes a gigabyte, which is above the limit.
    @Test(
        "keys are those of RFC 7914",
        arguments: [
            (
                "", "", 16, 1, 1,
                """
                77d6576238657b203b19ca42c18a0497f16b4844e3074ae8dfdffa3fede21442\
                fcd0069ded0948f8326a753a0fc81f17e8d3e0fb2e0d3628cf35e20c38d18906
                """
            ),
            (
                "password", "NaCl", 1024, 8, 16,
                """
                fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162\
                2eaf30d92e22a3886ff109279d9830dac727afb94a83ee6d8360cbdfa2cc0640
                """
            ),
            (
                "pleaseletmein", "SodiumChloride", 16384, 8, 1,
                """
                7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2\
                d5432955613f0fcf62d49705242a9af9e61e85dc0d651e40dfcf017b45575887
                """
            ),
        ] as [(String, String, Int, Int, Int, String)])
    func published(row: (password: String, salt: String, n: Int, r: Int, p: Int, key: String)) throws {
        let scrypt = try #require(Scrypt(blocks: row.n, blockSize: row.r, repetitions: row.p))
        let key = scrypt.key(of: Array(row.password.utf8), salt: Array(row.salt.utf8), count: 64)
        #expect(Hexadecimal.text(of: key) == row.key)
    }

    @Test(
        "parameters without sense or above the limits are none",
        arguments: [
            (0, 8, 1), (1, 8, 1), (3, 8, 1), (-2, 8, 1), (16, 0, 1), (16, 8, 0), (16, -1, 1), (16, 1, -1),
            (1 << 18, 8, 1), (1 << 20, 2, 1), (2, 1 << 20, 1), (1 << 17, 8, 5), (2, 1, 1 << 22), (Int.max, 1, 1),
            (1 << 62, 1, 1), (2, Int.max, 1), (2, 1, Int.max), (1 << 22, 1 << 22, 1 << 22), (1 << 16, 1, 1),
        ] as [(Int, Int, Int)])
    func limits(blocks: Int, blockSize: Int, repetitions: Int) {
        #expect(Scrypt(blocks: blocks, blockSize: blockSize, repetitions: repetitions) == nil)
    }

    @Test("what is within the limits is, and the greatest of each makes keys")
    func within() {
        #expect(Scrypt(blocks: 1 << 17, blockSize: 8, repetitions: 4) != nil)
        for (blocks, blockSize, repetitions) in [
            (1 << 17, 8, 1), (2, 1 << 18, 1), (2, 1, 1 << 16), (1 << 15, 1, 1), (1 << 16, 2, 1),
        ] as [(Int, Int, Int)] {
            let scrypt = Scrypt(blocks: blocks, blockSize: blockSize, repetitions: repetitions)
            #expect(scrypt?.key(of: [1], salt: [], count: 8).count == 8)
        }
        #expect(Scrypt.standard == Scrypt(blocks: 1 << 15, blockSize: 8, repetitions: 1))
    }

    @Test("codes with SHA-1 are those of RFC 2202")
    func sha1() {
        for (key, message, code): ([UInt8], String, String) in [
            ([UInt8](repeating: 0x0B, count: 20), "Hi There", "b617318655057264e28bc0b6fb378c8ef146be00"),
            (Array("Jefe".utf8), "what do ya want for nothing?", "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79"),
            ([], "", "fbdb1d1b18aa6c08324b7d64b71fb76370690e1d"),
            (
                [UInt8](repeating: 0xAA, count: 80), "Test Using Larger Than Block-Size Key - Hash Key First",
                "aa4ae5e15272d00e95705637ce8a3b55ed402112"
            ),
        ] {
            #expect(Hexadecimal.text(of: HMACSHA1.code(of: Array(message.utf8), key: key)) == code)
        }
    }

    @Test("text in base32 is that of RFC 4648, without padding")
    func base32() {
        for (bytes, text) in [
            ("", ""), ("f", "MY"), ("fo", "MZXQ"), ("foo", "MZXW6"), ("foob", "MZXW6YQ"), ("fooba", "MZXW6YTB"),
            ("foobar", "MZXW6YTBOI"), ("12345678901234567890", "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"),
        ] {
            #expect(Base32.text(of: Array(bytes.utf8)) == text)
        }
        #expect(Base32.text(of: [UInt8](repeating: 0xFF, count: 20)) == String(repeating: "7", count: 32))
    }
}
