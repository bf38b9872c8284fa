/// The fields of a request, checked by the rules of RFC 9113, section 8: each of the ":" fields once and in front, names in lower case, and
/// no field that is about a connection of HTTP/1.1.
package struct HTTP2RequestFields: Sendable {
    package typealias Entry = HPACKFields.Entry

    package let fields: HPACKFields
    package let method: Entry
    /// Nil in a request of CONNECT only.
    package let path: Entry?
    package let authority: Entry?
    /// The place of the first field behind those with ":".
    package let firstRegular: Int

    /// The value of `content-length`; nil where there is none.
    let contentLength: Int?

    /// Why fields are no request. The stream ends with PROTOCOL_ERROR.
    enum Problem: Error { case malformed }

    init(_ fields: HPACKFields) throws(Problem) {
        var (method, scheme, path, authority): (Entry?, Entry?, Entry?, Entry?)
        var count = 0
        for entry in fields.entries {
            guard fields.name(of: entry).first == 0x3A else { break }
            count += 1
            let name = fields.name(of: entry)
            if Self.isEqual(name, ":method"), method == nil {
                method = entry
            } else if Self.isEqual(name, ":scheme"), scheme == nil {
                scheme = entry
            } else if Self.isEqual(name, ":path"), path == nil {
                path = entry
            } else if Self.isEqual(name, ":authority"), authority == nil {
                authority = entry
            } else {
                throw .malformed
            }
            guard Self.isValue(fields.value(of: entry)) else { throw .malformed }
        }
        guard let method, method.valueCount > 0 else { throw .malformed }
        if Self.isEqual(fields.value(of: method), "CONNECT") {
            guard scheme == nil, path == nil, authority != nil else { throw .malformed }
        } else {
            guard let scheme, scheme.valueCount > 0, let path, path.valueCount > 0 else { throw .malformed }
        }
        contentLength = try Self.checkRegular(fields, from: count)
        self.fields = fields
        (self.method, self.path, self.authority, firstRegular) = (method, path, authority, count)
    }

    /// Checks the fields behind those with ":", and answers the length that they announce.
    static func checkRegular(_ fields: HPACKFields, from first: Int) throws(Problem) -> Int? {
        var length: Int?
        for entry in fields.entries[first...] {
            let (name, value) = (fields.name(of: entry), fields.value(of: entry))
            guard !name.isEmpty, name.allSatisfy(isNameByte), isValue(value) else { throw .malformed }
            if name.withUnsafeBufferPointer({ isOfConnection($0) }) { throw .malformed }
            if isEqual(name, "te"), !isEqual(value, "trailers") { throw .malformed }
            if isEqual(name, "content-length") {
                guard length == nil, let number = number(value) else { throw .malformed }
                length = number
            }
        }
        return length
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        // More than any length that can be served, and no overflow.
        guard !digits.isEmpty, digits.count <= 18, digits.allSatisfy({ $0 &- 0x30 < 10 }) else { return nil }
        return digits.reduce(0) { $0 * 10 + Int($1 &- 0x30) }
    }

    private static func isEqual(_ bytes: ArraySlice<UInt8>, _ text: StaticString) -> Bool {
        guard bytes.count == text.utf8CodeUnitCount else { return false }
        return text.withUTF8Buffer { bytes.elementsEqual($0) }
    }

    /// Returns whether a field of that name is about a connection of HTTP/1.1.
    static func isOfConnection(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
        switch name.count {
        case 7: HPACKEncoder.isEqual(name, "upgrade")
        case 10: HPACKEncoder.isEqual(name, "connection") || HPACKEncoder.isEqual(name, "keep-alive")
        case 16: HPACKEncoder.isEqual(name, "proxy-connection")
        case 17: HPACKEncoder.isEqual(name, "transfer-encoding")
        default: false
        }
    }

    // One bit for each of "!#$%&'*+-.^_`|~", the digits and the lower letters.
    private static let nameLow: UInt64 = 0x03FF_6CFA_0000_0000
    private static let nameHigh: UInt64 = 0x57FF_FFFF_C000_0000

    private static func isNameByte(_ byte: UInt8) -> Bool {
        byte < 128 && ((byte < 64 ? nameLow : nameHigh) >> UInt64(byte & 63)) & 1 == 1
    }

    /// Returns whether the bytes are a value: no control characters, and no blank at either end.
    private static func isValue(_ value: ArraySlice<UInt8>) -> Bool {
        if let first = value.first, first == 0x20 || first == 0x09 { return false }
        if let last = value.last, last == 0x20 || last == 0x09 { return false }
        return value.allSatisfy { $0 >= 0x20 ? $0 != 0x7F : $0 == 0x09 }
    }
}
