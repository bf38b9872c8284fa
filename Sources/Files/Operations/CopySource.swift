import JSON
import Network

/// Where a copy comes from: `bucket/key`, with or without a slash in front, its escapes decoded.
struct CopySource: Sendable {
    let bucket: String
    let key: String

    private static let version = "?versionId=null"

    /// Nil for what names no bucket and key.
    init?(_ text: String) {
        var path = Substring(text).utf8
        if text.hasSuffix(Self.version) { path = path.dropLast(Self.version.utf8.count) }
        // Some clients escape the slash between the two as well.
        let isOpen = path.dropFirst().contains(UInt8(ascii: "/"))
        var place = isOpen ? path : Substring(Self.decoded(path)).utf8
        if place.first == UInt8(ascii: "/") { place = place.dropFirst() }
        let parts = place.split(separator: UInt8(ascii: "/"), maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else { return nil }
        bucket = isOpen ? Self.decoded(parts[0]) : String(Substring(parts[0]))
        key = isOpen ? Self.decoded(parts[1]) : String(Substring(parts[1]))
        guard !key.utf8.contains(0) else { return nil }
    }

    /// amplify-js writes the key as it is: a percent sign that begins no escape is one.
    private static func decoded(_ text: Substring.UTF8View) -> String {
        HTTPPercentCoding.bytes(of: text).flatMap { String(validating: $0, as: UTF8.self) } ?? String(Substring(text))
    }
}
