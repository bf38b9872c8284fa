/// A server certificate that a local authority has just signed: where it is, and what it is for.
package struct LocalCertificate: Sendable, Equatable {
    package let files: LocalCertificateFiles
    /// True if the authority is new too, so that no client trusts it yet.
    package let isAuthorityNew: Bool
    /// SHA-256 of the authority's certificate, to compare with what a system shows before it is trusted.
    package let authorityFingerprint: String
    /// The names of the certificate, requested ones first.
    package let names: [String]
    /// Names of this machine that the authority may not sign for, since it was made when they were others.
    package let refusedNames: [String]
    package let expires: String

    /// The files that were written, for a person.
    package var summary: String {
        var lines = [
            "Certificate  \(files.certificate)",
            "Key          \(files.key)",
            "Authority    \(files.authority)" + (isAuthorityNew ? " (new: clients have to trust it)" : ""),
            "Fingerprint  \(authorityFingerprint)",
            "Names        \(names.joined(separator: ", "))",
            "Expires      \(expires)",
        ]
        if !refusedNames.isEmpty {
            lines.append(
                "Left out     \(refusedNames.joined(separator: ", ")) (the authority is older than these names)")
        }
        return lines.joined(separator: "\n")
    }
}
