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
        // No key has U+0000, nor does a text on a server.
        guard !prefix.utf8.contains(0) else { return page }
        // The place to seek.
        var place = prefix
        if !after.isEmpty {
            guard let behind = isFolded(Array(after.utf8)) ? after.endOfPrefix : Self.next(after) else { return page }
            if ByteText(place) < ByteText(behind) { place = behind }
        }
        var count = 0
        var last = ""
        seeking: while true {
            var next: String?
            var isFull = false
            try reader.rows(Self.fromKey, [.text(bucket), .text(place)]) { row throws(FileError) in
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
                    next = folded.endOfPrefix ?? ""
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

    /// The first place behind a text where a key can be.
    private static func next(_ text: String) -> String {
        String(decoding: text.utf8.prefix { $0 != 0 }, as: UTF8.self) + "\u{1}"
    }

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
}
