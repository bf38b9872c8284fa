/// Writes the fields of answers as header blocks. It uses the static table and no table of its own: an idle connection holds nothing for
/// it, and nobody can learn of a field from how another one is compressed.
struct HPACKEncoder {
    /// True if the client has made its table smaller, which the next block has to confirm.
    private var mustConfirmSize = false
    private var hasConfirmedSize = false

    /// The client's table has that size from now on.
    mutating func tableSizeChanged(to size: Int) {
        if size < HTTP2Limits.tableBytes, !hasConfirmedSize { mustConfirmSize = true }
    }

    /// To be called before the fields of a block.
    mutating func beginBlock(_ output: inout [UInt8]) {
        guard mustConfirmSize else { return }
        (mustConfirmSize, hasConfirmedSize) = (false, true)
        // A table of no bytes, which fits into whatever the client has chosen.
        output.append(0x20)
    }

    static func append(status: Int, to output: inout [UInt8]) {
        let indexed: UInt8? =
            switch status {
            case 200: 8
            case 204: 9
            case 206: 10
            case 304: 11
            case 400: 12
            case 404: 13
            case 500: 14
            default: nil
            }
        if let indexed { return output.append(0x80 | indexed) }
        // ":status" by its index, and three digits.
        output.append(contentsOf: [0x08, 3])
        for divisor in [100, 10, 1] { output.append(0x30 + UInt8(truncatingIfNeeded: status / divisor % 10)) }
    }

    /// Appends a field that goes into no table. The name is written in lower case, whatever it was.
    static func append(
        name: UnsafeBufferPointer<UInt8>, value: UnsafeBufferPointer<UInt8>, isSecret: Bool = false,
        to output: inout [UInt8]
    ) {
        let pattern: UInt8 = isSecret ? 0x10 : 0
        if let index = HPACKStaticTable.shared.index(ofName: name) {
            HPACKInteger.append(index, prefixBits: 4, pattern: pattern, to: &output)
        } else {
            output.append(pattern)
            HPACKInteger.append(name.count, prefixBits: 7, pattern: 0, to: &output)
            for byte in name { output.append(byte &- 0x41 < 26 ? byte | 0x20 : byte) }
        }
        HPACKInteger.append(value.count, prefixBits: 7, pattern: 0, to: &output)
        output.append(contentsOf: value)
    }

    /// Appends fields that are written as lines of HTTP/1.1 ("name: value", CRLF), without those that are about its connection.
    static func append(lines: UnsafeBufferPointer<UInt8>, to output: inout [UInt8]) {
        var start = 0
        while start < lines.count {
            guard let end = lines[start...].firstIndex(of: 0x0D) else { return }
            if let colon = lines[start..<end].firstIndex(of: 0x3A) {
                let name = UnsafeBufferPointer(rebasing: lines[start..<colon])
                var valueStart = colon + 1
                while valueStart < end, lines[valueStart] == 0x20 { valueStart += 1 }
                let value = UnsafeBufferPointer(rebasing: lines[valueStart..<end])
                if !HTTP2RequestFields.isOfConnection(name) {
                    append(name: name, value: value, isSecret: isEqual(name, "set-cookie"), to: &output)
                }
            }
            start = end + 2
        }
    }

    /// Returns whether the bytes are that text, which is in lower case, in any case.
    static func isEqual(_ bytes: UnsafeBufferPointer<UInt8>, _ text: StaticString) -> Bool {
        guard bytes.count == text.utf8CodeUnitCount else { return false }
        return text.withUTF8Buffer { text in
            zip(bytes, text).allSatisfy { ($0 &- 0x41 < 26 ? $0 | 0x20 : $0) == $1 }
        }
    }
}
