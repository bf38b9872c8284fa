import JSON

/// The map that a bundler put behind its output: where each place of it comes from.
///
/// It is read as `sourceMappingURL=data:application/json;base64,`, in version 3. A map that is no map counts as none: the code
/// runs the same.
struct SourceMap: Sendable {
    private struct Segment {
        var column: Int
        var line: Int
        var sourceColumn: Int
    }

    /// By the lines of the output.
    private var lines: [[Segment]] = []

    init?(in text: String) {
        let mark = "sourceMappingURL=data:application/json"
        guard
            let comment = text.parts(separatedBy: "\n").last(where: { $0.hasPrefix("//# ") || $0.hasPrefix("//@ ") }),
            comment.contains(bytesOf: mark)
        else { return nil }
        let parts = comment.parts(separatedBy: "base64,")
        guard parts.count == 2, let bytes = Base64Text.bytes(of: parts[1]),
            let json = try? JSONReader.value(of: bytes, limits: JSONLimits(bytesMax: ResolverLimits.codeCharactersMax)),
            let mappings = json["mappings"]?.string
        else { return nil }
        read(Array(mappings.utf8))
    }

    /// Where a place of the output comes from.
    func original(of place: ResolverPlace) -> ResolverPlace? {
        guard place.line >= 1, place.line <= lines.count else { return nil }
        guard let segment = lines[place.line - 1].last(where: { $0.column <= place.column - 1 }) else { return nil }
        return ResolverPlace(line: segment.line + 1, column: segment.sourceColumn + 1)
    }

    /// Numbers in digits of six bits, each relative to the one before in its place.
    private mutating func read(_ text: [UInt8]) {
        var column = 0
        var line = 0
        var sourceColumn = 0
        var fields: [Int] = []
        var value = 0
        var shift = 0
        lines = [[]]
        func end() {
            if fields.count >= 1 { column = Self.sum(column, fields[0]) }
            if fields.count >= 4 {
                line = Self.sum(line, fields[2])
                sourceColumn = Self.sum(sourceColumn, fields[3])
                lines[lines.count - 1].append(Segment(column: column, line: line, sourceColumn: sourceColumn))
            }
            fields = []
        }
        for byte in text {
            switch byte {
            case UInt8(ascii: ";"):
                end()
                lines.append([])
                column = 0
            case UInt8(ascii: ","): end()
            default:
                guard let digit = Base64Text.digit(byte) else { continue }
                value |= (Int(digit) & 31) << shift
                shift += 5
                if digit & 32 == 0 {
                    fields.append(value & 1 == 1 ? -(value >> 1) : value >> 1)
                    value = 0
                    shift = 0
                } else if shift > 30 {
                    // No place of a text is that far away.
                    value = 0
                    shift = 0
                }
            }
        }
        end()
    }

    private static func sum(_ left: Int, _ right: Int) -> Int { max(0, min(left + right, 1 << 40)) }
}

/// Base64 as maps have it.
private enum Base64Text {
    static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte - 65
        case UInt8(ascii: "a")...UInt8(ascii: "z"): byte - 71
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte + 4
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }

    static func bytes(of text: String) -> [UInt8]? {
        var bytes: [UInt8] = []
        var bits: UInt32 = 0
        var count = 0
        for byte in text.utf8 {
            if byte == UInt8(ascii: "=") || byte == UInt8(ascii: "\r") || byte == UInt8(ascii: " ") { break }
            guard let digit = digit(byte) else { return nil }
            bits = (bits << 6 | UInt32(digit)) & 0xFFFFFF
            count += 6
            if count >= 8 {
                count -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
            }
        }
        return bytes
    }
}
