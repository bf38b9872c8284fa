import JSON

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The lines of a file or stream, read piece by piece.
///
/// Hot path: works on bytes. Memory is bounded by the longest line.
package struct LineReader: ~Copyable {
    /// What the input is called in messages.
    package let name: String
    private let descriptor: Int32
    private let isOwned: Bool
    private var buffer: [UInt8] = []
    private var chunk = [UInt8](repeating: 0, count: Self.chunkBytes)
    /// Where the next line starts in the buffer, and up to where no line end was found.
    private var start = 0
    private var searched = 0
    private var isAtEnd = false
    /// Bytes of the input before the next line.
    package private(set) var offset: Int
    /// Lines before the next one.
    package private(set) var lineCount: Int

    private static let chunkBytes = 256 << 10

    /// Reads a stream that somebody else closes.
    package init(reading descriptor: Int32, name: String) {
        self.descriptor = descriptor
        self.name = name
        isOwned = false
        offset = 0
        lineCount = 0
    }

    /// Opens a file, at a place where a line starts.
    package init(opening path: String, at offset: Int = 0, lineCount: Int = 0) throws(TransferError) {
        name = path
        isOwned = true
        self.offset = offset
        self.lineCount = lineCount
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Self.unreadable(path) }
        if offset > 0, lseek(descriptor, off_t(offset), SEEK_SET) < 0 { throw Self.unreadable(path) }
    }

    deinit {
        if isOwned, descriptor >= 0 { close(descriptor) }
    }

    /// Hands the next line to the closure, without its end. Says whether there was one.
    package mutating func next(_ body: (UnsafeRawBufferPointer) throws(TransferError) -> Void) throws(TransferError)
        -> Bool
    {
        while true {
            let found = lineEnd
            guard let end = found ?? (isAtEnd && start < buffer.count ? buffer.count : nil) else {
                if isAtEnd { return false }
                searched = buffer.count
                try readMore()
                continue
            }
            lineCount += 1
            let next = min(end + 1, buffer.count)
            offset += next - start
            // The standard library's function cannot say which error it passes on.
            let outcome = buffer[start..<end].withUnsafeBytes { line in
                Result { () throws(TransferError) in try body(line) }
            }
            start = next
            searched = next
            try outcome.get()
            return true
        }
    }

    private mutating func readMore() throws(TransferError) {
        buffer.removeFirst(start)
        searched -= start
        start = 0
        guard buffer.count <= StoreLimits.importLineBytesMax else {
            throw .line(lineCount + 1, file: name, "a line has more than \(StoreLimits.importLineBytesMax) bytes")
        }
        while true {
            let count = chunk.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw Self.unreadable(name) }
            buffer += chunk[..<count]
            isAtEnd = count == 0
            return
        }
    }

    /// Where the next line ends, if that was read already.
    private var lineEnd: Int? {
        buffer.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress, searched < bytes.count,
                let found = memchr(base + searched, Int32(UInt8(ascii: "\n")), bytes.count - searched)
            else { return nil }
            return base.distance(to: UnsafeRawPointer(found))
        }
    }

    private static func unreadable(_ name: String) -> TransferError {
        .unreadable("cannot read \(name): \(String(cString: strerror(errno)))")
    }
}

/// Which file an import reads: the same one as before, or another.
struct FileIdentity: Sendable, Equatable {
    let path: String
    let byteCount: Int
    /// When it was changed, in nanoseconds.
    let modified: Int64

    /// Nil for what is no file, such as a pipe.
    init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, let resolved = realpath(path, nil) else {
            return nil
        }
        defer { free(resolved) }
        self.path = String(cString: resolved)
        byteCount = Int(status.st_size)
        #if canImport(Glibc)
            let time = status.st_mtim
        #else
            let time = status.st_mtimespec
        #endif
        modified = Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }

    init(path: String, byteCount: Int, modified: Int64) {
        self.path = path
        self.byteCount = byteCount
        self.modified = modified
    }
}
