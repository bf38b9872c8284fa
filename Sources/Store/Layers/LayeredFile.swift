import CSQLite

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The file of a database that lies over another one: it has the pages that were changed, and reads all others from the base.
///
///     read   page ─▶ is it the database's own? ─▶ its file       every other page: the base, which many databases share
///     write  page ─▶ its file, and its own from then on
///
/// The file is as long as the database, with holes where the base has the pages. Locks, the log and the log's index are those of the file
/// itself. SQLite asks it as it asks every file (`sqlite3_vfs`, `sqlite3_io_methods`).
final class LayeredFile {
    /// SQLite's name for this way to get at files.
    static let systemName = "homeport-layers"

    private let inner: UnsafeMutablePointer<sqlite3_file>
    private let map: LayerMap
    private var base: DatabaseBase?
    private var number: UInt64

    private init?(_ inner: UnsafeMutablePointer<sqlite3_file>, of database: String) {
        guard let map = LayerMap(of: database) else { return nil }
        self.inner = inner
        self.map = map
        number = map.number
        base = map.basePath.flatMap { DatabaseBase($0) }
        guard isWhole else { return nil }
    }

    /// False where the base is gone, or is another file.
    private var isWhole: Bool {
        map.baseBytes == Int64(base?.bytes ?? 0) && (base == nil || base?.pageBytes == map.pageBytes)
    }

    // MARK: Calls of SQLite's

    private func read(_ target: UnsafeMutableRawPointer, _ count: Int, at offset: Int64) -> Int32 {
        guard let base, offset < Int64(base.bytes) else { return readOwn(target, count, at: offset) }
        let size = base.pageBytes
        var (done, isShort) = (0, false)
        while done < count {
            let place = Int(offset) + done
            let piece = min(count - done, size - place % size)
            if place < base.bytes, !map.isOwn(place / size) {
                (target + done).copyMemory(from: base.start + place, byteCount: piece)
            } else {
                let code = readOwn(target + done, piece, at: Int64(place))
                if code == Self.shortRead { isShort = true } else if code != SQLITE_OK { return code }
            }
            done += piece
        }
        return isShort ? Self.shortRead : SQLITE_OK
    }

    private func readOwn(_ target: UnsafeMutableRawPointer, _ count: Int, at offset: Int64) -> Int32 {
        inner.pointee.pMethods.pointee.xRead(inner, target, Int32(count), offset)
    }

    private func write(_ source: UnsafeRawPointer, _ count: Int, at offset: Int64) -> Int32 {
        guard let base, offset < Int64(base.bytes) else { return writeOwn(source, count, at: offset) }
        let size = base.pageBytes
        let pages = Int(offset) / size...max(Int(offset), Int(offset) + count - 1) / size
        for page in pages where page < map.pageCount && !map.isOwn(page) {
            // SQLite writes whole pages but for the first few bytes of a new file.
            guard Int(offset) > page * size || Int(offset) + count < (page + 1) * size else { continue }
            let code = writeOwn(base.start + page * size, size, at: Int64(page * size))
            guard code == SQLITE_OK else { return code }
        }
        let code = writeOwn(source, count, at: offset)
        guard code == SQLITE_OK else { return code }
        for page in pages { map.setOwn(page) }
        return SQLITE_OK
    }

    private func writeOwn(_ source: UnsafeRawPointer, _ count: Int, at offset: Int64) -> Int32 {
        inner.pointee.pMethods.pointee.xWrite(inner, source, Int32(count), offset)
    }

    /// Cuts the file off. A part that comes back is zeros, not the pages of the base.
    private func truncate(_ bytes: Int64) -> Int32 {
        if let base, bytes < Int64(base.bytes) {
            for page in Int(max(0, bytes)) / base.pageBytes..<map.pageCount where !map.isOwn(page) {
                let start = page * base.pageBytes
                if Int64(start) < bytes {
                    let code = writeOwn(base.start + start, base.pageBytes, at: Int64(start))
                    guard code == SQLITE_OK else { return code }
                }
                map.setOwn(page)
            }
        }
        return inner.pointee.pMethods.pointee.xTruncate(inner, bytes)
    }

    /// The place of some bytes in memory; nil: they have to be read.
    private func place(of count: Int, at offset: Int64) -> UnsafeRawPointer? {
        guard let base, offset >= 0, offset + Int64(count) <= Int64(base.bytes) else { return nil }
        let (first, last) = (Int(offset) / base.pageBytes, (Int(offset) + count - 1) / base.pageBytes)
        guard first == last, !map.isOwn(first) else { return nil }
        return base.start + Int(offset)
    }

