import Testing

@testable import Crypto

@Suite("Digests and text forms")
struct DigestTests {
    static let digests: [(Digest, String, String)] = [
        (.sha256, "abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (.sha256, "", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        (
            .sha384, "abc",
            "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7"
        ),
        (
            .sha512, "abc",
            "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
                + "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"
        ),
    ]

    @Test("digests are those of the standard's examples", arguments: digests.indices)
    func digest(row: Int) {
        let (digest, message, expected) = Self.digests[row]
        #expect(Hexadecimal.text(of: digest.of(Array(message.utf8))) == expected)
    }

    @Test("each byte has two digits, wherever it stands")
    func digits() {
        let bytes = Array(UInt8.min...UInt8.max)
        for start in 0..<9 {
            for end in [start, start + 1, start + 3, start + 4, start + 7, start + 8, start + 31, bytes.count] {
                let part = Array(bytes[start..<end])
                let digits = part.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
                #expect(Hexadecimal.text(of: part) == digits)
                #expect(Hexadecimal.bytes(of: digits.utf8) == part)
            }
        }
    }

    static let texts: [(bytes: String, standard: String, url: String)] = [
        ("", "", ""), ("f", "Zg==", "Zg"), ("fo", "Zm8=", "Zm8"), ("foo", "Zm9v", "Zm9v"),
        ("foobar", "Zm9vYmFy", "Zm9vYmFy"),
        ("\u{3FF}\u{3FE}", "z7/Pvg==", "z7_Pvg"),
    ]

    @Test("base64 is written and read in both forms", arguments: texts.indices)
    func base64(row: Int) {
        let (text, standard, url) = Self.texts[row]
        let bytes = Array(text.utf8)
        #expect(Base64.text(of: bytes, .standard) == standard)
        #expect(Base64.text(of: bytes, .url) == url)
        #expect(Base64.bytes(of: standard.utf8, .standard) == bytes)
        #expect(Base64.bytes(of: url.utf8, .url) == bytes)
    }

    @Test(
        "bytes have one text: what is written otherwise is refused",
        arguments: ["Z", "Zh", "Zg=", "Zm9=", "Zm+v", "Z g", "Zg=="])
    func refuses(text: String) {
        #expect(Base64.bytes(of: text.utf8, .url) == nil)
    }

    @Test("the standard form refuses wrong padding", arguments: ["Zg=", "Zg===", "Z===", "=", "Zg==Zg==", "Zm9v===="])
    func padding(text: String) {
        #expect(Base64.bytes(of: text.utf8, .standard) == nil)
    }

    @Test("secrets are compared as a whole")
    func constantTime() {
        #expect(ConstantTime.areEqual("secret", "secret"))
        for other in ["", "secre", "secrets", "Secret", "secreT"] { #expect(!ConstantTime.areEqual("secret", other)) }
    }
}

@Suite("Signatures")
struct SignatureTests {
    private static let rsa = PrivateKey.makeRSA()
    private static let p256 = PrivateKey.makeP256()
    private let message = Array("a message".utf8)

    @Test("a signature is good for its message, key and algorithm only", arguments: SignatureAlgorithm.allCases)
    func verifies(algorithm: SignatureAlgorithm) throws {
        let key = algorithm.curve == nil ? Self.rsa : Self.p256
        guard algorithm != .es384 else {
            #expect(key.signature(of: message, by: algorithm) == nil)
            return
        }
        let signature = try #require(key.signature(of: message, by: algorithm))
        let other = algorithm.curve == nil ? PrivateKey.makeRSA() : PrivateKey.makeP256()
        for position in [0, signature.count / 2, signature.count - 1] {
            var changed = signature
            changed[position] ^= 1
            #expect(!key.publicKey.verifies(changed, of: message, by: algorithm))
        }
        #expect(!key.publicKey.verifies(signature, of: message + [0], by: algorithm))
        #expect(!key.publicKey.verifies([], of: message, by: algorithm))
        #expect(!key.publicKey.verifies(signature.dropLast(), of: message, by: algorithm))
        #expect(!other.publicKey.verifies(signature, of: message, by: algorithm))
        for another in SignatureAlgorithm.allCases where another != algorithm {
            #expect(!key.publicKey.verifies(signature, of: message, by: another))
        }
        #expect(key.publicKey.verifies(signature, of: message, by: algorithm))
    }

