import Crypto
import JSON

/// The codes that an authenticator app shows, each for thirty seconds (TOTP, RFC 6238): six digits of a code under a secret that
/// app and server share.
package struct OneTimeCode: Sendable {
    private let secret: [UInt8]

    package static let secretBytes = 20
    private static let stepSeconds: Int64 = 30
    /// How many steps the app's clock may be off.
    private static let window: Int64 = 1
    private static let digits = 6

    package init(secret: [UInt8]) {
        self.secret = secret
    }

    package static func makeSecret() -> [UInt8] { RandomBytes.make(count: secretBytes) }

    /// The secret as people type it into an app.
    package var secretText: String { Base32.text(of: secret) }

    /// The number of the step whose code this is: the one of now, or one beside it. Nil for a wrong code, and for the code of a
    /// step that is not after the last one that was accepted: the caller keeps the answer, and asks with it the next time.
    ///
    /// All steps are looked at, whichever fits: the time tells nothing.
    package func step(of code: String, at now: Timestamp, after last: Int64?) -> Int64? {
        let code = Array(code.utf8.prefix(Self.digits + 1))
        guard code.count == Self.digits, code.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains),
            now.seconds >= 0
        else { return nil }
        let current = now.seconds / Self.stepSeconds
        var found: Int64?
        for step in max(0, current - Self.window)...current + Self.window {
            // Where two steps have one code the later counts, or it would be good twice.
            if ConstantTime.areEqual(self.code(of: step), code), step > last ?? -1 { found = step }
        }
        return found
    }

    /// The six digits of a step (HOTP, RFC 4226).
    func code(of step: Int64) -> [UInt8] {
        let message = withUnsafeBytes(of: step.bigEndian) { Array($0) }
        let code = HMACSHA1.code(of: message, key: secret)
        let start = Int(code[HMACSHA1.count - 1] & 15)
        var number = code[start..<start + 4].reduce(0) { $0 << 8 | UInt32($1) } & 0x7FFF_FFFF
        var digits: [UInt8] = []
        for _ in 0..<Self.digits {
            digits.append(UInt8(ascii: "0") + UInt8(number % 10))
            number /= 10
        }
        return digits.reversed()
    }
}
