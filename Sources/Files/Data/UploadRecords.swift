import JSON
import Store

/// An upload in parts that has not ended.
struct StoredUpload: Sendable {
    let number: Int64
    let id: String
    let key: String
    let owner: String
    /// In milliseconds since 1970.
    let started: Int64
    let content: ObjectContent
    /// The checksum that the parts are to have, and whether that of the object is over all its bytes.
    let checksum: UploadChecksum?
}

/// How the checksum of an object from parts is made.
struct UploadChecksum: Sendable, Equatable {
    let kind: Checksum
    let isOfWhole: Bool

    init(_ kind: Checksum, isOfWhole: Bool) {
        self.kind = kind
        self.isOfWhole = isOfWhole
    }

    var stored: String { kind.rawValue + (isOfWhole ? ":whole" : ":parts") }

    init?(stored: String) {
        let parts = stored.utf8.split(separator: UInt8(ascii: ":"))
        guard parts.count == 2, let kind = Checksum(rawValue: String(Substring(parts[0]))) else { return nil }
        self.init(kind, isOfWhole: ByteText(Substring(parts[1])) == ByteText("whole"))
    }
}

/// A part of an upload.
struct StoredPart: Sendable {
    let number: Int
    let file: FileNumber
    let size: Int64
    /// The digest of its bytes, in hexadecimal digits.
    let tag: String
    let modified: Int64
    let checksum: StoredChecksum?
    let sum: UInt64
}

/// An upload that was completed, for whoever asks again.
struct StoredCompletion: Sendable {
    /// What was asked for, by which a second call is told from another one.
    let list: String
    let answer: JSONValue
}

/// Uploads in parts in the database.
extension RoomReading {
    /// The upload with that id of that owner, to that key: nobody else finds it.
    func upload(_ id: String, _ bucket: String, _ key: String, owner: String) throws(FileError) -> StoredUpload? {
        var found: StoredUpload?
        try rows(UploadRow.selection, [.text(id), .text(bucket), .text(key), .text(owner)]) { row throws(FileError) in
            found = UploadRow.upload(row)
            return false
        }
        return found
    }

    /// The parts of an upload behind a number, in their order.
    func parts(of upload: Int64, after: Int = 0, max: Int = FileLimits.partsMax) throws(FileError) -> [StoredPart] {
        var parts: [StoredPart] = []
        guard max > 0 else { return parts }
        try rows(UploadRow.parts, [.integer(upload), .integer(Int64(after))]) { row throws(FileError) in
            parts.append(UploadRow.part(row))
            return parts.count < max
        }
        return parts
    }

    func uploadCount() throws(FileError) -> Int {
        var count = 0
        try rows(UploadRow.count, []) { row throws(FileError) in
            count = Int(clamping: row.integer(0))
            return false
        }
        return count
    }

    /// Uploads that began before that time.
    func uploads(before time: Int64, max: Int) throws(FileError) -> [Int64] {
        var numbers: [Int64] = []
        try rows(UploadRow.old, [.integer(time)]) { row throws(FileError) in
            numbers.append(row.integer(0))
            return numbers.count < max
        }
        return numbers
    }

    /// Uploads to the keys of a bucket that begin with a prefix, behind one of them, in the order of keys and then of their beginning.
    func uploads(
        _ bucket: String, prefix: String, afterKey key: String, afterID id: String?, max: Int
    ) throws(FileError) -> [StoredUpload] {
        var uploads: [StoredUpload] = []
        guard max > 0 else { return uploads }
        let from = key.utf8.lexicographicallyPrecedes(prefix.utf8) ? prefix : key
        var isBehind = key.isEmpty
        try rows(UploadRow.list, [.text(bucket), .text(from)]) { row throws(FileError) in
            let upload = UploadRow.upload(row)
            guard upload.key.utf8.starts(with: prefix.utf8) else { return false }
            if !isBehind {
                // Without an id all uploads to the marker's key are left out.
                guard ByteText(upload.key) != ByteText(key) else {
                    isBehind = id.map { ByteText($0) == ByteText(upload.id) } ?? false
                    return true
                }
                isBehind = true
            }
            uploads.append(upload)
            return uploads.count < max
        }
        return uploads
    }

    func completion(_ id: String, _ bucket: String, _ key: String, owner: String) throws(FileError) -> StoredCompletion?
    {
        var found: StoredCompletion?
        try rows(UploadRow.completion, [.text(id), .text(bucket), .text(key), .text(owner)]) { row throws(FileError) in
            found = StoredCompletion(list: row.text(0), answer: (try? JSONReader.value(of: row.text(1))) ?? .null)
            return false
        }
        return found
    }
}

extension FileWriting {
    /// Begins an upload. The number of those that have not ended is bounded.
    func begin(
        _ id: String, _ bucket: String, _ key: String, owner: String, _ content: ObjectContent,
        _ checksum: UploadChecksum?,
        uploadsMax: Int
    ) throws(FileError) {
        guard try session.uploadCount() < uploadsMax else {
            throw .slowDown.because("\(uploadsMax) uploads in parts have not ended, which is the limit")
        }
        try change(
            UploadRow.insertion,
            [
                .text(id), .text(bucket), .text(key), .text(owner), .integer(now), .text(content.stored),
                checksum.map { .text($0.stored) } ?? .null,
            ])
    }

