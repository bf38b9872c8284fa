extension JSONParser {
    /// A string, from the quote that opens it to behind the one that closes it.
    ///
    /// Hot path: a string without escapes is checked and copied once.
    mutating func string() throws(JSONError) -> String {
        let opening = index
        index += 1
        let start = index
        let isASCII = skipPlain()
        if skip(UInt8(ascii: "\"")) {
            if !isASCII { try checkUTF8(start..<(index - 1)) }
            return String(decoding: UnsafeRawBufferPointer(rebasing: bytes[start..<(index - 1)]), as: UTF8.self)
        }
        var decoded: [UInt8] = []
        decoded.append(contentsOf: bytes[start..<index])
        while true {
            switch current {
            case UInt8(ascii: "\""):
                // Escapes are ASCII and stand for whole characters, so the text is right if its source is.
                try checkUTF8(start..<index)
                index += 1
                return String(decoding: decoded, as: UTF8.self)
            case UInt8(ascii: "\\"):
                try escape(into: &decoded)
            default:
                guard index < bytes.count else {
                    let place = JSONPosition(offset: opening, in: bytes)
                    throw unexpected("the double quote that ends the string of line \(place.line)", at: index)
                }
                throw unexpected("an escape such as \\n or \\u000a in place of a control character")
            }
            let next = index
            skipPlain()
            decoded.append(contentsOf: UnsafeRawBufferPointer(rebasing: bytes[next..<index]))
        }
    }

    /// Moves to the next byte that ends a run of plain text: a quote, a backslash, a control character, or the end. Returns whether
    /// all of the run is ASCII.
    @discardableResult
    mutating func skipPlain() -> Bool {
        var seen: UInt64 = 0
        while index + 8 <= bytes.count {
            let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
            let escapes = JSONBytes.escapes(in: word)
            guard escapes == 0 else {
                let count = escapes.trailingZeroBitCount / 8
                index += count
                return (seen | word & (1 &<< UInt64(truncatingIfNeeded: count * 8) &- 1)) & JSONBytes.notASCII == 0
            }
            seen |= word
            index += 8
        }
        while index < bytes.count, !JSONBytes.needsEscape(bytes[index]) {
            seen |= UInt64(bytes[index])
            index += 1
        }
        return seen & JSONBytes.notASCII == 0
    }

    private func checkUTF8(_ range: Range<Int>) throws(JSONError) {
        if let place = JSONBytes.firstInvalidUTF8(in: bytes, range) { throw unexpected("UTF-8", at: place) }
    }

    /// An escape sequence, from its backslash on.
    private mutating func escape(into decoded: inout [UInt8]) throws(JSONError) {
        index += 1
        switch current {
        case UInt8(ascii: "\""): decoded.append(UInt8(ascii: "\""))
        case UInt8(ascii: "\\"): decoded.append(UInt8(ascii: "\\"))
        case UInt8(ascii: "/"): decoded.append(UInt8(ascii: "/"))
        case UInt8(ascii: "b"): decoded.append(0x08)
        case UInt8(ascii: "f"): decoded.append(0x0C)
        case UInt8(ascii: "n"): decoded.append(0x0A)
        case UInt8(ascii: "r"): decoded.append(0x0D)
        case UInt8(ascii: "t"): decoded.append(0x09)
        case UInt8(ascii: "u"):
            index += 1
            decoded.append(contentsOf: UTF8.encode(try unicodeScalar()) ?? UTF8.encodedReplacementCharacter)
            return
        default: throw unexpected("one of \" \\ / b f n r t u after a backslash")
        }
        index += 1
    }

    /// The scalar of four hexadecimal digits, and of the second half of a surrogate pair when it follows.
    private mutating func unicodeScalar() throws(JSONError) -> UnicodeScalar {
        let unit = try hexadecimalUnit()
        guard UTF16.isLeadSurrogate(unit) else {
            guard let scalar = UnicodeScalar(unit) else { return try lone() }
            return scalar
        }
        guard index + 1 < bytes.count, bytes[index] == UInt8(ascii: "\\"), bytes[index + 1] == UInt8(ascii: "u") else {
            return try lone()
        }
        let second = index
        index += 2
        let trail = try hexadecimalUnit()
        guard UTF16.isTrailSurrogate(trail) else {
            // Something else of its own: it is read again, as the next escape.
            index = second
            return try lone()
        }
        let value = 0x10000 + (UInt32(unit & 0x3FF) << 10 | UInt32(trail & 0x3FF))
        guard let scalar = UnicodeScalar(value) else { return try lone() }
        return scalar
    }

    /// The replacement of half a surrogate pair.
    private func lone() throws(JSONError) -> UnicodeScalar {
        guard !limits.refusesLoneSurrogates else { throw unexpected("the other half of a surrogate pair") }
        return "\u{FFFD}"
    }

    private mutating func hexadecimalUnit() throws(JSONError) -> UInt16 {
        var unit: UInt16 = 0
        for _ in 0..<4 {
            let digit: UInt8
            switch current {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = current - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = current - UInt8(ascii: "a") + 10
            case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = current - UInt8(ascii: "A") + 10
            default: throw unexpected("four hexadecimal digits after \\u")
            }
            unit = unit << 4 | UInt16(digit)
            index += 1
        }
        return unit
    }
}
