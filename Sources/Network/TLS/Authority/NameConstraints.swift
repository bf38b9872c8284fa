/// The names that a local authority may sign for: nothing that belongs to somebody else on the internet.
enum NameConstraints {
    /// Domains that are never delegated to anybody (RFC 6761, 6762, 8375; the last is ICANN's for private use).
    static let domains = ["localhost", "local", "test", "home.arpa", "internal"]

    /// Networks that are not routed on the internet, with their masks.
    static let networks = [
        "127.0.0.0/255.0.0.0", "10.0.0.0/255.0.0.0", "172.16.0.0/255.240.0.0", "192.168.0.0/255.255.0.0",
        "169.254.0.0/255.255.0.0", "100.64.0.0/255.192.0.0",
        "::1/\(hostMask6)", "fc00::/fe00::", "fe80::/ffc0::",
    ]

    private static let hostMask4 = "255.255.255.255"
    private static let hostMask6 = "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"

    /// The extension's value: the local domains and networks, and these names, which may lie outside of them.
    static func text(permitting names: [CertificateName]) -> String {
        var parts = domains.map { "DNS:\($0)" } + networks.map { "IP:\($0)" }
        for name in names {
            let part: String
            switch name {
            case .domain(let text): part = "DNS:\(text.hasPrefix("*.") ? String(text.dropFirst(2)) : text)"
            case .address4(let text): part = "IP:\(text)/\(hostMask4)"
            case .address6(let text): part = "IP:\(text)/\(hostMask6)"
            }
            if !parts.contains(part) { parts.append(part) }
        }
        return "critical," + parts.map { "permitted;\($0)" }.joined(separator: ",")
    }
}
