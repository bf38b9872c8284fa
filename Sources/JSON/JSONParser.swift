/// One reading of a text: a place in it that only moves forward.
///
/// Hot path: works on bytes. Every access to `bytes` stands behind a comparison with its count, in `current` or in
/// the loop around it. Recursion is bounded by `JSONLimits.nestingMax`.
struct JSONParser {
    static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    let bytes: UnsafeRawBufferPointer
    let limits: JSONLimits
    var index = 0
    var depth = 0

    init(_ bytes: UnsafeRawBufferPointer, limits: JSONLimits) {
        self.bytes = bytes
        self.limits = limits
    }

    /// The whole text: one value with white space around it.
    mutating func document() throws(JSONError) -> JSONValue {
        guard bytes.count <= limits.bytesMax else {
            throw beyond("at most \(limits.bytesMax) bytes", found: "\(bytes.count)", at: limits.bytesMax)
        }
        skipByteOrderMark()
        let value = try value()
        skipSpace()
        guard index == bytes.count else { throw unexpected("the end of the text") }
        return value
    }

    mutating func value() throws(JSONError) -> JSONValue {
        skipSpace()
        switch current {
        case UInt8(ascii: "\""):
            return .string(try string())
        case UInt8(ascii: "{"):
            return .object(try object())
        case UInt8(ascii: "["):
            return .array(try array())
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            return try number()
        case UInt8(ascii: "t"):
            try word("true")
            return .bool(true)
        case UInt8(ascii: "f"):
            try word("false")
            return .bool(false)
        case UInt8(ascii: "n"):
            try word("null")
            return .null
        default:
            throw unexpected("a value")
        }
    }

    private mutating func array() throws(JSONError) -> [JSONValue] {
        try descend()
        defer { depth -= 1 }
        var elements: [JSONValue] = []
        skipSpace()
        if skip(UInt8(ascii: "]")) { return elements }
        while true {
            elements.append(try value())
            skipSpace()
            if skip(UInt8(ascii: ",")) { continue }
            if skip(UInt8(ascii: "]")) { return elements }
            throw unexpected("a comma or ]")
        }
    }

    private mutating func object() throws(JSONError) -> JSONObject {
        try object { parser, key, members throws(JSONError) in members.set(key, to: try parser.value()) }
    }

    /// An object whose members are read by the closure, which stands behind the colon when it is called.
    @inline(__always)
    mutating func object(
        member: (inout JSONParser, String, inout JSONObject) throws(JSONError) -> Void
    ) throws(JSONError) -> JSONObject {
        var object = JSONObject()
        try members { parser throws(JSONError) in
            let key = try parser.key()
            try member(&parser, key, &object)
        }
        return object
    }

    /// Goes over an object. The closure reads a member, its key included.
    @inline(__always)
    mutating func members(_ member: (inout JSONParser) throws(JSONError) -> Void) throws(JSONError) {
        try descend()
        defer { depth -= 1 }
        skipSpace()
        if skip(UInt8(ascii: "}")) { return }
        while true {
            try member(&self)
            skipSpace()
            if skip(UInt8(ascii: ",")) { continue }
            if skip(UInt8(ascii: "}")) { return }
            throw unexpected("a comma or }")
        }
    }

    /// A key and the colon after it.
    mutating func key() throws(JSONError) -> String {
        skipSpace()
        guard current == UInt8(ascii: "\"") else { throw unexpected("a key in double quotes") }
        let key = try string()
        skipSpace()
        guard skip(UInt8(ascii: ":")) else { throw unexpected("a colon") }
        return key
    }

    /// Steps over the bracket that opens an array or object.
    mutating func descend() throws(JSONError) {
        guard depth < limits.nestingMax else {
            throw beyond("at most \(limits.nestingMax) levels of arrays and objects", found: "one more", at: index)
        }
        depth += 1
        index += 1
    }

    private mutating func word(_ word: StaticString) throws(JSONError) {
        for place in 0..<word.utf8CodeUnitCount {
            guard current == word.utf8Start[place] else { throw unexpected("\(word)") }
            index += 1
        }
    }
}

// MARK: - Steps

extension JSONParser {
    /// The byte at hand. At the end it is 0, which starts nothing in JSON.
    @inline(__always)
    var current: UInt8 { index < bytes.count ? bytes[index] : 0 }

    @inline(__always)
    mutating func skip(_ byte: UInt8) -> Bool {
        guard index < bytes.count, bytes[index] == byte else { return false }
        index += 1
        return true
    }

    @inline(__always)
    mutating func skipSpace() {
        while index < bytes.count {
            switch bytes[index] {
            case 0x20, 0x0A, 0x0D, 0x09: index += 1
            default: return
            }
        }
    }

    mutating func skipByteOrderMark() {
        if bytes.starts(with: Self.byteOrderMark) { index = Self.byteOrderMark.count }
    }
}

// MARK: - Refusals

extension JSONParser {
    /// The error for what stands here instead of what was expected.
    func unexpected(_ expected: String) -> JSONError {
        unexpected(expected, at: index)
    }

    func unexpected(_ expected: String, at offset: Int, found: String? = nil) -> JSONError {
        JSONError(
            kind: .syntax, position: JSONPosition(offset: offset, in: bytes), expected: expected,
            found: found ?? described(at: offset))
    }

    func beyond(_ expected: String, found: String, at offset: Int) -> JSONError {
        JSONError(
            kind: .limit, position: JSONPosition(offset: offset, in: bytes), expected: expected, found: found)
    }

    /// The character at that offset, in words that are safe to print.
    private func described(at offset: Int) -> String {
        guard offset < bytes.count else { return "the end of the text" }
        let byte = bytes[offset]
        if (0x21...0x7E).contains(byte) { return "\(Character(UnicodeScalar(byte)))" }
        let digits = String(byte, radix: 16, uppercase: true)
        let padded = byte < 0x10 ? "0\(digits)" : digits
        return byte < 0x80 ? "the control character U+00\(padded)" : "the byte 0x\(padded)"
    }
}
