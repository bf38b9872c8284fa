import Crypto
import Store

/// The parts that an object was put together from: how long each is, and its checksum where it has one. Clients read an object by its
/// parts, counted from 1, whatever numbers they were sent with.
struct JoinedParts: Sendable {
    let parts: [Part]

    struct Part: Sendable {
        let size: Int64
        let checksum: StoredChecksum?
    }

    init(_ parts: [StoredPart]) {
        self.parts = parts.map { Part(size: $0.size, checksum: $0.checksum) }
    }

    /// Where a part lies; nil where there is no such part.
    func range(of number: Int) -> Range<Int64>? {
        guard parts.indices.contains(number - 1) else { return nil }
        let start = parts[..<(number - 1)].reduce(0) { $0 + $1.size }
        return start..<(start + parts[number - 1].size)
    }

    /// `SIZE` or `SIZE CHECKSUM`, with commas between.
    var stored: String {
        parts.map { part in "\(part.size)" + (part.checksum.map { " " + $0.stored } ?? "") }.joined(separator: ",")
    }

    init?(stored: String) {
        var parts: [Part] = []
        for text in stored.utf8.split(separator: UInt8(ascii: ",")) {
            let sides = text.split(separator: UInt8(ascii: " "), maxSplits: 1).map { String(Substring($0)) }
            guard let first = sides.first, let size = Int64(first),
                (0...Int64(FileLimits.joinedBytesMax)).contains(size)
            else { return nil }
            parts.append(Part(size: size, checksum: sides.count > 1 ? StoredChecksum(stored: sides[1]) : nil))
            guard parts.count <= FileLimits.partsMax else { return nil }
        }
        guard !parts.isEmpty else { return nil }
        self.parts = parts
    }
}

extension RoomReading {
    fileprivate var hasJoins: Bool {
        get throws(FileError) {
            do throws(StoreError) { return try has(FileTables.joins) } catch { throw FileError(error) }
        }
    }

    /// The parts of an object by its file; nil where it came whole, or before parts were noted.
    func joinedParts(of file: FileNumber) throws(FileError) -> JoinedParts? {
        guard try hasJoins else { return nil }
        var found: JoinedParts?
        try rows(JoinRow.selection, [.integer(file.raw)]) { row throws(FileError) in
            found = JoinedParts(stored: row.text(0))
            return false
        }
        return found
    }
}

extension FileWriting {
    func note(_ parts: JoinedParts, of file: FileNumber) throws(FileError) {
        try change(JoinRow.insertion, [.integer(file.raw), .text(parts.stored)])
    }

    /// Notes for a copy what is noted for what was copied.
    func copyParts(of file: FileNumber, to copy: FileNumber) throws(FileError) {
        try change(JoinRow.copy, [.integer(copy.raw), .integer(file.raw)])
    }

    func forgetParts(of file: FileNumber) throws(FileError) {
        guard try session.hasJoins else { return }
        try change(JoinRow.deletion, [.integer(file.raw)])
    }
}

enum JoinRow {
    static let creation = RoomStatement(
        "CREATE TABLE _homeport_file_joins (file INTEGER PRIMARY KEY, parts TEXT NOT NULL) STRICT")
    static let selection = RoomStatement("SELECT parts FROM _homeport_file_joins WHERE file = ?")
    static let insertion = RoomStatement("INSERT INTO _homeport_file_joins (file, parts) VALUES (?, ?)")
    static let copy = RoomStatement(
        "INSERT INTO _homeport_file_joins (file, parts) SELECT ?, parts FROM _homeport_file_joins WHERE file = ?")
    static let deletion = RoomStatement("DELETE FROM _homeport_file_joins WHERE file = ?")
}
