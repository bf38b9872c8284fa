/// Takes the chunked coding off a body: a pure machine that answers ranges of the bytes it is given.
///
///     size line ─▶ data ─▶ CRLF ─▶ size line ─▶ … ─▶ "0" line ─▶ trailer lines ─▶ empty line
struct HTTPChunkedDecoder {
    enum Event {
        case needMore
        /// A piece of the body, in the bytes that were given.
        case data(UnsafeRawBufferPointer)
        case end
    }

    private enum State {
        case size, data(remaining: Int), dataEnd, trailer, ended
    }

    private var state = State.size
    /// The part of a line that has come so far.
    private var line: [UInt8] = []
    private var trailerBytes = 0
    private var trailerFields = 0
    /// The fields of the trailer, for who reads the body to its end.
    private(set) var trailer = HTTPTrailer()
    private let limits: HTTPLimits

    init(limits: HTTPLimits) {
        self.limits = limits
    }

    /// Takes bytes from the front.
    mutating func next(_ bytes: inout UnsafeRawBufferPointer) throws(HTTPParseError) -> Event {
        while true {
            switch state {
            case .size:
                guard let line = try takeLine(&bytes, max: limits.chunkLineBytes) else { return .needMore }
                let size = try Self.size(line)
                state = size == 0 ? .trailer : .data(remaining: size)
            case .data(let remaining):
                guard !bytes.isEmpty else { return .needMore }
                let count = min(remaining, bytes.count)
                let piece = UnsafeRawBufferPointer(rebasing: bytes[..<count])
                bytes = UnsafeRawBufferPointer(rebasing: bytes[count...])
                state = count == remaining ? .dataEnd : .data(remaining: remaining - count)
                return .data(piece)
            case .dataEnd:
                guard let line = try takeLine(&bytes, max: 2) else { return .needMore }
                guard line.isEmpty else { throw .malformed("a chunk is longer than its size says") }
                state = .size
            case .trailer:
                guard let line = try takeLine(&bytes, max: limits.trailerBytes - trailerBytes) else { return .needMore }
                if line.isEmpty {
                    state = .ended
                    return .end
                }
                try checkTrailer(line)
            case .ended:
                return .end
            }
        }
    }

    /// A line without its end; nil when more bytes are needed. `max` counts the line's end.
    private mutating func takeLine(
        _ bytes: inout UnsafeRawBufferPointer, max: Int
    ) throws(HTTPParseError) -> [UInt8]? {
        let end = bytes.firstIndex(of: HTTPCharacters.lineFeed)
        let count = end.map { $0 + 1 } ?? bytes.count
        guard line.count + count <= max else {
            if case .trailer = state { throw HTTPParseError(.headTooLarge, "the trailer has too many bytes") }
            if case .dataEnd = state { throw .malformed("a chunk is longer than its size says") }
            throw .malformed("the line with a chunk's size has more than \(limits.chunkLineBytes) bytes")
        }
        line.append(contentsOf: bytes[..<count])
        bytes = UnsafeRawBufferPointer(rebasing: bytes[count...])
        guard end != nil else { return nil }
        guard line.count >= 2, line[line.count - 2] == HTTPCharacters.carriageReturn else {
            throw .malformed("a line feed stands alone in a chunked body")
        }
        defer { line.removeAll(keepingCapacity: true) }
        return Array(line.dropLast(2))
    }

    /// Hexadecimal digits of a chunk's size: 2 GiB less one byte fit, and nothing overflows.
    private static let sizeDigitsMax = 8

    private static func size(_ line: [UInt8]) throws(HTTPParseError) -> Int {
        var size = 0
        var digits = 0
        for byte in line {
            guard let value = HTTPCharacters.hexadecimalValue(byte) else { break }
            size = size << 4 | Int(value)
            digits += 1
            guard digits <= sizeDigitsMax else { throw .malformed("a chunk's size has too many digits") }
        }
        guard digits > 0 else { throw .malformed("a chunk's size is not a hexadecimal number") }
        try checkExtensions(line[digits...])
        return size
    }

    /// Extensions (`;name=value`, `; name = "a quoted; value"`) are read over, but only where they are well formed (RFC 9112,
    /// section 7.1.1).
    private static func checkExtensions(_ text: ArraySlice<UInt8>) throws(HTTPParseError) {
        guard !text.isEmpty else { return }
        var rest = text.drop(while: HTTPCharacters.isBlank)
        guard rest.first == UInt8(ascii: ";"), text.allSatisfy(HTTPCharacters.isFieldValue) else {
            throw .malformed("a chunk's size is followed by something that is no extension")
        }
        while !rest.isEmpty {
            guard rest.popFirst() == UInt8(ascii: ";") else { throw .malformed("a chunk has a bad extension") }
            rest = rest.drop(while: HTTPCharacters.isBlank)
            try skipToken(&rest)
            let value = rest.drop(while: HTTPCharacters.isBlank)
            guard value.first == UInt8(ascii: "=") else {
                // Blanks stand before the next one only.
                guard value.isEmpty == rest.isEmpty else { throw .malformed("a chunk has a bad extension") }
                rest = value
                continue
            }
            rest = value.dropFirst().drop(while: HTTPCharacters.isBlank)
            if rest.first == UInt8(ascii: "\"") { try skipQuoted(&rest) } else { try skipToken(&rest) }
            let next = rest.drop(while: HTTPCharacters.isBlank)
            guard next.isEmpty == rest.isEmpty else { throw .malformed("a chunk has a bad extension") }
            rest = next
        }
    }

    private static func skipToken(_ text: inout ArraySlice<UInt8>) throws(HTTPParseError) {
        let end = text.drop(while: HTTPCharacters.isToken)
        guard end.count < text.count else { throw .malformed("a chunk has a bad extension") }
        text = end
    }

    private static func skipQuoted(_ text: inout ArraySlice<UInt8>) throws(HTTPParseError) {
        text.removeFirst()
        while let byte = text.popFirst() {
            if byte == UInt8(ascii: "\"") { return }
            if byte == UInt8(ascii: "\\"), text.popFirst() == nil { break }
        }
        throw .malformed("a chunk has a bad extension")
    }

    private mutating func checkTrailer(_ line: [UInt8]) throws(HTTPParseError) {
        trailerBytes += line.count + 2
        trailerFields += 1
        guard trailerFields <= limits.headFields else {
            throw HTTPParseError(.headTooLarge, "the trailer has more than \(limits.headFields) fields")
        }
        // Checked like any field, and kept apart: nothing that comes behind a body may change what was decided before.
        var text = line + [HTTPCharacters.carriageReturn, HTTPCharacters.lineFeed]
        text += [HTTPCharacters.carriageReturn, HTTPCharacters.lineFeed]
        let entries = try HTTPFieldParser.parse(&text, from: 0, fieldsMax: 1)
        trailer.fields += HTTPFields(storage: text, entries: entries).all
    }
}
