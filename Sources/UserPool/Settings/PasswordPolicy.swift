import Crypto
import JSON

/// What a password must have.
package struct PasswordPolicy: Sendable, Equatable {
    package var lengthMin = 8
    package var needsUppercase = true
    package var needsLowercase = true
    package var needsDigit = true
    package var needsSymbol = true

    package init() {}

    /// The symbols that Cognito counts.
    private static let symbols = Set(#"^$*.[]{}()?-"!@#%&/\,><':;|_~`+="#.utf8)

    /// Why a password is refused, in Cognito's words; nil when it is good.
    package func fault(of password: String) -> String? {
        let bytes = password.utf8
        func has(_ range: ClosedRange<UInt8>) -> Bool { bytes.contains { range.contains($0) } }
        let fault: String? =
            if password.unicodeScalars.count < lengthMin {
                "Password not long enough"
            } else if needsUppercase, !has(UInt8(ascii: "A")...UInt8(ascii: "Z")) {
                "Password must have uppercase characters"
            } else if needsLowercase, !has(UInt8(ascii: "a")...UInt8(ascii: "z")) {
                "Password must have lowercase characters"
            } else if needsDigit, !has(UInt8(ascii: "0")...UInt8(ascii: "9")) {
                "Password must have numeric characters"
            } else if needsSymbol, !bytes.contains(where: { Self.symbols.contains($0) }) {
                "Password must have symbol characters"
            } else {
                nil
            }
        return fault.map { "Password did not conform with policy: \($0)" }
    }

    /// A password that nobody can foretell and that has everything it must have.
    func randomPassword() -> String {
        let kinds = [
            "ABCDEFGHJKLMNPQRSTUVWXYZ", "abcdefghijkmnopqrstuvwxyz", "23456789", "!#%+-:=?@_",
        ].map { Array($0.utf8) }
        let count = max(Self.randomLength, lengthMin)
        while true {
            // Bytes beyond the last whole multiple of the letters would make some of them likelier.
            let letters = kinds.flatMap(\.self)
            let limit = 256 - 256 % letters.count
            let bytes = RandomBytes.make(count: count * 2).map(Int.init).filter { $0 < limit }.prefix(count)
            let password = String(decoding: bytes.map { letters[$0 % letters.count] }, as: UTF8.self)
            if bytes.count == count, fault(of: password) == nil { return password }
        }
    }

    /// About 96 bits.
    private static let randomLength = 16
}
