import Crypto
import JSON

/// A signed JSON Web Token, taken apart (RFC 7519, RFC 7515). Nothing in it is true before its signature is verified.
package struct JSONWebToken: Sendable {
    /// As the header names it: an algorithm that this server knows or not.
    package let algorithmName: String
    package let keyID: String?
    package let claims: JSONObject
    /// What is signed: header and claims as they were sent.
    package let signed: [UInt8]
    package let signature: [UInt8]

    private static let limits = JSONLimits(
        bytesMax: AccessLimits.tokenBytesMax, nestingMax: AccessLimits.tokenNestingMax)

    /// Nil when the text is no token. Hot path for tokens that are new: works on bytes.
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count <= AccessLimits.tokenBytesMax else { return nil }
        let parts = bytes.split(separator: UInt8(ascii: "."), maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count == 3, let header = Self.object(parts[0]), let claims = Self.object(parts[1]),
            let signature = Base64.bytes(of: parts[2]), let algorithm = header["alg"]?.string
        else { return nil }
        // A header that says that something must be understood, and that is not, makes the token invalid; so does one that
        // says that the claims are packed. What else it says of keys (`jwk`, `jku`, `x5c`) is never looked at: keys come from
        // the issuer alone.
        guard header["crit"] == nil, header["zip"] == nil else { return nil }
        switch header["kid"] {
        case nil, .null?: keyID = nil
        case .string(let id)?: keyID = id
        default: return nil
        }
        algorithmName = algorithm
        self.claims = claims
        self.signature = signature
        signed = Array(bytes[..<parts[1].endIndex])
    }

    package func text(_ claim: String) -> String? { claims[claim]?.string }

    private static func object(_ part: ArraySlice<UInt8>) -> JSONObject? {
        guard let bytes = Base64.bytes(of: part) else { return nil }
        return try? JSONReader.value(of: bytes, limits: limits).object
    }

    /// A claim that is a time, in whole seconds since 1970; nil when it is absent or none.
    package func time(_ claim: String) -> Int64? {
        switch claims[claim] {
        case .integer(let seconds)?: seconds
        case .double(let seconds)?: Int64(exactly: seconds.rounded(.down))
        default: nil
        }
    }
}
