import Crypto
import Foundation
import JSON
import TestSupport
import Testing

@testable import UserPool

@Suite("Sign-in by SRP")
struct SRPTests {
    private static func digest(_ number: SRPNumber) -> String { Hexadecimal.text(of: Digest.sha256.of(number.padded)) }

    private static func digest(_ digits: String) -> String {
        Hexadecimal.text(of: Digest.sha256.of(bytes(padded(digits))))
    }

    private static func secret(_ digits: String) -> [UInt8] {
        bytes(String(repeating: "0", count: 64 - digits.count) + digits)
    }

    @Test("what clients were seen to prove is accepted, number by number", arguments: 0..<59)
    func vectors(row: Int) throws {
        let vector = ProofVectors.all.srp[row]
        let identity = SRPIdentity(poolName: vector.text("group"), userID: vector.text("user"))
        let verifier = SRPVerifier(
            password: vector.text("password"), of: identity, salt: bytes(vector.text("salt")))
        let exponent = SRPVerifier.exponent(
            of: vector.text("password"), identity, salt: SRPNumber(bytes(vector.text("salt"))))
        #expect(digits(of: exponent) == vector.text("x"))
        #expect(Self.digest(SRPNumber(verifier.number)) == vector.text("v"))
        #expect(verifier.accepts(password: vector.text("password"), of: identity))
        #expect(SRPVerifier(salt: verifier.salt, number: verifier.number) == verifier)

        let a = Modulus.modp3072.power(of: BigNumber([2]), known: BigNumber(bytes(vector.text("a"))))
        let clientNumber = try #require(SRPClientNumber(digits(of: a.bytes)))
        #expect(Self.digest(clientNumber.number) == vector.text("A"))
        let begun = try #require(
            SRPExchange.begin(with: clientNumber, verifier: verifier, secret: Self.secret(vector.text("b"))))
        #expect(Self.digest(begun.serverNumber) == vector.text("B"))
        #expect(Self.digest(begun.serverNumber.hexadecimal) == vector.text("B"))
        let shared = SRPGroup.cognito.sharedNumber(
            clientNumber: clientNumber.number, verifier: verifier.number, scrambler: bytes(vector.text("u")),
            secret: bytes(vector.text("b")))
        #expect(Self.digest(shared) == vector.text("S"))

