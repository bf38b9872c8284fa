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
    package func forEachValue(of name: String, _ body: (UnsafeRawBufferPointer) -> Void) {
        var name = name
        name.withUTF8 { name in
            storage.withUnsafeBytes { bytes in
                for entry in entries where Int(entry.nameCount) == name.count {
                    guard let start = bytes.baseAddress, let other = name.baseAddress,
                        memcmp(start + Int(entry.nameStart), other, name.count) == 0
                    else { continue }
                    body(Self.part(of: bytes, entry.valueStart, entry.valueCount))
                }
            }
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
        if bytes.allSatisfy({ $0 < 0x80 }) { return String(decoding: bytes, as: UTF8.self) }
        return String(validating: bytes, as: UTF8.self)
            ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }

    /// Whether a name may hold the byte, and whether a value may.
    package static func isNameByte(_ byte: UInt8) -> Bool { HTTPCharacters.isToken(byte) }
    package static func isValueByte(_ byte: UInt8) -> Bool { HTTPCharacters.isFieldValue(byte) }
}
