import Glibc
import JSON
import Network
import Store

/// Compares what lies on the disk with what the records say of it: every byte of objects and of parts by its checksum, and every file by
/// whether a record speaks of it. Reads only, and works beside a running server.
package struct FileCheck {
    private let reader: Reader
    private let folder: FileFolder
    /// True if anything was ever put.
    private let hasTables: Bool
    private let clock: () -> Int64

    package enum Finding: Sendable, Equatable {
        /// A file's bytes are not those that were put.
        case changed(Owner, file: String)
        /// A record speaks of a file that is not there.
        case missing(Owner, file: String)
        /// The system cannot read a file.
        case unreadable(Owner, file: String, reason: String)
        /// No record speaks of a file.
        case orphan(file: String)
    }

    /// Whose bytes they are: an object, or a part of an upload that has not ended.
    package struct Owner: Sendable, Equatable {
        package let bucket: String
        package let key: String
        package var part: Int?
    }

    package struct Progress: Sendable {
        /// Files that were read, and how many there are.
        package var files = 0
        package var filesMax = 0
        package var bytes: Int64 = 0
        package var bytesMax: Int64 = 0
    }

    /// Records that are looked at in one go: the database's log cannot be shortened meanwhile.
    private static let recordsPerLook = 256
    /// How long a file of a run that goes on may be without a record: it is on the disk before.
    private static let secondsUntilRecord: Int64 = 60

    /// - Parameters:
    ///   - reader: a reader of the database, which has to be there.
    ///   - folder: where the files lie.
    ///   - clock: seconds since 1970.
    package init(
        _ reader: Reader, folder: String, clock: @escaping () -> Int64 = { Int64(time(nil)) }
    ) throws(StoreError) {
        self.reader = reader
        hasTables = try reader.has(FileTables.all)
        self.folder = FileFolder(folder)
        self.clock = clock
    }

    /// Tells of each finding as soon as it is known.
    package func run(
        progress report: (Progress) -> Void = { _ in }, found: (Finding) -> Void
    ) throws(FileError) -> Progress {
        var progress = Progress()
        if hasTables {
            try reader.rows(CheckRow.total, []) { row throws(FileError) in
                (progress.filesMax, progress.bytesMax) = (Int(clamping: row.integer(0)), row.integer(1))
                return false
            }
            try checkRecords(CheckRow.objects, [.text(""), .text("")], &progress, report, found)
            try checkRecords(CheckRow.parts, [.integer(0), .integer(0)], &progress, report, found)
        }
        try lookForOrphans(found)
        return progress
    }

    // MARK: What records speak of

    fileprivate struct Record {
        let owner: Owner
        let file: FileNumber
        let size: Int64
        let sum: UInt64
        /// Where the next look goes on.
        let place: [StoredValue]
    }

    private func checkRecords(
        _ statement: RoomStatement, _ start: [StoredValue], _ progress: inout Progress, _ report: (Progress) -> Void,
        _ found: (Finding) -> Void
    ) throws(FileError) {
        var place = start
        while true {
            var records: [Record] = []
            try reader.rows(statement, place) { row throws(FileError) in
                records.append(CheckRow.record(row))
                return records.count < Self.recordsPerLook
            }
            for record in records {
                try check(record, &progress, report, found)
                progress.files += 1
                report(progress)
            }
            guard let last = records.last else { return }
            place = last.place
        }
    }

    private func check(
        _ record: Record, _ progress: inout Progress, _ report: (Progress) -> Void, _ found: (Finding) -> Void
    ) throws(FileError) {
        let path = folder.path(of: record.file)
        guard let finding = compare(record, path, &progress, report) else { return }
        // It may have been replaced or deleted since its record was read; then the file goes, and that is right.
        guard try reader.speaks(of: record.file) else { return }
        found(finding)
    }

    private func compare(
        _ record: Record, _ path: String, _ progress: inout Progress, _ report: (Progress) -> Void
    ) -> Finding? {
        let stream = ChecksumStream(.crc64nvme)
        do throws(FileError) {
            guard let source = try folder.reading(record.file) else { return .missing(record.owner, file: path) }
            var status = stat()
            guard fstat(source.descriptor.raw, &status) == 0, Int64(status.st_size) == record.size else {
                return .changed(record.owner, file: path)
            }
            try FileCopy.read(source.descriptor.raw, 0..<record.size) { bytes throws(FileError) in
                stream.update(bytes)
                progress.bytes += Int64(bytes.count)
                report(progress)
            }
        } catch {
            return .unreadable(record.owner, file: path, reason: error.reason ?? error.message)
        }
        return Checksum.number(stream.finish()) == record.sum ? nil : .changed(record.owner, file: path)
    }

    // MARK: Of what none does

    private func lookForOrphans(_ found: (Finding) -> Void) throws(FileError) {
        let open = hasTables ? Set(try reader.openRuns()) : []
        let objects = "\(folder.path)/objects"
        for run in FolderContent.names(in: objects) {
            let isOpen = Int64(run, radix: 16).map(open.contains) ?? false
            for part in FolderContent.names(in: "\(objects)/\(run)") {
                for name in FolderContent.names(in: "\(objects)/\(run)/\(part)") {
                    let path = "\(objects)/\(run)/\(part)/\(name)"
                    if let raw = Int64(name, radix: 16), folder.path(of: FileNumber(raw)) == path,
                        try isKnown(FileNumber(raw))
                    {
                        continue
                    }
                    guard isLeft(path, ofOpenRun: isOpen) else { continue }
                    found(.orphan(file: path))
                }
            }
        }
        let incoming = "\(folder.path)/incoming"
        for run in FolderContent.names(in: incoming) where !(Int64(run, radix: 16).map(open.contains) ?? false) {
            for name in FolderContent.names(in: "\(incoming)/\(run)") {
                found(.orphan(file: "\(incoming)/\(run)/\(name)"))
            }
        }
    }

    /// Returns whether a record speaks of a file, or a note that it is to go.
    private func isKnown(_ file: FileNumber) throws(FileError) -> Bool {
        guard hasTables else { return false }
        if try reader.speaks(of: file) { return true }
        return try reader.isNoted(file)
    }

    /// Returns whether a file is still there, and not one that is about to have a record.
    private func isLeft(_ path: String, ofOpenRun isOpen: Bool) -> Bool {
        var status = stat()
        guard stat(path, &status) == 0 else { return false }
        return !isOpen || Int64(status.st_ctim.tv_sec) <= clock() - Self.secondsUntilRecord
    }
}

