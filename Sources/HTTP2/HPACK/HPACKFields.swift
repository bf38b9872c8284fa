/// The fields of a header block, in order, over bytes of their own.
package struct HPACKFields: Sendable {
    /// Where a field is in `bytes`.
    package struct Entry: Sendable {
        package let start: Int
        package let nameCount: Int
        package let valueCount: Int
        /// True if the client asks that the field is kept in no table.
        package let isNeverIndexed: Bool
    }

    package private(set) var bytes: [UInt8] = []
    package private(set) var entries: [Entry] = []
    /// True if there were more fields than the limit allows. They are left out.
    package private(set) var isTooLarge = false
    /// The size of all fields, those that were left out included.
    private(set) var listBytes = 0

    /// The bytes that RFC 7541 adds to those of each field.
    static let entryBytes = 32

    package init() {}

    package func name(of entry: Entry) -> ArraySlice<UInt8> { bytes[entry.start..<entry.start + entry.nameCount] }

    package func value(of entry: Entry) -> ArraySlice<UInt8> {
        let start = entry.start + entry.nameCount
        return bytes[start..<start + entry.valueCount]
    }

    /// Returns whether a field of so many bytes has a place. One that has none counts too.
    mutating func hasRoom(for count: Int, limits: HTTP2Limits) throws(HPACKError) -> Bool {
        listBytes += count + Self.entryBytes
        let isBeyond = listBytes > limits.headerListBytes || entries.count >= limits.headerFields
        guard isBeyond else { return true }
        guard listBytes <= limits.headerListBytes * max(1, limits.headerListTimesMax) else { throw .tooLarge }
        isTooLarge = true
        return false
    }

    /// Adds a field whose bytes the body appends: the name, then the value.
    mutating func append(nameCount: Int, isNeverIndexed: Bool = false, _ body: (inout [UInt8]) -> Void) {
        let start = bytes.count
        body(&bytes)
        entries.append(
            Entry(
                start: start, nameCount: nameCount, valueCount: bytes.count - start - nameCount,
                isNeverIndexed: isNeverIndexed))
    }
}