    /// Looks whether the database lies over another base than before. Called between transactions: nothing of the old one is in use.
    private func follow() -> Bool {
        guard map.number != number else { return true }
        base = map.basePath.flatMap { DatabaseBase($0) }
        number = map.number
        return isWhole
    }

    // MARK: Another base

    /// The locks of the log's index: all of them together keep everybody else out, readers too.
    private static let lockCount: Int32 = 8

    /// Gives the database of a connection, which is in no transaction, the pages of another layered one: the same base, and what that one
    /// has itself. Whoever reads afterwards sees them. False: somebody reads at this moment, or it is no layered database, and nothing has
    /// changed.
    static func replace(_ handle: OpaquePointer, by other: String) throws(StoreError) -> Bool {
        guard let map = LayerMap(of: other), let path = map.basePath, let base = DatabaseBase(path),
            map.baseBytes == Int64(base.bytes), base.pageBytes > 0
        else { return false }
        let source = open(other, O_RDONLY | O_CLOEXEC)
        defer { if source >= 0 { close(source) } }
        var status = stat()
        guard source >= 0, fstat(source, &status) == 0 else { return false }
        let pages = (0..<Int(status.st_size) / base.pageBytes).filter { $0 >= map.pageCount || map.isOwn($0) }
        return try replace(handle, over: base, at: path, bytes: Int64(status.st_size), pages) { number, page in
            pread(source, page.baseAddress, page.count, off_t(number * page.count)) == page.count
        }
    }

    /// The same with the pages of a file alone, which nobody changes any more.
    static func replace(_ handle: OpaquePointer, over path: String) throws(StoreError) -> Bool {
        guard let base = DatabaseBase(path) else { return false }
        return try replace(handle, over: base, at: path, bytes: Int64(base.bytes), []) { _, _ in false }
    }

    /// - Parameters:
    ///   - bytes: how long the database is then.
    ///   - own: the pages that are not those of the base, or behind it, in their order.
    ///   - read: reads one of them.
    private static func replace(
        _ handle: OpaquePointer, over base: DatabaseBase, at path: String, bytes: Int64, _ own: [Int],
        read: (Int, UnsafeMutableRawBufferPointer) -> Bool
    ) throws(StoreError) -> Bool {
        var found: UnsafeMutablePointer<sqlite3_file>?
        var log: UnsafeMutablePointer<sqlite3_file>?
        guard sqlite3_file_control(handle, "main", SQLITE_FCNTL_FILE_POINTER, &found) == SQLITE_OK, let file = found,
            file.pointee.pMethods == UnsafePointer(methods), let layered = layered(file),
            sqlite3_file_control(handle, "main", SQLITE_FCNTL_JOURNAL_POINTER, &log) == SQLITE_OK, let log,
            let logMethods = log.pointee.pMethods
        else { return false }
        // A name of its own: whoever has made the base may remove it.
        let link = "\(path)-base-\(UInt64.random(in: 0...UInt64.max))"
        guard LayerMap.takes(base, at: link) else { return false }
        let inner = layered.inner
        guard let innerMethods = inner.pointee.pMethods?.pointee else { return false }
        let version = schemaVersion(of: handle)
        guard let index = lockedIndex(inner, innerMethods) else { return false }
        defer { unlockIndex(inner, innerMethods) }
        guard linkat(AT_FDCWD, path, AT_FDCWD, link, 0) == 0 else { return false }
        let former = layered.map.basePath
        // From here on the database is the other one, or of no use.
        layered.map.lie(over: base, at: link)
        layered.map.number += 1
        var isWhole = logMethods.pointee.xTruncate(log, 0) == SQLITE_OK && innerMethods.xTruncate(inner, 0) == SQLITE_OK
        isWhole = isWhole && innerMethods.xTruncate(inner, bytes) == SQLITE_OK
        var page = [UInt8](repeating: 0, count: base.pageBytes)
        for number in own.first == 0 ? own : [0] + own where isWhole {
            isWhole = page.withUnsafeMutableBytes { page in
                if number == 0, own.first != 0 {
                    page.copyMemory(from: UnsafeRawBufferPointer(start: base.start, count: page.count))
                    return true
                }
                return read(number, page)
            }
            if number == 0 { Self.number(&page, behind: version) }
            let offset = Int64(number * page.count)
            isWhole = isWhole && innerMethods.xWrite(inner, page, Int32(page.count), offset) == SQLITE_OK
            layered.map.setOwn(number)
        }
        LogIndex.sayEmpty(index, pageBytes: base.pageBytes) { innerMethods.xShmBarrier(inner) }
        if let former { unlink(former) }
        guard isWhole, layered.follow() else {
            throw StoreError(.inputOutput, "database \(link): its pages cannot be written")
        }
        return true
    }

