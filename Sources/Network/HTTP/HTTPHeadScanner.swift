import Glibc

/// Finds the end of a message's head: the first empty line. It sees every byte once, however the head arrives.
struct HTTPHeadScanner {
    private var scanned = 0
    private var lineStart = 0
    private(set) var hasFirstLine = false

    enum Outcome: Equatable {
        case incomplete
        /// The bytes up to here, the empty line included, are the head.
        case complete(count: Int)
        /// A line feed without a carriage return before it: some peer down the line may see a line's end there, or not.
        case bareLineFeed
    }

    /// Looks on from where the last call ended; the bytes start with the same ones each time.
    mutating func scan(_ bytes: UnsafeRawBufferPointer) -> Outcome {
        guard let start = bytes.baseAddress else { return .incomplete }
        while scanned < bytes.count {
            guard let found = memchr(start + scanned, Int32(HTTPCharacters.lineFeed), bytes.count - scanned) else {
                scanned = bytes.count
                return .incomplete
            }
            let index = UnsafeRawPointer(found) - start
            scanned = index + 1
            guard index > lineStart, bytes[index - 1] == HTTPCharacters.carriageReturn else { return .bareLineFeed }
            if index - 1 == lineStart { return .complete(count: index + 1) }
            lineStart = index + 1
            hasFirstLine = true
        }
        return .incomplete
    }
}
