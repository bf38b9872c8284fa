import CSQLite

/// The room that the file of the write-ahead log has ahead of the commits: zeros, which they overwrite.
///
///     frames of this round │ older frames, or zeros │ end of the file
///                          ▲ the next commit
///
/// A commit that makes a file longer has the file system write the new length too: another trip to the disk before the
/// commit is there. So the file grows ahead, each time to twice what is in use, up to where the log starts over.
///
/// Zeros are no frames: recovery ends at the first frame that is none, and there is no page 0.
struct LogSpace {
    private var bytes: Int64 = 0
    private var frameBytes: Int64 = 0
    /// There was no room on the disk: commits go on as far as there is.
    private var isGivenUp = false

    private static let headerBytes: Int64 = 32
    private static let frameHeaderBytes: Int64 = 24
    /// Bytes that are written at a time.
    private static let pieceBytes = 64 << 10
    private static let zeros = [UInt8](repeating: 0, count: pieceBytes)

    /// Makes room when what is left is little. A log in memory has none.
    mutating func extend(behind pageCount: Int, of connection: borrowing Connection) {
        guard !isGivenUp, pageCount > 0 else { return }
        if frameBytes == 0 {
            guard case .integer(let pageBytes)? = try? connection.value(SQLText("PRAGMA page_size")) else {
                return isGivenUp = true
            }
            frameBytes = Self.frameHeaderBytes + pageBytes
        }
        let end = Self.headerBytes + Int64(StoreLimits.logPagesMax + StoreLimits.logPagesBeyond) * frameBytes
        let used = Self.headerBytes + Int64(pageCount) * frameBytes
        guard bytes < min(end, used + used / 4) else { return }
        grow(to: min(end, 2 * used + Int64(Self.pieceBytes)), connection)
    }

    private mutating func grow(to wanted: Int64, _ connection: borrowing Connection) {
        var file: UnsafeMutablePointer<sqlite3_file>?
        guard let handle = connection.handle,
            sqlite3_file_control(handle, "main", SQLITE_FCNTL_JOURNAL_POINTER, &file) == SQLITE_OK,
            let file, let methods = file.pointee.pMethods,
            methods.pointee.xFileSize?(file, &bytes) == SQLITE_OK
        else { return isGivenUp = true }
        while bytes < wanted {
            let count = min(Int64(Self.pieceBytes), wanted - bytes)
            guard methods.pointee.xWrite?(file, Self.zeros, Int32(count), bytes) == SQLITE_OK else {
                return isGivenUp = true
            }
            bytes += count
        }
    }
}