    /// The index of the log with all of its locks: nobody reads or writes until they are given back. Nil: somebody does at this moment.
    private static func lockedIndex(
        _ inner: UnsafeMutablePointer<sqlite3_file>, _ methods: sqlite3_io_methods
    ) -> UnsafeMutableRawPointer? {
        let flags = SQLITE_SHM_LOCK | SQLITE_SHM_EXCLUSIVE
        guard methods.xShmLock(inner, 0, lockCount, flags) == SQLITE_OK else { return nil }
        var index: UnsafeMutableRawPointer?
        let code = methods.xShmMap(inner, 0, Int32(LogIndex.regionBytes), 0, &index)
        if code == SQLITE_OK, let index = UnsafeMutableRawPointer(mutating: index) { return index }
        unlockIndex(inner, methods)
        return nil
    }

    private static func unlockIndex(_ inner: UnsafeMutablePointer<sqlite3_file>, _ methods: sqlite3_io_methods) {
        _ = methods.xShmLock(inner, 0, lockCount, SQLITE_SHM_UNLOCK | SQLITE_SHM_EXCLUSIVE)
    }

    /// Gives the system back the memory of the log's index in which nothing is: SQLite takes it ahead. Nothing happens where somebody reads
    /// at this moment, or where the database is no layered one.
    static func giveMemoryBack(_ handle: OpaquePointer) {
        var found: UnsafeMutablePointer<sqlite3_file>?
        guard sqlite3_file_control(handle, "main", SQLITE_FCNTL_FILE_POINTER, &found) == SQLITE_OK, let file = found,
            file.pointee.pMethods == UnsafePointer(methods), let inner = layered(file)?.inner,
            let innerMethods = inner.pointee.pMethods?.pointee, let index = lockedIndex(inner, innerMethods)
        else { return }
        LogIndex.giveMemoryBack(index)
        unlockIndex(inner, innerMethods)
    }

    /// The number of a database's tables as they are, by which each connection knows whether they are those that it has read.
    private static func schemaVersion(of handle: OpaquePointer) -> UInt32 {
        var (statement, version): (OpaquePointer?, UInt32) = (nil, 0)
        guard sqlite3_prepare_v2(handle, "PRAGMA schema_version", -1, &statement, nil) == SQLITE_OK else { return 0 }
        if sqlite3_step(statement) == SQLITE_ROW { version = UInt32(bitPattern: sqlite3_column_int(statement, 0)) }
        sqlite3_finalize(statement)
        return version
    }

    /// Gives the first page of a database a number of its tables that is higher than its own and another one (SQLite's file format, 1.3:
    /// bytes 40 to 43). Tables of before would else be taken for these.
    private static func number(_ page: inout [UInt8], behind other: UInt32) {
        let own = page[40..<44].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        let next = max(own, other) &+ 1
        for byte in 0..<4 { page[40 + byte] = UInt8(truncatingIfNeeded: next >> UInt32(24 - 8 * byte)) }
    }

    // MARK: SQLite's tables

    private static let shortRead = SQLITE_IOERR | (2 << 8)

    /// The memory that SQLite has for a file: the methods first, then this, then what the usual way keeps of it.
    private struct Head {
        var file = sqlite3_file()
        var layered: UnsafeMutableRawPointer?
    }

    private static let innerOffset = (MemoryLayout<Head>.stride + 15) & ~15

    private static func layered(_ file: UnsafeMutablePointer<sqlite3_file>?) -> LayeredFile? {
        guard let file else { return nil }
        return UnsafeMutableRawPointer(file).assumingMemoryBound(to: Head.self).pointee.layered.map {
            Unmanaged<LayeredFile>.fromOpaque($0).takeUnretainedValue()
        }
    }

    private static func with(
        _ file: UnsafeMutablePointer<sqlite3_file>?, _ body: (LayeredFile) -> Int32
    ) -> Int32 {
        guard let layered = layered(file) else { return SQLITE_MISUSE }
        return body(layered)
    }

    private static func inner(
        _ file: UnsafeMutablePointer<sqlite3_file>?,
        _ body: (UnsafeMutablePointer<sqlite3_file>, sqlite3_io_methods) -> Int32
    ) -> Int32 {
        guard let layered = layered(file), let methods = layered.inner.pointee.pMethods else { return SQLITE_MISUSE }
        return body(layered.inner, methods.pointee)
    }

