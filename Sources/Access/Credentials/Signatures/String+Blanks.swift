extension String {
    /// The text without blanks around it.
    package var trimmingBlanks: String {
        let blank: (UInt8) -> Bool = { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        let start = utf8.firstIndex { !blank($0) } ?? utf8.endIndex
        let end = utf8.lastIndex { !blank($0) }.map { utf8.index(after: $0) } ?? start
        return String(self[start..<end])
    }
}
