import JSON

/// The name of a channel, such as `/default/room`: up to five segments, the first of which is the namespace.
///
/// Names are compared as bytes, and case counts. A slash at the beginning or the end makes no difference. The last segment of a
/// subscription's name may be `*`: it then means every channel below, of any depth.
package struct ChannelName: Sendable, Hashable {
    /// With a slash at the beginning and none at the end. All of it is ASCII.
    package let key: ByteText
    package let segments: [String]
    package let isWildcard: Bool

    package var path: String { key.string }
    package var namespace: String { segments[0] }

    package static func == (left: ChannelName, right: ChannelName) -> Bool { left.key == right.key }
    package func hash(into hasher: inout Hasher) { hasher.combine(key) }

    /// Nil for a text that is no name.
    package init?(_ text: String) {
        var bytes = Array(text.utf8.prefix(ChannelLimits.nameBytesMax + 2))[...]
        if bytes.first == Self.slash { bytes = bytes.dropFirst() }
        if bytes.last == Self.slash { bytes = bytes.dropLast() }
        guard bytes.count <= ChannelLimits.nameBytesMax else { return nil }
        let parts = bytes.split(separator: Self.slash, omittingEmptySubsequences: false)
        guard (1...ChannelLimits.segmentsMax).contains(parts.count), let last = parts.last else { return nil }
        isWildcard = parts.count > 1 && last.elementsEqual([UInt8(ascii: "*")])
        guard (isWildcard ? parts.dropLast() : parts[...]).allSatisfy(Self.isSegment) else { return nil }
        segments = parts.map { String(decoding: $0, as: UTF8.self) }
        key = ByteText("/" + segments.joined(separator: "/"))
    }

    private static let slash = UInt8(ascii: "/")

    /// Letters, digits and hyphens, the first and the last of which is no hyphen.
    private static func isSegment(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard (1...ChannelLimits.segmentCharactersMax).contains(bytes.count), let first = bytes.first,
            let last = bytes.last
        else { return false }
        return first.isAlphanumeric && last.isAlphanumeric
            && bytes.allSatisfy { $0.isAlphanumeric || $0 == UInt8(ascii: "-") }
    }

    /// The names of subscriptions that get the events of this channel: its own, and the wildcards above it.
    var listeners: [ByteText] {
        var names = [key]
        var prefix = ""
        for segment in segments.dropLast() {
            prefix += "/" + segment
            names.append(ByteText(prefix + "/*"))
        }
        return names
    }

    /// The value of `ctx.info` in handlers.
    package func info(of operation: ChannelOperation) -> JSONValue {
        [
            "channel": ["path": .string(path), "segments": .array(segments.map(JSONValue.string))],
            "channelNamespace": ["name": .string(namespace)], "operation": .string(operation.handlerName),
        ]
    }
}
