import JSON
import Store

/// A page of a bucket's keys, in the order of their bytes.
///
/// Prefixes that a delimiter folds are skipped by seeking behind them: a page costs what it shows, wherever it lies and whatever lies
/// between.
struct FileListing {
    let bucket: String
    var prefix = ""
    var delimiter: String?
    /// The last key, or folded prefix, that was shown before. Keys up to it are left out, and all that it folds.
    var after = ""
    var max = FileLimits.keysMax

    struct Entry: Sendable {
        let key: String
        let size: Int64
        let tag: String
        let modified: Int64
        let checksum: StoredChecksum?
    }

    struct Page: Sendable {
        var entries: [Entry] = []
        var prefixes: [String] = []
        /// What came last, where there is more.
        var last: String?
    }

    private static let fromKey = RoomStatement(
        """
        SELECT key, size, tag, modified, checksum FROM _homeport_files WHERE bucket = ? AND key >= ? ORDER BY key
        """, isOpen: true)

    func page(from reader: some RoomReading) throws(FileError) -> Page {
        var page = Page()
        guard max > 0 else { return page }
        // The place to seek: a key as bytes, since what lies behind all keys of a prefix need not be text.
        var place = Array(prefix.utf8)
        let after = Array(self.after.utf8)
        if !after.isEmpty {
            let behind = isFolded(after) ? Self.behind(after) : after + [0]
            guard let behind else { return page }
            if place.lexicographicallyPrecedes(behind) { place = behind }
        }
        var count = 0
        var last = ""
        seeking: while true {
            var next: [UInt8]?
            var isFull = false
            try reader.rows(Self.fromKey, [.text(bucket), Self.place(place)]) { row throws(FileError) in
                let key = row.text(0)
                guard key.utf8.starts(with: prefix.utf8) else { return false }
                guard count < max else {
                    isFull = true
                    return false
                }
                count += 1
                if let folded = folded(key) {
                    page.prefixes.append(folded)
                    last = folded
                    next = Self.behind(Array(folded.utf8)) ?? []
                    return false
                }
                page.entries.append(
                    Entry(
                        key: key, size: row.integer(1), tag: row.text(2), modified: row.integer(3),
                        checksum: row.isNull(4) ? nil : StoredChecksum(stored: row.text(4))))
                last = key
                return true
            }
            if isFull { page.last = last }
            guard let next, !next.isEmpty else { return page }
            place = next
        }
    }

    /// A place between keys. Text of SQLite may be no UTF-8 in a comparison: it is compared as bytes.
    private static func place(_ bytes: [UInt8]) -> StoredValue { .utf8(bytes) }

    private func folded(_ key: String) -> String? { Self.folded(key, prefix, delimiter) }

    /// The prefix under which a key is shown, where the delimiter folds it.
    static func folded(_ key: String, _ prefix: String, _ delimiter: String?) -> String? {
        guard let delimiter, !delimiter.isEmpty else { return nil }
        let rest = Array(key.utf8.dropFirst(prefix.utf8.count))
        guard let end = end(of: Array(delimiter.utf8), in: rest) else { return nil }
        return prefix + String(decoding: rest[..<end], as: UTF8.self)
    }

    private func isFolded(_ bytes: [UInt8]) -> Bool {
        guard let delimiter, !delimiter.isEmpty, bytes.starts(with: prefix.utf8) else { return false }
        let rest = Array(bytes.dropFirst(prefix.utf8.count))
        return Self.end(of: Array(delimiter.utf8), in: rest) == rest.count
    }

    private static func end(of mark: [UInt8], in bytes: [UInt8]) -> Int? {
        guard mark.count <= bytes.count else { return nil }
        for start in 0...(bytes.count - mark.count) where bytes[start...].starts(with: mark) {
            return start + mark.count
        }
        return nil
    }

    /// The first place behind all that begins with these bytes; nil where there is none.
    private static func behind(_ bytes: [UInt8]) -> [UInt8]? {
        var bytes = bytes
        while let last = bytes.popLast() {
            if last < 0xFF { return bytes + [last + 1] }
        }
        return nil
    }
}
