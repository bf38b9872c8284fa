import JSON

/// Whether passkeys are made and let users in, and for which pages.
package struct PasskeySettings: Sendable, Equatable {
    package enum UserVerification: String, Sendable, CaseIterable {
        case preferred
        /// Authenticators ask for a finger, a face or a PIN.
        case required
    }

    /// The domain that passkeys are for: the app's own, or one above it. Nil: there are none.
    package var relyingPartyID: String?
    package var userVerification = UserVerification.preferred
    /// Who may use them, to the character. Empty: pages of that domain and of those below it, over https; on this machine also
    /// over http.
    package var origins: [String] = []

    package init() {}

    /// Returns whether a text can be the domain: small letters, as browsers write it, and no address.
    package static func isRelyingPartyID(_ text: String) -> Bool {
        let labels = text.parts(separatedBy: ".")
        return text.utf8.count <= 253
            && labels.allSatisfy { label in
                (1...63).contains(label.utf8.count) && label.utf8.first != UInt8(ascii: "-")
                    && label.utf8.last != UInt8(ascii: "-")
                    && label.utf8.allSatisfy {
                        (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == UInt8(ascii: "-")
                    }
            }
            && labels.last.map { $0.utf8.contains { (0x61...0x7A).contains($0) } } ?? false
    }

    /// Returns whether passkeys may be used from there.
    func admits(origin: String) -> Bool {
        guard origins.isEmpty else { return origins.contains { $0.utf8.elementsEqual(origin.utf8) } }
        guard let id = relyingPartyID else { return false }
        let parts = origin.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard parts.count == 3, parts[1].isEmpty else { return false }
        let authority = parts[2].split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard (1...2).contains(authority.count), let host = String(authority[0]), Self.isRelyingPartyID(host) else {
            return false
        }
        if authority.count == 2 {
            guard (1...5).contains(authority[1].count), authority[1].allSatisfy({ (0x30...0x39).contains($0) }) else {
                return false
            }
        }
        guard host == id || host.hasSuffix(".\(id)") else { return false }
        let isLocal = host == "localhost" || host.hasSuffix(".localhost")
        return parts[0].elementsEqual("https:".utf8) || (isLocal && parts[0].elementsEqual("http:".utf8))
    }
}
