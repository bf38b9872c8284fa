import Glibc

/// The lines of a file. Memory is bounded by the longest one.
///
/// Hot path: works on bytes.
package struct SourceLines: ~Copyable {
    private let file: SourceFile
    private var buffer: [UInt8] = []
    private var start = 0
    private var searched = 0
    private var isAtEnd = false
    /// Lines before the next one.
    package private(set) var count = 0

    package init(_ file: SourceFile) {
        self.file = file
    }

    /// Hands the next line to the closure, without its end. False where there is none.
    package mutating func next(
        _ body: (UnsafeRawBufferPointer) throws(MovingFault) -> Void
    ) throws(MovingFault) -> Bool {
        while true {
            guard let end = lineEnd ?? (isAtEnd && start < buffer.count ? buffer.count : nil) else {
                if isAtEnd { return false }
                try readMore()
                continue
            }
            count += 1
            let line = start..<end
            start = min(end + 1, buffer.count)
            searched = start
            try buffer.span.withUnsafeBytes { bytes throws(MovingFault) in
                try body(UnsafeRawBufferPointer(rebasing: bytes[line]))
            }
            return true
        }
    }

    /// True for a line of white space.
    package static func isBlank(_ line: UnsafeRawBufferPointer) -> Bool {
        for byte in line where byte > 0x20 { return false }
        return true
    }

    /// Passes over lines.
    package mutating func skip(_ count: Int) throws(MovingFault) {
        for _ in 0..<count {
            guard try next({ _ throws(MovingFault) in }) else { return }
        }
    }

    private mutating func readMore() throws(MovingFault) {
        searched = buffer.count - start
        buffer.removeFirst(start)
        start = 0
        guard buffer.count <= MovingLimits.elementBytesMax else {
            throw MovingFault(
                "\(file.path):\(count + 1)", "a line has at most \(MovingLimits.elementBytesMax) bytes")
        }
        isAtEnd = try !file.read(into: &buffer)
    }

    private var lineEnd: Int? {
        buffer.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress, searched < bytes.count,
                let found = memchr(base + searched, Int32(UInt8(ascii: "\n")), bytes.count - searched)
            else { return nil }
            return base.distance(to: UnsafeRawPointer(found))
        }
    }
}
