import Cloud
import JSON

/// The texts that Cognito's services alone have.
extension MemberPattern {
    /// Letters, digits and a few signs, as identifiers have them.
    static let identifier = MemberPattern(#"[\w-]+_[0-9a-zA-Z]+"#) { isPrefixed($0) { $0.isAlphanumeric } }
    static let clientID = MemberPattern(#"[\w+]+"#, lettersAnd: "+_")
    /// As identity pools and identities are called.
    static let identity = MemberPattern(#"[\w-]+:[0-9a-f-]+"#, isIdentity)
    /// The name of a resource, such as a role.
    static let arn = MemberPattern(
        #"arn:[\w+=/,.@-]+:[\w+=/,.@-]+:([\w+=/,.@-]*)?:[0-9]+:[\w+=/,.@-]+(:[\w+=/,.@-]+)?(:[\w+=/,.@-]+)?"#, isARN)
    static let deviceKey = MemberPattern(#"[\w-]+_[0-9a-f-]+"#) {
        isPrefixed($0) { $0.isLowercaseHexadecimal || $0 == 0x2D }
    }

    /// Returns whether a text is a region, an underscore and something behind it.
    private static func isPrefixed(_ text: String, _ isOfRest: (UInt8) -> Bool) -> Bool {
        guard let underscore = text.utf8.lastIndex(of: 0x5F) else { return false }
        let (prefix, rest) = (text.utf8[..<underscore], text.utf8[underscore...].dropFirst())
        return !prefix.isEmpty && !rest.isEmpty && prefix.allSatisfy { $0.isWord || $0 == 0x2D }
            && rest.allSatisfy(isOfRest)
    }

    @Sendable private static func isIdentity(_ text: String) -> Bool {
        let parts = text.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        return parts.count == 2 && !parts[0].isEmpty && !parts[1].isEmpty
            && parts[0].allSatisfy { $0.isWord || $0 == 0x2D }
            && parts[1].allSatisfy { $0.isLowercaseHexadecimal || $0 == 0x2D }
    }

    @Sendable private static func isARN(_ text: String) -> Bool {
        let parts = text.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard (6...8).contains(parts.count), parts[0].elementsEqual("arn".utf8) else { return false }
        return parts.enumerated().dropFirst().allSatisfy { index, part in
            // The region may be left out; the account is a number.
            (index == 3 || !part.isEmpty)
                && part.allSatisfy { byte in
                    index == 4 ? byte.isDigit : byte.isAlphanumeric || "_+=/,.@-".utf8.contains(byte)
                }
        }
    }
}
