/// Finds the data of server-sent events in bytes that come piece by piece: each event of models is one line.
struct ServerSentLines {
    private var waiting: [UInt8] = []

    /// The data of the lines that are complete now; nil where a line is longer than may be.
    mutating func data(_ bytes: [UInt8]) -> [[UInt8]]? {
        waiting.append(contentsOf: bytes)
        var data: [[UInt8]] = []
        var start = 0
        while let end = waiting[start...].firstIndex(of: UInt8(ascii: "\n")) {
            let line = waiting[start..<end]
            start = end + 1
            if line.starts(with: Self.mark) {
                var value = line.dropFirst(Self.mark.count)
                if value.last == UInt8(ascii: "\r") { value = value.dropLast() }
                if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
                data.append(Array(value))
            }
        }
        waiting.removeFirst(start)
        return waiting.count <= LanguageLimits.eventBytesMax ? data : nil
    }

    private static let mark = Array("data:".utf8)
}
