/// The static table of RFC 7541, appendix A: the fields that every client and server knows. Made when the first header block comes.
final class HPACKStaticTable: Sendable {
    static let shared = HPACKStaticTable()

    /// The fields in their order, with "=" before a value and "|" behind each.
    private static let text: StaticString = """
        :authority|:method=GET|:method=POST|:path=/|:path=/index.html|:scheme=http|:scheme=https|:status=200|\
        :status=204|:status=206|:status=304|:status=400|:status=404|:status=500|accept-charset|\
        accept-encoding=gzip, deflate|accept-language|accept-ranges|accept|access-control-allow-origin|age|\
        allow|authorization|cache-control|content-disposition|content-encoding|content-language|content-length|\
        content-location|content-range|content-type|cookie|date|etag|expect|expires|from|host|if-match|\
        if-modified-since|if-none-match|if-range|if-unmodified-since|last-modified|link|location|max-forwards|\
        proxy-authenticate|proxy-authorization|range|referer|refresh|retry-after|server|set-cookie|\
        strict-transport-security|transfer-encoding|user-agent|vary|via|www-authenticate|
        """

    static let count = 61

    /// Where a field is in `bytes`.
    struct Entry {
        let start: UInt16
        let nameCount: UInt8
        let valueCount: UInt8
    }

    let bytes: [UInt8]
    let entries: [Entry]

    private init() {
        var bytes: [UInt8] = []
        var entries: [Entry] = []
        var (start, nameCount) = (0, -1)
        Self.text.withUTF8Buffer { text in
            for byte in text {
                switch byte {
                case UInt8(ascii: "="):
                    nameCount = bytes.count - start
                case UInt8(ascii: "|"):
                    if nameCount < 0 { nameCount = bytes.count - start }
                    entries.append(
                        Entry(
                            start: UInt16(truncatingIfNeeded: start), nameCount: UInt8(truncatingIfNeeded: nameCount),
                            valueCount: UInt8(truncatingIfNeeded: bytes.count - start - nameCount)))
                    (start, nameCount) = (bytes.count, -1)
                default:
                    bytes.append(byte)
                }
            }
        }
        (self.bytes, self.entries) = (bytes, entries)
    }

    /// The name and the value of a field, counted from 1.
    func field(_ index: Int) -> (name: ArraySlice<UInt8>, value: ArraySlice<UInt8>)? {
        guard entries.indices.contains(index - 1) else { return nil }
        let entry = entries[index - 1]
        let middle = Int(entry.start) + Int(entry.nameCount)
        return (bytes[Int(entry.start)..<middle], bytes[middle..<middle + Int(entry.valueCount)])
    }

    /// The first field of that name, counted from 1. Behind those that begin with ":" the names are in order, so each is found by halving.
    func index(ofName name: UnsafeBufferPointer<UInt8>) -> Int? {
        var (low, high) = (Self.firstRegular, entries.count)
        while low < high {
            let middle = (low + high) / 2
            let entry = entries[middle]
            let other = bytes[Int(entry.start)..<Int(entry.start) + Int(entry.nameCount)]
            if other.elementsEqual(name) { return middle + 1 }
            if Self.precedes(other, name) { low = middle + 1 } else { high = middle }
        }
        return nil
    }

    /// The order of the table: that of the bytes, where a longer name comes before its own beginning.
    private static func precedes(_ first: ArraySlice<UInt8>, _ second: UnsafeBufferPointer<UInt8>) -> Bool {
        for (one, other) in zip(first, second) where one != other { return one < other }
        return first.count > second.count
    }

    /// The place of the first field that does not begin with ":".
    private static let firstRegular = 14
}
