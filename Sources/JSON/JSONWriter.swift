/// Writes JSON to the end of a buffer.
///
/// - A double keeps its fraction: `1.0`, never `1`, as AppSync prints a Float; a client in a typed language takes
///   `1` for an integer. Digits are the fewest that read back as the same double; exponents look like `1e+16`.
///   What JSON cannot say (not a number, infinity) becomes `null`, as in JavaScript.
/// - Strings escape what must be escaped (quote, backslash, control characters) and nothing else.
///
/// Hot path: a response is written with the parts below, row by row, straight into the bytes that are sent.
package enum JSONWriter {
    /// Writes a value without any white space.
    package static func write(_ value: JSONValue, to buffer: inout [UInt8]) {
        switch value {
        case .null: writeNull(to: &buffer)
        case .bool(let bool): writeBool(bool, to: &buffer)
        case .integer(let integer): writeInteger(integer, to: &buffer)
        case .double(let double): writeDouble(double, to: &buffer)
        case .largeInteger(let digits): buffer.append(contentsOf: digits.utf8)
        case .string(let string): writeString(string, to: &buffer)
        case .array(let elements): writeArray(elements, to: &buffer)
        case .object(let object): writeObject(object, to: &buffer)
        }
    }

    /// The bytes of a value without any white space.
    package static func bytes(of value: JSONValue) -> [UInt8] {
        var buffer: [UInt8] = []
        write(value, to: &buffer)
        return buffer
    }

    /// The text of a value: on one line, or `pretty`, with two spaces a level.
    package static func text(of value: JSONValue, pretty: Bool = false) -> String {
        var buffer: [UInt8] = []
        if pretty { writePretty(value, to: &buffer) } else { write(value, to: &buffer) }
        return String(decoding: buffer, as: UTF8.self)
    }

    package static func writeNull(to buffer: inout [UInt8]) {
        append("null", to: &buffer)
    }

    package static func writeBool(_ value: Bool, to buffer: inout [UInt8]) {
        append(value ? "true" : "false", to: &buffer)
    }

    package static func writeInteger(_ value: Int64, to buffer: inout [UInt8]) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
            var start = 20
            var rest = value.magnitude
            repeat {
                start -= 1
                digits[start] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
                rest /= 10
            } while rest > 0
            if value < 0 {
                start -= 1
                digits[start] = UInt8(ascii: "-")
            }
            buffer.append(contentsOf: UnsafeBufferPointer(rebasing: digits[start...]))
        }
    }

    package static func writeDouble(_ value: Double, to buffer: inout [UInt8]) {
        guard value.isFinite else { return writeNull(to: &buffer) }
        // The standard library's text is the shortest that reads back, and it is JSON.
        buffer.append(contentsOf: value.description.utf8)
    }

    /// Writes a string in double quotes.
    package static func writeString(_ value: String, to buffer: inout [UInt8]) {
        let isWritten: Void? = value.utf8.withContiguousStorageIfAvailable { bytes in
            writeString(UnsafeRawBufferPointer(bytes), to: &buffer)
        }
        if isWritten == nil {
            Array(value.utf8).withUnsafeBytes { writeString($0, to: &buffer) }
        }
    }

    /// Writes UTF-8 text, as a database hands it out, in double quotes. The caller vouches for the encoding.
    package static func writeString(_ text: UnsafeRawBufferPointer, to buffer: inout [UInt8]) {
        writeString(text, behind: UnsafeRawBufferPointer(start: nil, count: 0), to: &buffer)
    }

    /// The same behind bytes that are JSON already, such as the key of a member.
    ///
    /// Hot path: a response is mostly this. One look for what needs an escape, then one copy.
    package static func writeString(
        _ text: UnsafeRawBufferPointer, behind prefix: UnsafeRawBufferPointer, to buffer: inout [UInt8]
    ) {
        write(text, behind: prefix, before: nil, to: &buffer)
    }

    /// The same, and before a byte that ends what holds the text.
    package static func writeString(
        _ text: UnsafeRawBufferPointer, behind prefix: UnsafeRawBufferPointer, before end: UInt8,
        to buffer: inout [UInt8]
    ) {
        write(text, behind: prefix, before: end, to: &buffer)
    }

    @inline(__always)
    private static func write(
        _ text: UnsafeRawBufferPointer, behind prefix: UnsafeRawBufferPointer, before end: UInt8?,
        to buffer: inout [UInt8]
    ) {
        guard !JSONBytes.needsEscape(text) else {
            buffer.append(contentsOf: prefix)
            writeEscaped(text, to: &buffer)
            if let end { buffer.append(end) }
            return
        }
        let quoted = prefix.count + text.count + 2
        let count = end == nil ? quoted : quoted + 1
        buffer.append(addingCapacity: count) { span in
            span.withUnsafeMutableBufferPointer { bytes, initialized in
                guard let start = UnsafeMutableRawPointer(bytes.baseAddress) else { return }
                if let source = prefix.baseAddress { start.copyMemory(from: source, byteCount: prefix.count) }
                start.storeBytes(of: UInt8(ascii: "\""), toByteOffset: prefix.count, as: UInt8.self)
                if let source = text.baseAddress {
                    (start + prefix.count + 1).copyMemory(from: source, byteCount: text.count)
                }
                start.storeBytes(of: UInt8(ascii: "\""), toByteOffset: quoted - 1, as: UInt8.self)
                if let end { start.storeBytes(of: end, toByteOffset: quoted, as: UInt8.self) }
                initialized = count
            }
        }
    }

    private static func writeEscaped(_ text: UnsafeRawBufferPointer, to buffer: inout [UInt8]) {
        buffer.append(UInt8(ascii: "\""))
        var start = 0
        var index = 0
        while index < text.count {
            if index + 8 <= text.count,
                !JSONBytes.needsEscape(text.loadUnaligned(fromByteOffset: index, as: UInt64.self))
            {
                index += 8
                continue
            }
            let byte = text[index]
            if JSONBytes.needsEscape(byte) {
                buffer.append(contentsOf: UnsafeRawBufferPointer(rebasing: text[start..<index]))
                writeEscape(byte, to: &buffer)
                start = index + 1
            }
            index += 1
        }
        buffer.append(contentsOf: UnsafeRawBufferPointer(rebasing: text[start..<text.count]))
        buffer.append(UInt8(ascii: "\""))
    }

    /// Writes a key and its colon.
    package static func writeKey(_ key: String, to buffer: inout [UInt8]) {
        writeString(key, to: &buffer)
        buffer.append(UInt8(ascii: ":"))
    }

    private static func writeArray(_ elements: [JSONValue], to buffer: inout [UInt8]) {
        buffer.append(UInt8(ascii: "["))
        var isFirst = true
        for element in elements {
            if !isFirst { buffer.append(UInt8(ascii: ",")) }
            isFirst = false
            write(element, to: &buffer)
        }
        buffer.append(UInt8(ascii: "]"))
    }

    private static func writeObject(_ object: JSONObject, to buffer: inout [UInt8]) {
        buffer.append(UInt8(ascii: "{"))
        var isFirst = true
        for member in object.members {
            if !isFirst { buffer.append(UInt8(ascii: ",")) }
            isFirst = false
            writeKey(member.key, to: &buffer)
            write(member.value, to: &buffer)
        }
        buffer.append(UInt8(ascii: "}"))
    }

    private static func writeEscape(_ byte: UInt8, to buffer: inout [UInt8]) {
        switch byte {
        case UInt8(ascii: "\""): append("\\\"", to: &buffer)
        case UInt8(ascii: "\\"): append("\\\\", to: &buffer)
        case 0x08: append("\\b", to: &buffer)
        case 0x09: append("\\t", to: &buffer)
        case 0x0A: append("\\n", to: &buffer)
        case 0x0C: append("\\f", to: &buffer)
        case 0x0D: append("\\r", to: &buffer)
        default:
            append("\\u00", to: &buffer)
            buffer.append(hexadecimalDigit(byte >> 4))
            buffer.append(hexadecimalDigit(byte & 0xF))
        }
    }

    private static func hexadecimalDigit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }

    @inline(__always)
    static func append(_ text: StaticString, to buffer: inout [UInt8]) {
        buffer.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }
}