        let exchange = try #require(SRPExchange(bytes: begun.exchange.bytes))
        #expect(Hexadecimal.text(of: exchange.key(for: verifier)) == vector.text("key"))
        let block = try #require(Base64.bytes(of: vector.text("secretBlock").utf8, .standard))
        let claim = try #require(Base64.bytes(of: vector.text("claim").utf8, .standard))
        let isAccepted = exchange.accepts(
            claim: claim, of: identity, verifier: verifier, secretBlock: block, timestamp: vector.text("timestamp"))
        #expect(isAccepted)
    }

    static let published = [
        (
            salt: "1f2e3d4c5b6a79880102030405060708", key: "0b81e18f7213c6774aae16e029aac29e",
            v: "d6be50927bf145c2a75bcf0ae1e68b8cfdd897119ea86f7ab266ac69d4dd7b12",
            b: "53ae631fca5fa30eee37aba556a9696dd8d08bebbe6958e9043c24d6a4572ed5",
            claim: "amzUegaSXfXVW1XoOcRkOs+XL9qCfZogpKyBT2MyMCs="
        ),
        (
            salt: "9f2e3d4c5b6a79880102030405060708", key: "17ea51a7bf85ea1c2bbba660558262de",
            v: "d7d2bbfd4ee11c7f9622b4d9d137056576dc52fc81b4916efe211cc2f0c1f34e",
            b: "ead3fb232102f8f324f4ad2af443d09c6c7c640e25c36a8cb014d971803fc812",
            claim: "5XzZ7MJdjLPu5d3gRHUMZSZWWyJ6Mlz/IrRIRk2Q4zQ="
        ),
    ]

    @Test("a sign-in as pycognito counts it comes out, and nothing of it may differ", arguments: published.indices)
    func everyPartCounts(row: Int) throws {
        let (salt, key, v, b, claim) = Self.published[row]
        let identity = SRPIdentity(poolName: "abcDEF123", userID: "alice")
        let verifier = SRPVerifier(password: "Str0ng!Passw0rd", of: identity, salt: bytes(salt))
        #expect(verifier.saltText == salt)
        #expect(Self.digest(SRPNumber(verifier.number)) == v)
        let client = ReferenceClient(
            arithmetic: .own, group: "abcDEF123", user: "alice", password: "Str0ng!Passw0rd",
            secret: "60975527035cf2ad1989806f0407210bc81edc04e2762a56afd529ddda2d4393")
        let clientNumber = try #require(SRPClientNumber(client.clientNumber))
        let secret = bytes("e487cb59d31ac550471e81f00f6928e01dda08e974a004f49e61f5d105284d20")
        let (exchange, serverNumber) = try #require(
            SRPExchange.begin(with: clientNumber, verifier: verifier, secret: secret))
        #expect(Self.digest(serverNumber) == b)
        let (block, time) = ([UInt8](0..<32), "Sat Nov 21 08:05:09 UTC 2026")
        let proof = client.proof(
            clientNumber: client.clientNumber, salt: salt, serverNumber: serverNumber.hexadecimal, secretBlock: block,
            timestamp: time)
        #expect(Hexadecimal.text(of: proof.key) == key)
        #expect(Base64.text(of: proof.claim, .standard) == claim)

        func accepts(
            _ claim: [UInt8] = proof.claim, exchange: SRPExchange = exchange, of identity: SRPIdentity = identity,
            verifier: SRPVerifier = verifier, block: [UInt8] = block, time: String = time
        ) -> Bool {
            exchange.accepts(claim: claim, of: identity, verifier: verifier, secretBlock: block, timestamp: time)
        }
        #expect(accepts())
        #expect(!accepts([]))
        #expect(!accepts(proof.claim.dropLast()))
        #expect(!accepts(proof.claim + [0]))
        #expect(!accepts(proof.claim.dropLast() + [proof.claim[31] ^ 1]))
        #expect(!accepts(of: SRPIdentity(poolName: "abcDEF123", userID: "Alice")))
        #expect(!accepts(of: SRPIdentity(poolName: "abcDEF124", userID: "alice")))
        #expect(!accepts(verifier: SRPVerifier(password: "str0ng!Passw0rd", of: identity, salt: bytes(salt))))
        #expect(!accepts(block: block.dropLast() + [0]))
        #expect(!accepts(time: "Sat Nov 21 08:05:10 UTC 2026"))
        var changed = exchange.bytes
        for index in [0, 31, 32, 63, 64, changed.count - 1] {
            changed[index] ^= 1
            #expect(try !accepts(exchange: #require(SRPExchange(bytes: changed))), "\(index)")
            changed[index] ^= 1
        }
        #expect(try accepts(exchange: #require(SRPExchange(bytes: changed))))
    }

    @Test("bytes that are no exchange make none")
    func exchangeBytes() {
        let head = [UInt8](repeating: 1, count: 64)
        for bytes in [[], Array(head.dropLast()), head, head + [0], head + Modulus.modp3072.bytes] {
            #expect(SRPExchange(bytes: bytes) == nil)
        }
        #expect(SRPExchange(bytes: head + [UInt8](repeating: 1, count: 385)) == nil)
        #expect(SRPExchange(bytes: head + [1]) != nil)
    }

    static let numbers: [(String, Bool)] =
        ProofVectors.all.illegalNumbers.map { ($0, false) } + [
            ("", false), ("00", false), ("+1", false), ("-1", false), (" 1", false), ("1 ", false), ("1\n", false),
            ("0x1", false), ("1g", false), ("1_0", false), ("1٠", false), ("１", false), ("\u{0}", false),
            ("1\u{0}", false), (String(repeating: "0", count: 768), false), (String(repeating: "1", count: 769), false),
            (String(repeating: "0", count: 768) + "1", false), ("1", true), ("2", true), ("aF", true), ("abc", true),
            ("0001", true), (String(repeating: "1", count: 768), true), (String(repeating: "f", count: 768), true),
            (String(repeating: "0", count: 767) + "1", true), (digits(of: Modulus.modp3072.bytes.dropLast()), true),
        ]

    @Test("a client's number is 1 to 768 hexadecimal digits and leaves a remainder", arguments: numbers.indices)
    func clientNumbers(row: Int) {
        let (text, isLegal) = Self.numbers[row]
        #expect((SRPClientNumber(text) != nil) == isLegal, "\(text)")
        #expect((SRPClientNumber(text.uppercased()) != nil) == isLegal, "\(text)")
    }

    static let forms: [(bytes: [UInt8], padded: [UInt8], digits: String)] = [
        ([], [0], "0"), ([0, 0], [0], "0"), ([1], [1], "1"), ([0x7F], [0x7F], "7f"), ([0x80], [0, 0x80], "80"),
        ([0, 0x0A, 0], [0x0A, 0], "a00"), ([0, 0, 0xFF, 1], [0, 0xFF, 1], "ff01"),
    ]

    @Test("numbers are hashed in the shortest form with a sign, and sent without zeros in front", arguments: forms)
    func padding(bytes: [UInt8], padded: [UInt8], digits: String) {
        let number = SRPNumber(bytes)
        #expect(number.padded == padded)
        #expect(number.hexadecimal == digits)
        #expect(SRPNumber(hexadecimal: digits, digitsMax: 8) == number)
        #expect(SRPNumber(hexadecimal: "00" + digits.uppercased(), digitsMax: 8) == number)
    }

    @Test("the group is that of Cognito's clients")
    func group() {
        let group = SRPGroup.cognito
        #expect(group.modulus.bytes == ReferenceClient.Arithmetic.modulus)
        #expect(
            Hexadecimal.text(of: group.multiplier) == "538282c4354742d7cbbde2359fcf67f9f5b3a6b08791e5011b43b8a5b66d9ee6"
        )
    }

    @Test("the numbers of RFC 5054, appendix B, come out in its group")
    func publishedNumbers() throws {
        let modulus = try #require(
            Modulus(
                bytes(
                    """
                    eeaf0ab9adb38dd69c33f80afa8fc5e86072618775ff3c0b9ea2314c9c256576d674df7496ea81d3383b4813d692c6e0\
                    e0d5d8e250b98be48e495c1d6089dad15dc7d7b46154d6b6ce8ef4ad69b15d4982559b297bcf1885c529f566660e57ec\
                    68edbc3c05726cc02fd4cbf4976eaa9afd5138fe8376435b9fc61d2fc0eb06e3
                    """)))
        let group = try #require(
            SRPGroup(modulus: modulus, generator: [2], multiplier: bytes("7556aa045aef2cdd07abaf0f665c3e818913186f")))
        let verifier = group.verifier(of: bytes("94b7555aabe9127cc58ccf4993db6cf84d16c124"))
        #expect(
            digits(of: verifier) == """
                7e273de8696ffc4f4e337d05b4b375beb0dde1569e8fa00a9886d8129bada1f1822223ca1a605b530e379ba4729fdc59\
                f105b4787e5186f5c671085a1447b52a48cf1970b4fb6f8400bbf4cebfbb168152e08ab5ea53d15c1aff87b2b9da6e04\
                e058ad51cc72bfc9033b564e26480d78e955a5e29e7ab245db2be315e2099afb
                """)
        let secret = bytes("e487cb59d31ac550471e81f00f6928e01dda08e974a004f49e61f5d105284d20")
        #expect(
            group.serverNumber(verifier: verifier, secret: secret).hexadecimal == """
                bd0c61512c692c0cb6d041fa01bb152d4916a1e77af46ae105393011baf38964dc46a0670dd125b95a981652236f99d9\
                b681cbf87837ec996c6da04453728610d0c6ddb58b318885d7d82c7f8deb75ce7bd4fbaa37089e6f9c6059f388838e7a\
                00030b331eb76840910440b1b27aaeaeeb4012b7d7665238a8e3fb004b117b58
                """)
        let clientNumber = SRPNumber(
            bytes(
                """
                61d5e490f6f1b79547b0704c436f523dd0e560f0c64115bb72557ec44352e8903211c04692272d8b2d1a5358a2cf1b6e\
                0bfcf99f921530ec8e39356179eae45e42ba92aeaced825171e1e8b9af6d9c03e1327f44be087ef06530e69f66615261\
                eef54073ca11cf5858f0edfdfe15efeab349ef5d76988a3672fac47b0769447b
                """))
        let shared = group.sharedNumber(
            clientNumber: clientNumber, verifier: verifier,
            scrambler: bytes("ce38b9593487da98554ed47d70a7ae5f462ef019"), secret: secret)
        #expect(
            shared.hexadecimal == """
                b0dc82babcf30674ae450c0287745e7990a3381f63b387aaf271a10d233861e359b48220f7c4693c9ae12b0a6f67809f\
                0876e2d013800d6c41bb59b6d5979b5c00a172b4a2a5903a0bdcaf8a709585eb2afafa8f3499b200210dcc1f10eb3394\
                3cd67fc88a2f39a4be5bec4ec0a3212dc346d7e474b29ede8a469ffeca686e5a
                """)
    }

    @Test("a device's verifier is taken as the client made it", arguments: ProofVectors.all.deviceVerifiers.indices)
    func deviceVerifiers(row: Int) throws {
        let vector = ProofVectors.all.deviceVerifiers[row]
        let salt = try #require(Base64.bytes(of: vector.text("salt").utf8, .standard))
        let number = try #require(Base64.bytes(of: vector.text("verifier").utf8, .standard))
        let verifier = try #require(SRPVerifier(salt: salt, number: number))
        let identity = SRPIdentity(deviceGroupKey: vector.text("group"), deviceKey: vector.text("device"))
        let exponent = SRPVerifier.exponent(of: vector.text("password"), identity, salt: SRPNumber(salt))
        #expect(digits(of: exponent) == vector.text("x"))
        #expect(verifier.accepts(password: vector.text("password"), of: identity))
        #expect(!verifier.accepts(password: vector.text("password") + " ", of: identity))
        #expect(SRPVerifier(password: vector.text("password"), of: identity, salt: salt) == verifier)
    }

    @Test("numbers and salts that prove nothing are no verifier")
    func badVerifiers() {
        let modulus = Modulus.modp3072.bytes
        let greatest = modulus.dropLast() + [modulus[383] - 1]
        for number: [UInt8] in [[], [0], [1], [0, 1], modulus, Array(greatest), [1] + modulus, [2] + modulus + [0]] {
            #expect(SRPVerifier(salt: [1], number: number) == nil, "\(number.count)")
        }
        for salt in [[], [0], [0, 0], [UInt8](repeating: 1, count: SRPVerifier.saltBytesMax + 1)] {
            #expect(SRPVerifier(salt: salt, number: [2]) == nil)
        }
        let verifier = SRPVerifier(salt: [0, 1, 0], number: [0, 2])
        #expect(verifier?.salt == [1, 0])
        #expect(verifier?.saltText == "0100")
        #expect(verifier?.number == [UInt8](repeating: 0, count: 383) + [2])
    }

    @Test("new salts are random and do not begin with zero")
    func salts() {
        let identity = SRPIdentity(poolName: "p", userID: "u")
        let salts = (0..<20).map { _ in SRPVerifier(password: "p", of: identity).salt }
        #expect(Set(salts).count == salts.count)
        #expect(salts.allSatisfy { $0.count == 16 && $0[0] != 0 })
    }

    @Test("somebody who is not there has the same stand-in each time, as long as others', which no password makes")
    func standIns() {
        let identity = SRPIdentity(poolName: "p", userID: "nobody")
        let standIn = SRPVerifier.standIn(for: "nobody", secret: [1])
        #expect(standIn == SRPVerifier.standIn(for: "nobody", secret: [1]))
        #expect(standIn != SRPVerifier.standIn(for: "nobody", secret: [2]))
        for index in 0..<1000 {
            let other = SRPVerifier.standIn(for: "nobody \(index)", secret: [1])
            #expect(other.salt.count == 16 && other.salt[0] != 0 && other.number.count == 384)
            #expect(other.salt != standIn.salt && other.number != standIn.number)
        }
        #expect(!standIn.accepts(password: "", of: identity))
        #expect(SRPVerifier(salt: standIn.salt, number: standIn.number) == standIn)
    }

    @Test("the secret is another one each time")
    func secrets() throws {
        let verifier = SRPVerifier.standIn(for: "a", secret: [1])
        let clientNumber = try #require(SRPClientNumber("2"))
        for secret in [[], [UInt8](repeating: 1, count: 31), [UInt8](repeating: 1, count: 33)] {
            #expect(SRPExchange.begin(with: clientNumber, verifier: verifier, secret: secret) == nil)
        }
        let begun = (0..<20).map { _ in SRPExchange.begin(with: clientNumber, verifier: verifier) }
        #expect(Set(begun.map { $0.serverNumber.bytes }).count == 20)
        #expect(Set(begun.map { Array($0.exchange.bytes.prefix(32)) }).count == 20)
    }
}

