import JSON

/// The paths of signed requests, as bytes: what is signed need not be text.
enum SignedPath {
    /// A path with each escape that is needed written in the one way, and none that is not.
    static func normalized(_ path: some Collection<UInt8>, isSlashEscaped: Bool) -> [UInt8] {
        let path = Array(path)
        // Nearly all are in that form already.
        guard path.contains(where: { !PercentCoding.isUnreserved($0) && $0 != UInt8(ascii: "/") }) else { return path }
        var normalized: [UInt8] = []
        normalized.reserveCapacity(path.count)
        var index = path.startIndex
        while index < path.endIndex {
            let escape = path[index] == UInt8(ascii: "%") ? PercentCoding.escape(path, at: index) : nil
            let value = escape ?? path[index]
            if PercentCoding.isUnreserved(value) || value == UInt8(ascii: "/") && (escape == nil || !isSlashEscaped) {
                normalized.append(value)
            } else {
                PercentCoding.appendEscape(of: value, to: &normalized)
            }
            index += escape == nil ? 1 : 3
        }
        return normalized
    }
}