extension RoomReading {
    /// Returns whether a file is one that is to go.
    fileprivate func isNoted(_ file: FileNumber) throws(FileError) -> Bool {
        var isNoted = false
        try rows(CheckRow.leftover, [.integer(file.raw)]) { _ throws(FileError) in
            isNoted = true
            return false
        }
        return isNoted
    }
}

private enum CheckRow {
    static let total = RoomStatement(
        """
        SELECT count(*), coalesce(sum(size), 0) FROM
            (SELECT size FROM _homeport_files UNION ALL SELECT size FROM _homeport_file_parts) AS files
        """)
    static let objects = RoomStatement(
        """
        SELECT bucket, key, file, size, sum, 0, 0 FROM _homeport_files
        WHERE (bucket, key) > (?, ?) ORDER BY bucket, key
        """, isOpen: true)
    static let parts = RoomStatement(
        """
        SELECT bucket, key, file, size, sum, upload, part FROM _homeport_file_parts
        JOIN _homeport_file_uploads ON number = upload WHERE (upload, part) > (?, ?) ORDER BY upload, part
        """, isOpen: true)
    static let leftover = RoomStatement("SELECT 1 FROM _homeport_file_leftovers WHERE file = ?")

    static func record(_ row: borrowing Row) -> FileCheck.Record {
        // Uploads are counted from 1.
        let isPart = row.integer(5) > 0
        return FileCheck.Record(
            owner: FileCheck.Owner(
                bucket: row.text(0), key: row.text(1), part: isPart ? Int(clamping: row.integer(6)) : nil),
            file: FileNumber(row.integer(2)), size: row.integer(3), sum: UInt64(bitPattern: row.integer(4)),
            place: isPart
                ? [.integer(row.integer(5)), .integer(row.integer(6))] : [.text(row.text(0)), .text(row.text(1))])
    }
}