    /// Puts a part in, in the place of one that was sent before. Answers that one's file.
    func put(_ part: StoredPart, of upload: Int64) throws(FileError) -> FileNumber? {
        try demandRun(of: part.file)
        var old: FileNumber?
        try session.rows(UploadRow.partFile, [.integer(upload), .integer(Int64(part.number))]) {
            row throws(FileError) in
            old = FileNumber(row.integer(0))
            return false
        }
        try change(
            UploadRow.partInsertion,
            [
                .integer(upload), .integer(Int64(part.number)), .integer(part.file.raw), .integer(part.size),
                .text(part.tag), .integer(part.modified), part.checksum.map { .text($0.stored) } ?? .null,
                .integer(Int64(bitPattern: part.sum)),
            ])
        return try old.map { (old) throws(FileError) in try leave(old) }
    }

    /// Ends an upload. Answers the files of its parts, but for one that has become the object's.
    func end(_ upload: Int64, keeping kept: FileNumber? = nil) throws(FileError) -> [FileNumber] {
        let files = try session.parts(of: upload).map(\.file).filter { $0 != kept }
        for file in files { try leave(file) }
        try change(UploadRow.partsDeletion, [.integer(upload)])
        try change(UploadRow.deletion, [.integer(upload)])
        return files
    }

    /// Remembers what came of an upload, and forgets those of long ago.
    func complete(
        _ id: String, _ bucket: String, _ key: String, owner: String, list: String, answer: JSONValue,
        keptFor milliseconds: Int64
    ) throws(FileError) {
        try change(UploadRow.completionSweep, [.integer(now - milliseconds)])
        try change(
            UploadRow.completionInsertion,
            [
                .text(id), .text(bucket), .text(key), .text(owner), .integer(now), .text(list),
                .text(JSONWriter.text(of: answer)),
            ])
    }
}

enum UploadRow {
    static let selection = RoomStatement(
        """
        SELECT number, id, key, owner, started, content, checksum FROM _homeport_file_uploads
        WHERE id = ? AND bucket = ? AND key = ? AND owner = ?
        """)
    static let list = RoomStatement(
        """
        SELECT number, id, key, owner, started, content, checksum FROM _homeport_file_uploads
        WHERE bucket = ? AND key >= ? ORDER BY key, number
        """)
    static let count = RoomStatement("SELECT count(*) FROM _homeport_file_uploads")
    static let old = RoomStatement("SELECT number FROM _homeport_file_uploads WHERE started < ? ORDER BY started")
    static let insertion = RoomStatement(
        """
        INSERT INTO _homeport_file_uploads (id, bucket, key, owner, started, content, checksum)
        VALUES (?, ?, ?, ?, ?, ?, ?)
        """)
    static let deletion = RoomStatement("DELETE FROM _homeport_file_uploads WHERE number = ?")
    static let parts = RoomStatement(
        """
        SELECT part, file, size, tag, modified, checksum, sum FROM _homeport_file_parts
        WHERE upload = ? AND part > ? ORDER BY part
        """)
    static let partFile = RoomStatement("SELECT file FROM _homeport_file_parts WHERE upload = ? AND part = ?")
    static let partInsertion = RoomStatement(
        """
        INSERT INTO _homeport_file_parts (upload, part, file, size, tag, modified, checksum, sum)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (upload, part) DO UPDATE SET file = excluded.file, size = excluded.size, tag = excluded.tag,
            modified = excluded.modified, checksum = excluded.checksum, sum = excluded.sum
        """)
    static let partsDeletion = RoomStatement("DELETE FROM _homeport_file_parts WHERE upload = ?")
    static let completion = RoomStatement(
        """
        SELECT list, answer FROM _homeport_file_completions WHERE id = ? AND bucket = ? AND key = ? AND owner = ?
        """)
    static let completionInsertion = RoomStatement(
        """
        INSERT INTO _homeport_file_completions (id, bucket, key, owner, completed, list, answer)
        VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING
        """)
    static let completionSweep = RoomStatement("DELETE FROM _homeport_file_completions WHERE completed < ?")

    static func upload(_ row: borrowing Row) -> StoredUpload {
        StoredUpload(
            number: row.integer(0), id: row.text(1), key: row.text(2), owner: row.text(3), started: row.integer(4),
            content: row.withText(5) { ObjectContent(stored: Array($0)) },
            checksum: row.isNull(6) ? nil : UploadChecksum(stored: row.text(6)))
    }

    static func part(_ row: borrowing Row) -> StoredPart {
        StoredPart(
            number: Int(clamping: row.integer(0)), file: FileNumber(row.integer(1)), size: row.integer(2),
            tag: row.text(3),
            modified: row.integer(4), checksum: row.isNull(5) ? nil : StoredChecksum(stored: row.text(5)),
            sum: UInt64(bitPattern: row.integer(6)))
    }
}
