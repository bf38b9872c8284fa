import JSON

/// Reads what a template has printed: one JSON value, in AppSync's words where it is none.
struct TemplateOutput {
    private let bytes: [UInt8]
    private let nestingMax: Int
    private var index = 0

    /// The value; null when there is nothing but blanks.
    static func value(of bytes: [UInt8], limits: ResolverLimits) throws(ResolverError) -> JSONValue {
        var reader = TemplateOutput(bytes: bytes, nestingMax: limits.nestingMax)
        reader.skipSpace()
        if reader.index == bytes.count { return .null }
        let value = try reader.value(level: 0)
        reader.skipSpace()
        guard reader.index == bytes.count else {
            throw fault("Trailing characters at the end of the JSON string are not allowed.")
        }
        return value
    }

    private init(bytes: [UInt8], nestingMax: Int) {
        self.bytes = bytes
        self.nestingMax = nestingMax
    }

    private static func fault(_ message: String) -> ResolverError {
        ResolverError(message, type: "MappingTemplate", isFault: true)
    }

    private var current: UInt8? { index < bytes.count ? bytes[index] : nil }

    private mutating func skipSpace() {
        while let byte = current, TemplateLexer.isSpace(byte) { index += 1 }
    }

    private mutating func value(level: Int) throws(ResolverError) -> JSONValue {
        guard level <= nestingMax else {
            throw Self.fault("Unable to parse the JSON document: its values are nested more than \(nestingMax) deep.")
        }
        skipSpace()
        switch current {
        case UInt8(ascii: "{"): return try object(level: level)
        case UInt8(ascii: "["): return try array(level: level)
        case UInt8(ascii: "\""): return .string(try string())
        default: return try word()
        }
    }

    private mutating func object(level: Int) throws(ResolverError) -> JSONValue {
        index += 1
        var object = JSONObject()
        skipSpace()
        if current == UInt8(ascii: "}") {
            index += 1
            return .object(object)
        }
        while true {
            skipSpace()
            guard current == UInt8(ascii: "\"") else { throw unexpected("a field's name in double quotes") }
            let key = try string()
            skipSpace()
            guard current == UInt8(ascii: ":") else { throw unexpected("a colon behind the field's name") }
            index += 1
            let count = object.count
            object.set(key, to: try value(level: level + 1))
            guard object.count > count else {
                throw Self.fault("Duplicate field '\(key)' detected on Object. Duplicate JSON keys are not allowed.")
            }
            if try isLast(UInt8(ascii: "}"), "a comma or }") { return .object(object) }
            if isEnd(UInt8(ascii: "}")) { return .object(object) }
        }
    }

    private mutating func array(level: Int) throws(ResolverError) -> JSONValue {
        index += 1
        var elements: [JSONValue] = []
        skipSpace()
        if current == UInt8(ascii: "]") {
            index += 1
            return .array(elements)
        }
        while true {
            elements.append(try value(level: level + 1))
            if try isLast(UInt8(ascii: "]"), "a comma or ]") { return .array(elements) }
            if isEnd(UInt8(ascii: "]")) { return .array(elements) }
        }
    }

    /// Whether the end follows; otherwise it is a comma.
    private mutating func isLast(_ end: UInt8, _ expected: String) throws(ResolverError) -> Bool {
        skipSpace()
        guard current == end || current == UInt8(ascii: ",") else { throw unexpected(expected) }
        index += 1
        return bytes[index - 1] == end
    }

    /// Whether the end follows a comma: AppSync takes what loops of a template print behind their last element.
    private mutating func isEnd(_ end: UInt8) -> Bool {
        skipSpace()
        guard current == end else { return false }
        index += 1
        return true
    }

    private mutating func string() throws(ResolverError) -> String {
        let start = index
        index += 1
        var isPlain = true
        while let byte = current, byte != UInt8(ascii: "\"") {
            if byte < 0x20 || byte == UInt8(ascii: "\\") { isPlain = false }
            index += byte == UInt8(ascii: "\\") ? 2 : 1
        }
        guard index < bytes.count else { throw unexpected("the end of a string") }
        index += 1
        if isPlain { return String(decoding: bytes[(start + 1)..<(index - 1)], as: UTF8.self) }
        guard case .string(let text) = try read(start..<index) else { throw unexpected("a string") }
        return text
    }

    /// A number or a word.
    private mutating func word() throws(ResolverError) -> JSONValue {
        let start = index
        while let byte = current,
            TemplateLexer.isOfWord(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+")
                || byte == UInt8(ascii: ".")
        {
            index += 1
        }
        guard index > start else { throw unexpected("a value") }
        return try read(start..<index)
    }

    private func read(_ range: Range<Int>) throws(ResolverError) -> JSONValue {
        do throws(JSONError) {
            return try JSONReader.value(of: Array(bytes[range]))
        } catch {
            let found = String(decoding: bytes[range].prefix(40), as: UTF8.self)
            throw Self.fault(
                "Unable to parse the JSON document: '\(found)' is no JSON value: \(place(range.lowerBound)).")
        }
    }

    private func unexpected(_ expected: String) -> ResolverError {
        let found = current.map { (0x21...0x7E).contains($0) ? "'\(Character(UnicodeScalar($0)))'" : "the byte \($0)" }
        return Self.fault(
            "Unable to parse the JSON document: expected \(expected), found \(found ?? "the end"): \(place(index)).")
    }

    private func place(_ index: Int) -> String {
        let before = bytes[..<min(index, bytes.count)]
        let line = before.reduce(1) { $1 == UInt8(ascii: "\n") ? $0 + 1 : $0 }
        let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        return "line \(line), column \(1 + before[start...].count { $0 & 0xC0 != 0x80 })"
    }
}
