/// The part of a line that has come so far, for machines that are fed bytes in whatever pieces.
struct LineBuffer {
    enum Answer {
        case needMore
        case tooLong
        /// A line with its end.
        case line([UInt8])
    }

    private var line: [UInt8] = []

    /// Takes bytes from the front up to the next line feed. `max` counts the line's end.
    mutating func take(_ bytes: inout UnsafeRawBufferPointer, max: Int) -> Answer {
        let end = bytes.firstIndex(of: UInt8(ascii: "\n"))
        let count = end.map { $0 + 1 } ?? bytes.count
        guard line.count + count <= max else { return .tooLong }
        line.append(contentsOf: bytes[..<count])
        bytes = UnsafeRawBufferPointer(rebasing: bytes[count...])
        guard end != nil else { return .needMore }
        defer { line.removeAll(keepingCapacity: true) }
        return .line(line)
    }
}
