import Crypto
import JSON
import Testing

@testable import UserPool

@Suite("Codes of authenticator apps")
struct OneTimeCodeTests {
    @Test("codes that apps showed are accepted, and what was refused is", arguments: 0..<11)
    func vectors(row: Int) throws {
        let vector = ProofVectors.all.totp[row]
        let (seconds, step) = try (#require(vector["time"]?.integer), #require(vector["counter"]?.integer))
        let codes = OneTimeCode(secret: Self.secret(vector.text("secret")))
        #expect(codes.secretText == vector.text("secret"))
        let now = Timestamp(seconds: seconds)
        #expect(codes.step(of: vector.text("code"), at: now, after: nil) == step)
        #expect(codes.step(of: vector.text("code"), at: now, after: step - 1) == step)
        #expect(codes.step(of: vector.text("code"), at: now, after: step) == nil)
        if let refused = vector["refused"]?.string { #expect(codes.step(of: refused, at: now, after: nil) == nil) }
    }

    private let codes = OneTimeCode(secret: Array("12345678901234567890".utf8))

    private func code(_ step: Int64) -> String { String(decoding: codes.code(of: step), as: UTF8.self) }

    @Test("the codes of RFC 4226 are those of the first steps")
    func published() {
        let published = [
            "755224", "287082", "359152", "969429", "338314", "254676", "287922", "162583", "399871", "520489",
        ]
        #expect((0..<10).map { code($0) } == published)
    }

    @Test("the step before and the one after count, none beyond, and each once")
    func window() {
        for second: Int64 in [3000, 3029] {
            let now = Timestamp(seconds: second)
            for step: Int64 in 95...105 {
                let isNear = (99...101).contains(step)
                #expect(codes.step(of: code(step), at: now, after: nil) == (isNear ? step : nil))
                #expect(codes.step(of: code(step), at: now, after: 100) == (step == 101 ? step : nil))
            }
        }
        #expect(codes.step(of: code(0), at: Timestamp(seconds: 0), after: nil) == 0)
        #expect(codes.step(of: code(0), at: Timestamp(seconds: 0), after: 0) == nil)
        #expect(codes.step(of: code(0), at: Timestamp(seconds: -1), after: nil) == nil)
    }

    @Test("a code is six digits and nothing else")
    func form() {
        let now = Timestamp(seconds: 30)
        #expect(codes.step(of: "287082", at: now, after: nil) == 1)
        for other in [
            "", "28708", "2870820", "0287082", " 287082", "287082 ", "287 082", "287082\n", "+87082", "28708٢",
            "２87082",
            "28708a", "287082\u{0}", "\u{0}87082", String(repeating: "287082", count: 1000),
        ] {
            #expect(codes.step(of: other, at: now, after: nil) == nil, "\(other)")
        }
    }

    @Test("where two steps have one code it is good for the later, and so only once")
    func twins() {
        let secret: UInt32 = 369_760
        let codes = OneTimeCode(secret: withUnsafeBytes(of: secret.littleEndian) { Array($0) })
        #expect(codes.code(of: 100) == codes.code(of: 101))
        let code = String(decoding: codes.code(of: 100), as: UTF8.self)
        #expect(codes.step(of: code, at: Timestamp(seconds: 3000), after: nil) == 101)
        #expect(codes.step(of: code, at: Timestamp(seconds: 3000), after: 100) == 101)
        #expect(codes.step(of: code, at: Timestamp(seconds: 3000), after: 101) == nil)
    }

    @Test("secrets are random and of 160 bits")
    func secrets() {
        let secrets = (0..<20).map { _ in OneTimeCode.makeSecret() }
        #expect(Set(secrets).count == 20 && secrets.allSatisfy { $0.count == 20 })
    }

    private static func secret(_ text: String) -> [UInt8] {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")
        var bits: [Bool] = []
        for character in text {
            let value = alphabet.firstIndex(of: character) ?? 0
            bits += (0..<5).map { value >> (4 - $0) & 1 == 1 }
        }
        return stride(from: 0, to: bits.count / 8 * 8, by: 8).map { start in
            bits[start..<start + 8].reduce(0) { $0 << 1 | ($1 ? 1 : 0) }
        }
    }
}
