import Crypto
import Foundation
import JSON

/// Who proves to know a password without sending it, as Cognito's clients do. One for each sign-in.
struct SRPSignIn {
    /// The pool's name behind its region.
    private let group: String
    private let password: String
    private let secret = RandomBytes.make(count: 128)

    init(pool: String, password: String) {
        group = pool.split(separator: "_").last.map(String.init) ?? ""
        self.password = password
    }

    /// `SRP_A`.
    var clientNumber: String { Hexadecimal.text(of: Self.power([2], secret)) }

    /// The answer to the challenge.
    func responses(to parameters: JSONValue) -> JSONObject {
        let user = parameters["USER_ID_FOR_SRP"]?.string ?? ""
        let block = parameters["SECRET_BLOCK"]?.string ?? ""
        let timestamp = Self.timestamp()
        let key = key(of: user, salt: parameters["SALT"]?.string ?? "", parameters["SRP_B"]?.string ?? "")
        let message =
            Array("\(group)\(user)".utf8) + (Base64.bytes(of: block.utf8, .standard) ?? []) + Array(timestamp.utf8)
        let claim = HMACSHA256.code(of: message, key: key)
        return JSONObject([
            ("USERNAME", .string(user)), ("PASSWORD_CLAIM_SECRET_BLOCK", .string(block)),
            ("TIMESTAMP", .string(timestamp)), ("PASSWORD_CLAIM_SIGNATURE", .string(Base64.text(of: claim, .standard))),
        ])
    }

    /// What both sides come to without that it was sent.
    private func key(of user: String, salt: String, _ serverNumber: String) -> [UInt8] {
        let inner = Digest.sha256.of(Array("\(group)\(user):\(password)".utf8))
        let exponent = Digest.sha256.of(Self.hashed(Self.bytes(salt)) + inner)
        let serverNumber = Self.bytes(serverNumber)
        let scrambler = Digest.sha256.of(Self.hashed(Self.power([2], secret)) + Self.hashed(serverNumber))
        let modulus = Self.modulus
        // B - k * g^x: minus one is the last number of the ring.
        let multiplier = Digest.sha256.of(Self.hashed(modulus.bytes) + [2])
        let blind = Self.product(Self.product(multiplier, Self.power([2], exponent)), modulus.bytes.dropLast() + [0xFE])
        let base = modulus.sum(modulus.remainder(of: BigNumber(serverNumber)), BigNumber(blind)).bytes
        // base^(a + u * x)
        let shared = Self.product(
            Self.power(base, secret), Self.power(Self.power(base, scrambler), exponent))
        let extracted = HMACSHA256.code(of: Self.hashed(shared), key: Self.hashed(scrambler))
        return Array(HMACSHA256.code(of: Array("Caldera Derived Key\u{1}".utf8), key: extracted).prefix(16))
    }

    private static let modulus = Modulus.modp3072

    private static func power(_ base: [UInt8], _ exponent: [UInt8]) -> [UInt8] {
        modulus.power(of: BigNumber(base), known: BigNumber(exponent)).bytes
    }

    private static func product(_ left: [UInt8], _ right: [UInt8]) -> [UInt8] {
        modulus.product(modulus.remainder(of: BigNumber(left)), modulus.remainder(of: BigNumber(right))).bytes
    }

    private static func bytes(_ digits: String) -> [UInt8] {
        let digits = Array((digits.utf8.count.isMultiple(of: 2) ? digits : "0" + digits).utf8)
        return stride(from: 0, to: digits.count, by: 2).map {
            UInt8(String(decoding: digits[$0..<$0 + 2], as: UTF8.self), radix: 16) ?? 0
        }
    }

    /// A number as it is hashed: without zeros in front, but for one where its first bit is set.
    private static func hashed(_ number: [UInt8]) -> [UInt8] {
        let number = Array(number.drop { $0 == 0 })
        return (number.first ?? 0) & 0x80 == 0 ? (number.isEmpty ? [0] : number) : [0] + number
    }

    private static func timestamp() -> String {
        let form = DateFormatter()
        form.locale = Locale(identifier: "en_US_POSIX")
        form.timeZone = TimeZone(identifier: "UTC")
        form.dateFormat = "EEE MMM d HH:mm:ss 'UTC' yyyy"
        return form.string(from: Date())
    }
}
