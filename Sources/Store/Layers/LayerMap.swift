#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The file beside a layered database that says which file it lies over, and which pages it has itself.
///
///     0      mark, number of the base, bytes of a page, bytes of the base, path of the base
///     4,096  a byte for each page of the base: 1 where the database has the page itself
///
/// It is mapped by all connections, also those of other processes: who gives the database another base says so here.
///
/// Unchecked: the locks of the database order who writes and reads, as they do for its pages.
final class LayerMap: @unchecked Sendable {
    static let suffix = "-layers"
    private static let mark: UInt64 = 0x3152_4559_414C_5048
    private static let headerBytes = 4_096
    private static let pathOffset = 64
    private static let pathBytesMax = headerBytes - pathOffset
    private static let bytes = headerBytes + StoreLimits.layeredPagesMax

    private let start: UnsafeMutableRawPointer

    /// Opens the one of a database; nil: there is none.
    init?(of database: String) {
        let descriptor = open(database + Self.suffix, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_uid == geteuid(), Int(status.st_size) == Self.bytes,
            let start = mmap(nil, Self.bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0), start != MAP_FAILED
        else { return nil }
        self.start = start
        // What is behind may be used by nobody: deinit gives the map back.
        guard start.load(as: UInt64.self) == Self.mark else { return nil }
    }

    deinit { munmap(start, Self.bytes) }

    /// Makes the one of a database that is to be made, over nothing.
    static func make(for database: String) -> Bool {
        let descriptor = open(database + suffix, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var mark = Self.mark
        return pwrite(descriptor, &mark, 8, 0) == 8 && ftruncate(descriptor, off_t(bytes)) == 0
    }

    /// Returns whether a database has one.
    static func isThere(for database: String) -> Bool { access(database + suffix, F_OK) == 0 }

    /// The number of the base, which is another one for each.
    var number: UInt64 {
        get { start.load(fromByteOffset: 8, as: UInt64.self) }
        set { start.storeBytes(of: newValue, toByteOffset: 8, as: UInt64.self) }
    }

    private(set) var pageBytes: Int {
        get { Int(start.load(fromByteOffset: 16, as: UInt32.self)) }
        set { start.storeBytes(of: UInt32(clamping: newValue), toByteOffset: 16, as: UInt32.self) }
    }

    private(set) var baseBytes: Int64 {
        get { start.load(fromByteOffset: 24, as: Int64.self) }
        set { start.storeBytes(of: newValue, toByteOffset: 24, as: Int64.self) }
    }

    /// The path of the base; nil: there is none.
    private(set) var basePath: String? {
        get {
            let count = Int(start.load(fromByteOffset: 32, as: UInt32.self))
            guard (1...Self.pathBytesMax).contains(count) else { return nil }
            return String(
                decoding: UnsafeRawBufferPointer(start: start + Self.pathOffset, count: count), as: UTF8.self)
        }
        set {
            let bytes = Array((newValue ?? "").utf8.prefix(Self.pathBytesMax))
            start.storeBytes(of: UInt32(clamping: bytes.count), toByteOffset: 32, as: UInt32.self)
            UnsafeMutableRawBufferPointer(start: start + Self.pathOffset, count: bytes.count).copyBytes(from: bytes)
        }
    }

    /// How many pages the base has.
    var pageCount: Int { pageBytes > 0 ? min(StoreLimits.layeredPagesMax, Int(baseBytes) / pageBytes) : 0 }

    /// Returns whether the database has a page of the base itself.
    func isOwn(_ page: Int) -> Bool {
        guard (0..<StoreLimits.layeredPagesMax).contains(page) else { return true }
        return start.load(fromByteOffset: Self.headerBytes + page, as: UInt8.self) != 0
    }

    func setOwn(_ page: Int) {
        guard (0..<StoreLimits.layeredPagesMax).contains(page) else { return }
        start.storeBytes(of: 1, toByteOffset: Self.headerBytes + page, as: UInt8.self)
    }

    /// Returns whether a file can be the base of a database.
    static func takes(_ base: DatabaseBase, at path: String) -> Bool {
        let count = path.utf8.count
        return base.pageBytes > 0 && base.bytes / base.pageBytes <= StoreLimits.layeredPagesMax
            && path.utf8.first == UInt8(ascii: "/") && count <= pathBytesMax
    }

    /// Says that the database lies over a file, of which it has no page itself.
    func lie(over base: DatabaseBase, at path: String) {
        (start + Self.headerBytes).initializeMemory(as: UInt8.self, repeating: 0, count: pageCount)
        (pageBytes, baseBytes, basePath) = (base.pageBytes, Int64(base.bytes), path)
        (start + Self.headerBytes).initializeMemory(as: UInt8.self, repeating: 0, count: pageCount)
    }
}

/// A database file that nobody changes any more, mapped into memory: the system has its pages once, however many databases lie over it.
///
/// Unchecked: nothing of it changes.
final class DatabaseBase: @unchecked Sendable {
    let start: UnsafeRawPointer
    let bytes: Int
    /// The bytes of a page, as the file says.
    let pageBytes: Int

    private static let headerBytes = 100

    init?(_ path: String) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_size >= Self.headerBytes,
            let start = mmap(nil, Int(status.st_size), PROT_READ, MAP_SHARED, descriptor, 0), start != MAP_FAILED
        else { return nil }
        self.start = UnsafeRawPointer(start)
        bytes = Int(status.st_size)
        // Bytes 16 and 17 of the header (SQLite's file format, 1.3.2): 1 is 65,536.
        let said =
            Int(start.load(fromByteOffset: 16, as: UInt8.self)) << 8
            | Int(start.load(fromByteOffset: 17, as: UInt8.self))
        let size = said == 1 ? 65_536 : said
        pageBytes = size >= 512 && size & (size - 1) == 0 && bytes % size == 0 ? size : 0
    }

    deinit { munmap(UnsafeMutableRawPointer(mutating: start), bytes) }
}
