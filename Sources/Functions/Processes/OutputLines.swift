import Network

/// Cuts what a process writes into lines for the log: pure. A process that floods loses what is more than its share of a second,
/// and is told how much that was.
struct OutputLines {
    private var line: [UInt8] = []
    private var second = MonotonicTime(nanoseconds: 0)
    private var bytesOfSecond = 0
    private var droppedBytes = 0

    /// The lines that are complete. Runtimes write a carriage return for a line's end inside of one message.
    mutating func append(_ bytes: UnsafeRawBufferPointer, now: MonotonicTime) -> [String] {
        var lines: [String] = []
        if now.nanoseconds(since: second) >= 1_000_000_000 {
            second = now
            bytesOfSecond = 0
            if let dropped = takeDropped() { lines.append(dropped) }
        }
        for byte in bytes {
            guard byte != UInt8(ascii: "\n"), byte != UInt8(ascii: "\r") else {
                if let text = take() { lines.append(text) }
                continue
            }
            guard bytesOfSecond < RuntimeLimits.outputBytesPerSecond else {
                droppedBytes += 1
                continue
            }
            bytesOfSecond += 1
            line.append(byte)
            if line.count >= RuntimeLimits.lineBytesMax, let text = take() { lines.append(text) }
        }
        return lines
    }

    /// How much was left out, told at the end of a call.
    mutating func endOfCall() -> String? { takeDropped() }

    /// The rest, when the output has ended.
    mutating func finish() -> [String] { [take(), takeDropped()].compactMap(\.self) }

    private mutating func take() -> String? {
        guard !line.isEmpty else { return nil }
        defer { line.removeAll(keepingCapacity: true) }
        return String(decoding: line, as: UTF8.self)
    }

    private mutating func takeDropped() -> String? {
        guard droppedBytes > 0 else { return nil }
        defer { droppedBytes = 0 }
        return "(\(droppedBytes) bytes of output were left out: more than "
            + "\(RuntimeLimits.outputBytesPerSecond) bytes in a second)"
    }
}