    @Test("an RSA key of its numbers verifies, and sizes out of bounds are refused")
    func rsaNumbers() throws {
        let numbers = try #require(Self.rsa.publicKey.rsaNumbers)
        let signature = try #require(Self.rsa.signature(of: message, by: .rs256))
        #expect(PublicKey(rsaModulus: numbers.modulus, exponent: numbers.exponent, bits: 3072...4096) == nil)
        #expect(PublicKey(rsaModulus: [], exponent: numbers.exponent, bits: 0...4096) == nil)
        for exponent: [UInt8] in [[], [1], [0], [2], [1, 0]] {
            #expect(PublicKey(rsaModulus: numbers.modulus, exponent: exponent, bits: 2048...4096) == nil)
        }
        let key = try #require(
            PublicKey(rsaModulus: [0] + numbers.modulus, exponent: numbers.exponent, bits: 2048...4096))
        #expect(key.verifies(signature, of: message, by: .rs256))
    }

    @Test("a point that is not on the curve is no key")
    func curve() {
        let bytes = [UInt8](repeating: 7, count: 32)
        #expect(PublicKey(.p256, x: bytes, y: bytes) == nil)
        #expect(PublicKey(.p256, x: [], y: bytes) == nil)
    }

    @Test("the example of RFC 7515, appendix A.3, verifies")
    func publishedExample() throws {
        let x = try #require(Base64.bytes(of: "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU".utf8))
        let y = try #require(Base64.bytes(of: "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0".utf8))
        let key = try #require(PublicKey(.p256, x: x, y: y))
        let signed =
            "eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ"
        let signature = try #require(
            Base64.bytes(
                of: "DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q".utf8))
        #expect(!key.verifies(signature, of: Array("x\(signed)".utf8), by: .es256))
        #expect(key.verifies(signature, of: Array(signed.utf8), by: .es256))
    }

    @Test("a key that was written is read again")
    func pem() throws {
        let pem = Self.rsa.pem
        #expect(PrivateKey(pem: Array("no key".utf8)) == nil)
        #expect(PrivateKey(pem: []) == nil)
        let read = try #require(PrivateKey(pem: pem))
        let signature = try #require(read.signature(of: message, by: .rs512))
        #expect(Self.rsa.publicKey.verifies(signature, of: message, by: .rs512))
    }

    static let codes: [(key: [UInt8], message: String, code: String)] = [
        (
            [UInt8](repeating: 0x0B, count: 20), "Hi There",
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
        ),
        (
            Array("Jefe".utf8), "what do ya want for nothing?",
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        ),
        (
            [UInt8](repeating: 0xAA, count: 131), "Test Using Larger Than Block-Size Key - Hash Key First",
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
        ),
    ]

    @Test("codes are those of RFC 4231, made at once, with a key that is kept, and in pieces", arguments: codes)
    func messageCodes(key: [UInt8], message: String, code: String) {
        let (bytes, kept) = (Array(message.utf8), HMACKey(key))
        for found in [
            HMACSHA256.code(of: bytes, key: key), kept.code(of: bytes), kept.code(of: bytes),
            kept.code(of: Array(bytes.prefix(5)), [], Array(bytes.dropFirst(5))),
        ] {
            #expect(found.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined() == code)
        }
    }

    @Test("a digest of pieces is that of the whole, wherever they part")
    func runningDigest() {
        let message = (0..<200).map { UInt8($0) }
        let whole = Digest.sha256.of(message)
        #expect(Hexadecimal.text(of: Digest.sha256.of(Array("abc".utf8))).hasPrefix("ba7816bf8f01cfea414140de5dae2223"))
        for place in 0...message.count {
            var digest = RunningSHA256()
            digest.add(Array(message[..<place]))
            digest.add([])
            digest.add(Array(message[place...]))
            #expect(digest.end() == whole)
        }
    }

    @Test("a pool hands out no bytes twice")
    func randomPool() {
        var pool = RandomPool()
        let taken = (0..<500).map { _ in pool.take(16) }
        #expect(taken.allSatisfy { $0.count == 16 })
        #expect(Set(taken).count == taken.count)
        #expect(pool.take(5000).count == 5000)
    }
}
