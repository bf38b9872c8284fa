import Glibc

/// The header fields of a message, in order, over the bytes they came in.
///
/// Names are in lower case. A value is what stands between the colon and the end of the line, without the blanks at
/// both ends; it is UTF-8, or where its bytes are none, Latin-1.
package struct HTTPFields: Sendable {
    /// Where a field stands in `storage`. A head never has more than 64 KiB, so 16 bits are enough.
    struct Entry: Sendable {
        let nameStart: UInt16
        let nameCount: UInt16
        let valueStart: UInt16
        let valueCount: UInt16
    }

    /// The most bytes that the fields of a message can take together.
    static let bytesMax = Int(UInt16.max)

    private(set) var storage: [UInt8]
    private(set) var entries: [Entry]
    /// A bit for each name that is there, which others may share. Hot path: most names that are asked for are not there.
    private let names: UInt64

    init(storage: [UInt8] = [], entries: [Entry] = []) {
        self.storage = storage
        self.entries = entries
        names = storage.withUnsafeBytes { bytes in
            entries.reduce(0 as UInt64) { $0 | Self.bit(of: Self.part(of: bytes, $1.nameStart, $1.nameCount)) }
        }
    }

    /// The bit of a name, by its length, its first and its last letter.
    @inline(__always)
    private static func bit(of name: UnsafeRawBufferPointer) -> UInt64 {
        guard let first = name.first, let last = name.last else { return 1 }
        let place = UInt64(first) ^ UInt64(last) << 1 ^ UInt64(truncatingIfNeeded: name.count) &* 5
        return 1 << (place % 64)
    }

    /// Returns false where no field has that name, which is written in lower case; mostly true where one has.
    @inline(__always)
    func mayHave(_ name: UnsafeRawBufferPointer) -> Bool { names & Self.bit(of: name) != 0 }

    @inline(__always)
    func mayHave(_ name: StaticString) -> Bool {
        mayHave(UnsafeRawBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
    }

    package var count: Int { entries.count }

    /// The bytes of the whole head that the fields came in.
    package var byteCount: Int { storage.count }

    /// The value of the first field of that name, which is written in lower case.
    package subscript(name: StaticString) -> String? {
        guard let entry = first(name) else { return nil }
        return text(from: entry.valueStart, count: entry.valueCount)
    }

    package func contains(_ name: StaticString) -> Bool {
        first(name) != nil
    }

    /// Returns whether there is a field with such a name, of which the closure gets the bytes, in lower case.
    package func contains(where isMeant: (UnsafeRawBufferPointer) -> Bool) -> Bool {
        storage.withUnsafeBytes { bytes in
            entries.contains { entry in
                let start = Int(entry.nameStart)
                return isMeant(UnsafeRawBufferPointer(rebasing: bytes[start..<start + Int(entry.nameCount)]))
            }
        }
    }

    /// Every value of that name, in order.
    package func values(of name: StaticString) -> [String] {
        guard mayHave(name) else { return [] }
        return entries.filter { isName($0, name) }.map { text(from: $0.valueStart, count: $0.valueCount) }
    }

    /// Every value of that name, which is written in lower case, in order.
    package func values(of name: String) -> [String] {
        // Hot path for names that are not there, as those of credentials mostly are.
        var values: [String] = []
        var name = name
        name.withUTF8 { name in
            guard mayHave(UnsafeRawBufferPointer(name)) else { return }
            storage.withUnsafeBytes { bytes in
                for entry in entries where Int(entry.nameCount) == name.count {
                    guard let start = bytes.baseAddress, let other = name.baseAddress,
                        memcmp(start + Int(entry.nameStart), other, name.count) == 0
                    else { continue }
                    values.append(text(from: entry.valueStart, count: entry.valueCount))
                }
            }
        }
        return values
    }

    /// All fields, in order.
    package var all: [(name: String, value: String)] {
        entries.map {
            (text(from: $0.nameStart, count: $0.nameCount), text(from: $0.valueStart, count: $0.valueCount))
        }
    }

    /// Returns whether one of the comma-separated members of the fields of that name is the token, in any case.
    package func list(_ name: StaticString, contains token: StaticString) -> Bool {
        mayHave(name)
            && entries.contains { entry in
                isName(entry, name)
                    && value(of: entry).split(separator: UInt8(ascii: ",")).contains { member in
                        Self.isEqual(Self.trimmed(member), token)
                    }
            }
    }

    /// Hands the bytes of the first field of that name to the closure, for those who need no `String`; nil when there is
    /// no such field.
    package func withValue<Answer>(of name: StaticString, _ body: (UnsafeRawBufferPointer) -> Answer) -> Answer? {
        guard let entry = first(name) else { return nil }
        return storage.withUnsafeBytes {
            body(
                UnsafeRawBufferPointer(
                    rebasing: $0[Int(entry.valueStart)..<Int(entry.valueStart) + Int(entry.valueCount)]))
        }
    }

    /// Returns whether the byte is in the value of a field of that name.
    package func contains(_ byte: UInt8, inValuesOf name: StaticString) -> Bool {
        mayHave(name) && entries.contains { isName($0, name) && value(of: $0).contains(byte) }
    }

    func first(_ name: StaticString) -> Entry? {
        guard mayHave(name) else { return nil }
        for entry in entries where isName(entry, name) { return entry }
        return nil
    }

    func value(of entry: Entry) -> ArraySlice<UInt8> {
        storage[Int(entry.valueStart)..<Int(entry.valueStart) + Int(entry.valueCount)]
    }

    /// Hot path: one comparison of memory.
    @inline(__always)
    func isName(_ entry: Entry, _ name: StaticString) -> Bool {
        guard Int(entry.nameCount) == name.utf8CodeUnitCount else { return false }
        return storage.withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress else { return false }
            return memcmp(start + Int(entry.nameStart), name.utf8Start, Int(entry.nameCount)) == 0
        }
    }

    func text(from start: UInt16, count: UInt16) -> String {
        storage.withUnsafeBytes { Self.text(ofValue: Self.part(of: $0, start, count)) }
    }

    static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var bytes = bytes
        while let first = bytes.first, HTTPCharacters.isBlank(first) { bytes.removeFirst() }
        while let last = bytes.last, HTTPCharacters.isBlank(last) { bytes.removeLast() }
        return bytes
    }

    /// Returns whether the bytes are the text, which is written in lower case, in any case.
    package static func isEqual(_ bytes: some Collection<UInt8>, _ text: StaticString) -> Bool {
        guard bytes.count == text.utf8CodeUnitCount else { return false }
        return text.withUTF8Buffer { text in
            zip(bytes, text).allSatisfy { HTTPCharacters.lowercased($0) == $1 }
        }
    }
}