    nonisolated(unsafe) private static let methods: UnsafeMutablePointer<sqlite3_io_methods> = {
        var table = sqlite3_io_methods()
        table.iVersion = 3
        table.xClose = { file in
            guard let file else { return SQLITE_OK }
            let head = UnsafeMutableRawPointer(file).assumingMemoryBound(to: Head.self)
            guard let kept = head.pointee.layered else { return SQLITE_OK }
            head.pointee.layered = nil
            let layered = Unmanaged<LayeredFile>.fromOpaque(kept).takeRetainedValue()
            return layered.inner.pointee.pMethods?.pointee.xClose(layered.inner) ?? SQLITE_OK
        }
        table.xRead = { file, target, count, offset in
            with(file) { layered in
                guard let target else { return SQLITE_MISUSE }
                return layered.read(target, Int(count), at: offset)
            }
        }
        table.xWrite = { file, source, count, offset in
            with(file) { layered in
                guard let source else { return SQLITE_MISUSE }
                return layered.write(source, Int(count), at: offset)
            }
        }
        table.xTruncate = { file, bytes in with(file) { $0.truncate(bytes) } }
        table.xSync = { file, flags in inner(file) { $1.xSync($0, flags) } }
        table.xFileSize = { file, bytes in inner(file) { $1.xFileSize($0, bytes) } }
        table.xLock = { file, lock in inner(file) { $1.xLock($0, lock) } }
        table.xUnlock = { file, lock in inner(file) { $1.xUnlock($0, lock) } }
        table.xCheckReservedLock = { file, answer in inner(file) { $1.xCheckReservedLock($0, answer) } }
        table.xFileControl = { file, operation, argument in
            // Nothing of the file itself is mapped: it has holes.
            inner(file) { $1.xFileControl($0, operation, argument) }
        }
        table.xSectorSize = { file in inner(file) { $1.xSectorSize($0) } }
        table.xDeviceCharacteristics = { file in inner(file) { $1.xDeviceCharacteristics($0) } }
        table.xShmMap = { file, region, bytes, extends, place in
            inner(file) { $1.xShmMap($0, region, bytes, extends, place) }
        }
        table.xShmLock = { file, offset, count, flags in
            with(file) { layered in
                guard let methods = layered.inner.pointee.pMethods else { return SQLITE_MISUSE }
                let code = methods.pointee.xShmLock(layered.inner, offset, count, flags)
                guard code == SQLITE_OK, flags & SQLITE_SHM_LOCK != 0 else { return code }
                return layered.follow() ? SQLITE_OK : SQLITE_IOERR
            }
        }
        table.xShmBarrier = { file in
            _ = inner(file) {
                $1.xShmBarrier($0)
                return SQLITE_OK
            }
        }
        table.xShmUnmap = { file, isDeleted in inner(file) { $1.xShmUnmap($0, isDeleted) } }
        table.xFetch = { file, offset, count, place in
            with(file) { layered in
                place?.pointee = UnsafeMutableRawPointer(mutating: layered.place(of: Int(count), at: offset))
                return SQLITE_OK
            }
        }
        table.xUnfetch = { _, _, _ in SQLITE_OK }
        let methods = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
        methods.initialize(to: table)
        return methods
    }()

    /// The usual way to get at files.
    nonisolated(unsafe) private static let usual = sqlite3_vfs_find(nil)

    /// SQLite's name for the way to get at a database: nil is the usual one.
    static func system(of database: String) -> String? {
        LayerMap.isThere(for: database) && isRegistered ? systemName : nil
    }

    /// Makes this way known to SQLite, once.
    static let isRegistered: Bool = {
        guard let usual else { return false }
        let system = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
        system.initialize(to: usual.pointee)
        system.pointee.pNext = nil
        system.pointee.szOsFile = Int32(innerOffset) + usual.pointee.szOsFile
        system.pointee.zName = UnsafePointer(strdup(systemName))
        system.pointee.xOpen = { _, name, file, flags, given in
            guard let usual = LayeredFile.usual, let file, let open = usual.pointee.xOpen else { return SQLITE_MISUSE }
            guard flags & SQLITE_OPEN_MAIN_DB != 0, let name else { return open(usual, name, file, flags, given) }
            let head = UnsafeMutableRawPointer(file).assumingMemoryBound(to: Head.self)
            head.initialize(to: Head())
            let inner = (UnsafeMutableRawPointer(file) + LayeredFile.innerOffset)
                .assumingMemoryBound(to: sqlite3_file.self)
            let code = open(usual, name, inner, flags, given)
            guard code == SQLITE_OK else { return code }
            guard let layered = LayeredFile(inner, of: String(cString: name)) else {
                _ = inner.pointee.pMethods?.pointee.xClose(inner)
                return SQLITE_CANTOPEN
            }
            head.pointee.layered = Unmanaged.passRetained(layered).toOpaque()
            head.pointee.file.pMethods = UnsafePointer(LayeredFile.methods)
            return SQLITE_OK
        }
        return sqlite3_vfs_register(system, 0) == SQLITE_OK
    }()
}
