/// A text in the GraphQL language: its bytes, and the name of the file they came from.
package struct Source: Sendable {
    package let bytes: [UInt8]
    /// The name to show in diagnostics; nil for what a client sent.
    package let name: String?

    package init(_ bytes: [UInt8], name: String? = nil) {
        self.bytes = bytes
        self.name = name
    }

    package init(_ text: String, name: String? = nil) {
        self.init(Array(text.utf8), name: name)
    }

    /// The place of a position, as an editor shows it. Reads the text up to there: to locate many, use `LineMap`.
    package func location(of position: Position) -> SourceLocation? {
        LineMap(self).location(of: position)
    }

    /// The text of a line (counted from 1) without its end, or nil when there is no such line.
    package func text(ofLine line: Int) -> String? {
        LineMap(self).text(ofLine: line)
    }
}

/// The sources of a schema that is spread over files. A position says which one it belongs to.
package struct SourceList: Sendable {
    package let sources: [Source]

    package init(_ sources: [Source]) {
        self.sources = sources
    }

    /// The source that a position belongs to.
    package func source(of position: Position) -> Source? {
        sources.indices.contains(position.source) ? sources[position.source] : nil
    }

    /// The place of a position, or nil for a node that was not written in any source.
    package func location(of position: Position) -> SourceLocation? {
        source(of: position)?.location(of: position)
    }
}

/// Where a node was written: a byte of a source.
///
/// Two positions are always equal, because two nodes are the same when they say the same, wherever they stand.
package struct Position: Sendable, Hashable, BitwiseCopyable {
    /// The offset, and above it the number of the source: one word, since every node has a position.
    private let bits: UInt64

    /// For a node that no source holds, such as one that Homeport made.
    package static let none = Position(bits: .max)

    private init(bits: UInt64) {
        self.bits = bits
    }

    @inline(__always)
    package init(offset: Int, source: Int = 0) {
        bits = UInt64(UInt32(clamping: offset)) | UInt64(UInt16(clamping: source)) << 32
    }

    /// Bytes before it.
    package var offset: Int { Int(bits & 0xFFFF_FFFF) }
    /// The number of the source among those of a schema.
    package var source: Int { Int(bits >> 32 & 0xFFFF) }
    /// True if the node was written in a source.
    package var isKnown: Bool { bits != .max }

    package static func == (left: Position, right: Position) -> Bool { true }
    package func hash(into hasher: inout Hasher) {}
}

/// A place in a text, as an editor shows it: both numbers count from 1, columns in Unicode scalars.
package struct SourceLocation: Sendable, Hashable {
    package let line: Int
    package let column: Int

    package init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }
}
