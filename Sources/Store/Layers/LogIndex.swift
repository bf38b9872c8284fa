import CSQLite

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The first bytes of the index of a database's log, in memory that all connections share (SQLite's WAL-mode file format, 2.2):
///
///     0     header, 48 bytes     version, transactions, pages, salt, sum
///     48    the same again
///     96    how far the log is copied, and five places up to which somebody reads
enum LogIndex {
    /// The part of the index that begins with the header: numbers of pages, and a table to look for them.
    static let regionBytes = 32 << 10

    private static let headerBytes = 48
    private static let version: UInt32 = 3_007_000
    private static let readMarks = 5
    private static let unusedMark = UInt32.max

    private static let changes = 8
    private static let flags = 12
    private static let salt = 32
    private static let sum = 40
    private static let copied = 96
    private static let firstMark = 100
    private static let copiedAttempt = 128

    /// Says that the log is empty, and that the database is another one. Each connection compares the header with the one that it has
    /// seen last, and forgets its pages where they differ: so this one is like none before. Over zeros SQLite would make the same header
    /// each time, and a connection that had read nothing since the last time would keep its pages.
    ///
    /// Called by whoever has all locks of the index.
    ///
    /// - Parameter barrier: orders the second header before the first, which others read the other way round.
    static func sayEmpty(_ index: UnsafeMutableRawPointer, pageBytes: Int, barrier: () -> Void) {
        var header = [UInt32](repeating: 0, count: headerBytes / 4)
        header[0] = version
        header[changes / 4] = index.load(fromByteOffset: changes, as: UInt32.self) &+ 1
        header.withUnsafeMutableBytes { bytes in
            bytes[flags] = 1
            bytes[flags + 1] = UInt16(1).bigEndian == 1 ? 1 : 0
            let size = UInt16(truncatingIfNeeded: pageBytes & 0xFF00 | pageBytes >> 16)
            bytes.storeBytes(of: size, toByteOffset: flags + 2, as: UInt16.self)
            bytes.storeBytes(of: UInt64.random(in: 0...UInt64.max), toByteOffset: salt, as: UInt64.self)
        }
        var sums: (first: UInt32, second: UInt32) = (0, 0)
        for place in stride(from: 0, to: sum / 4, by: 2) {
            sums.first &+= header[place] &+ sums.second
            sums.second &+= header[place + 1] &+ sums.first
        }
        (header[sum / 4], header[sum / 4 + 1]) = sums
        index.storeBytes(of: 0, toByteOffset: copied, as: UInt32.self)
        index.storeBytes(of: 0, toByteOffset: copiedAttempt, as: UInt32.self)
        for mark in 0..<readMarks {
            index.storeBytes(of: mark == 0 ? 0 : unusedMark, toByteOffset: firstMark + 4 * mark, as: UInt32.self)
        }
        header.withUnsafeBytes { bytes in
            let both = UnsafeMutableRawBufferPointer(start: index, count: 2 * headerBytes)
            UnsafeMutableRawBufferPointer(rebasing: both[headerBytes...]).copyMemory(from: bytes)
            barrier()
            both.copyMemory(from: bytes)
        }
        barrier()
    }

    /// Gives the system back the pages of memory behind the header in which nothing is. They are zeros again when somebody asks for them.
    ///
    /// Called by whoever has all locks of the index.
    static func giveMemoryBack(_ index: UnsafeMutableRawPointer) {
        #if os(Linux)
            let size = Int(sysconf(Int32(_SC_PAGESIZE)))
            guard size > 0 else { return }
            for offset in stride(from: size, to: regionBytes, by: size) {
                let page = UnsafeRawBufferPointer(start: index + offset, count: size)
                guard page.allSatisfy({ $0 == 0 }) else { continue }
                // The file is in memory; elsewhere this is refused, or makes a hole.
                _ = madvise(index + offset, size, MADV_REMOVE)
            }
        #endif
    }
}