@Suite("Sign-in by SRP, random pairs")
struct SRPFuzzTests {
    /// Many clients with the arithmetic of OpenSSL; a few with one of their own, which takes a hundred times as long.
    @Test("client and server agree", arguments: 0..<2)
    func agree(half: Int) throws {
        var random = SeededRandom(seed: SeededRandom.seed(test: "SRPFuzzTests") &+ UInt64(half))
        let rounds = max(1, min(Fuzz.rounds(ordinarily: 200), 10_000) / 2)
        var user = RandomUser(random: &random)
        for round in 0..<rounds {
            if round.isMultiple(of: 20) { user = RandomUser(random: &random) }
            try user.signIn(arithmetic: round < 2 ? .own : .fast, random: &random)
        }
    }

    private struct RandomUser {
        let group: String
        let name: String
        let password: String
        let salt: [UInt8]
        let verifier: SRPVerifier
        let identity: SRPIdentity

        init(random: inout SeededRandom) {
            group = Self.text(1...12, &random)
            name = Self.text(1...40, &random)
            password = Self.text(0...40, &random)
            salt = (0..<Int.random(in: 1...20, using: &random)).map { index in
                UInt8.random(in: (index == 0 ? 1 : 0)...255, using: &random)
            }
            identity = SRPIdentity(poolName: group, userID: name)
            verifier = SRPVerifier(password: password, of: identity, salt: salt)
        }

