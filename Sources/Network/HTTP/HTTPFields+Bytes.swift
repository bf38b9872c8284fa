import Glibc

extension HTTPFields {
    /// Hands the bytes of each field to the closure, in order: its name in lower case, and its value.
    package func forEach(_ body: (_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) -> Void) {
        storage.withUnsafeBytes { bytes in
            for entry in entries {
                body(
                    Self.part(of: bytes, entry.nameStart, entry.nameCount),
                    Self.part(of: bytes, entry.valueStart, entry.valueCount))
            }
        }
    }

    /// Hands the bytes of each value of that name, which is written in lower case, to the closure, in order.
    package func forEachValue(of name: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Void) {
        guard mayHave(name) else { return }
        storage.withUnsafeBytes { bytes in
            for entry in entries where Int(entry.nameCount) == name.count {
                guard let start = bytes.baseAddress, let other = name.baseAddress,
                    memcmp(start + Int(entry.nameStart), other, name.count) == 0
                else { continue }
                body(Self.part(of: bytes, entry.valueStart, entry.valueCount))
            }
        }
    }

    /// The same with the bytes of the text of each value, which are UTF-8 whatever has come.
    package func forEachText(of name: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Void) {
        forEachValue(of: name) { value in
            guard !Self.isASCII(value) else { return body(value) }
            var text = Self.text(ofValue: value)
            text.withUTF8 { body(UnsafeRawBufferPointer($0)) }
        }
    }

    static func part(
        of bytes: UnsafeRawBufferPointer, _ start: UInt16, _ count: UInt16
    ) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: bytes[Int(start)..<Int(start) + Int(count)])
    }

    /// The text of a value: UTF-8, or where it is none, Latin-1, as browsers send it.
    package static func text(ofValue bytes: UnsafeRawBufferPointer) -> String {
        // Nearly every value is ASCII, for which the quick way of the library is right.
        if isASCII(bytes) { return String(decoding: bytes, as: UTF8.self) }
        return String(validating: bytes, as: UTF8.self)
            ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }

    /// Tells whether all bytes are ASCII.
    ///
    /// Hot path: eight bytes at a time.
    package static func isASCII(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var (bits, place): (UInt64, Int) = (0, 0)
        while place + 8 <= bytes.count {
            bits |= bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)
            place += 8
        }
        while place < bytes.count {
            bits |= UInt64(bytes[place])
            place += 1
        }
        return bits & 0x8080_8080_8080_8080 == 0
    }

    /// Returns whether a name may hold the byte, and whether a value may.
    package static func isNameByte(_ byte: UInt8) -> Bool { HTTPCharacters.isToken(byte) }
    package static func isValueByte(_ byte: UInt8) -> Bool { HTTPCharacters.isFieldValue(byte) }
}
