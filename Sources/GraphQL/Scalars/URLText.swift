import JSON

/// The form of an address that AppSync takes: any scheme, also hosts without a dot, no double slash in the path.
///
///     scheme://user@host:port/path?query#fragment
///     mailto:user@host?query
enum URLText {
    /// Schemes whose addresses have no host: of those that the URLs of Java know, mail alone.
    private static let opaqueSchemes = ["mailto"]

    static func isValid(_ text: [UInt8]) -> Bool {
        guard let colon = text.firstIndex(of: UInt8(ascii: ":")), isScheme(text[..<colon]) else { return false }
        var rest = text[(colon + 1)...]
        let scheme = String(decoding: text[..<colon], as: UTF8.self).lowercased()
        if opaqueSchemes.contains(scheme) { return isOpaque(rest) }
        guard rest.starts(with: "//".utf8) else { return false }
        rest = rest.dropFirst(2)
        let authority = rest.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        rest = rest.dropFirst(authority.count)
        let path = rest.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        let query = rest.dropFirst(path.count).prefix { $0 != UInt8(ascii: "#") }
        let isFile = text[..<colon].elementsEqual("file".utf8)
        return (isFile && authority.isEmpty || isAuthority(authority)) && isPath(path)
            && query.allSatisfy { $0 > 0x20 && $0 != 0x7F }
    }

    /// What stands for itself: any text without spaces that does not begin as a path.
    private static func isOpaque(_ text: ArraySlice<UInt8>) -> Bool {
        guard let first = text.first, first != UInt8(ascii: "/") else { return false }
        return text.allSatisfy { $0 > 0x20 && $0 != 0x7F }
    }

    private static func isScheme(_ text: ArraySlice<UInt8>) -> Bool {
        guard let first = text.first, first.isLetter else { return false }
        return text.allSatisfy { $0.isAlphanumeric || "+-.".utf8.contains($0) }
    }

    private static func isAuthority(_ text: ArraySlice<UInt8>) -> Bool {
        var host = text
        if let at = text.lastIndex(of: UInt8(ascii: "@")) {
            guard text[..<at].allSatisfy({ $0.isAlphanumeric || "%-._~!$&'()*+,;=:".utf8.contains($0) })
            else {
                return false
            }
            host = text[(at + 1)...]
        }
        if host.first == UInt8(ascii: "[") {
            guard let end = host.firstIndex(of: UInt8(ascii: "]")) else { return false }
            return IPAddressText.isVersion6(Array(host[(host.startIndex + 1)..<end])) && isPort(host[(end + 1)...])
        }
        let name = host.prefix { $0 != UInt8(ascii: ":") }
        return isHost(name) && isPort(host.dropFirst(name.count))
    }

    private static func isPort(_ text: ArraySlice<UInt8>) -> Bool {
        guard !text.isEmpty else { return true }
        guard text.first == UInt8(ascii: ":"), text.dropFirst().allSatisfy(\.isDigit) else { return false }
        guard text.count > 1 else { return true }
        return UInt16(String(decoding: text.dropFirst(), as: UTF8.self)) != nil
    }

    /// Labels of letters, digits and hyphens; the last one of several starts with a letter, or it is an IPv4 address.
    private static func isHost(_ text: ArraySlice<UInt8>) -> Bool {
        guard !text.isEmpty, text.count <= 253 else { return false }
        if IPAddressText.isVersion4(Array(text)) { return true }
        var labels = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        if labels.count > 1, labels.last?.isEmpty == true { labels.removeLast() }
        guard labels.allSatisfy(isLabel), let last = labels.last else { return false }
        return labels.count == 1 || (last.count > 1 && last.first?.isLetter == true)
    }

    private static func isLabel(_ text: ArraySlice<UInt8>) -> Bool {
        guard let first = text.first, let last = text.last, text.count <= 63 else { return false }
        return first != UInt8(ascii: "-") && last != UInt8(ascii: "-")
            && text.allSatisfy { $0.isAlphanumeric || $0 == UInt8(ascii: "-") || $0 >= 0x80 }
    }

    /// Only its own characters, no empty step, and no step back past its start.
    private static func isPath(_ text: ArraySlice<UInt8>) -> Bool {
        guard !text.isEmpty else { return true }
        var depth = 0
        let steps = text.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        for (index, step) in steps.enumerated() {
            guard step.allSatisfy({ $0.isAlphanumeric || "-_:@&?=+,.!~*'%$;()".utf8.contains($0) }) else {
                return false
            }
            if step.isEmpty, index < steps.count - 1 { return false }
            if step.elementsEqual("..".utf8) { depth -= 1 } else if !step.elementsEqual(".".utf8) { depth += 1 }
            if depth < 0 { return false }
        }
        return true
    }
}