        /// Of one to four bytes a character.
        private static func text(_ counts: ClosedRange<Int>, _ random: inout SeededRandom) -> String {
            let ranges: [ClosedRange<UInt32>] = [
                0x20...0x7E, 0x20...0x7E, 0xA0...0x7FF, 0x800...0xD7FF, 0x10000...0x1FFFF,
            ]
            var text = ""
            for _ in 0..<Int.random(in: counts, using: &random) {
                let range = ranges[Int.random(in: 0..<ranges.count, using: &random)]
                text.unicodeScalars.append(Unicode.Scalar(UInt32.random(in: range, using: &random)) ?? "x")
            }
            return text
        }

        func signIn(arithmetic: ReferenceClient.Arithmetic, random: inout SeededRandom) throws {
            func bytes(_ counts: ClosedRange<Int>) -> [UInt8] {
                (0..<Int.random(in: counts, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
            }
            let client = ReferenceClient(
                arithmetic: arithmetic, group: group, user: name, password: password,
                secret: digits(of: [UInt8.random(in: 2...255, using: &random)] + bytes(0...40)))
            let clientNumber = client.clientNumber
            let number = try #require(SRPClientNumber(clientNumber))
            let secret = bytes(32...32)
            let (exchange, serverNumber) = try #require(
                SRPExchange.begin(with: number, verifier: verifier, secret: secret))
            let (block, time) = (bytes(0...600), "Sat Nov 7 08:05:09 UTC 2026")
            let proof = client.proof(
                clientNumber: clientNumber, salt: Hexadecimal.text(of: salt), serverNumber: serverNumber.hexadecimal,
                secretBlock: block, timestamp: time, verifier: arithmetic.isFast ? verifier.number : nil)
            let isAccepted = exchange.accepts(
                claim: proof.claim, of: identity, verifier: verifier, secretBlock: block, timestamp: time)
            #expect(isAccepted, "a = \(client.secret), b = \(secret), salt = \(salt), \(password.debugDescription)")
        }
    }
}
