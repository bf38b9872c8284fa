extension JSONWriter {
    /// Writes a value for people: a member or element a line, two spaces a level, no line end behind the last one.
    package static func writePretty(_ value: JSONValue, to buffer: inout [UInt8]) {
        writePretty(value, level: 0, to: &buffer)
    }

    private static func writePretty(_ value: JSONValue, level: Int, to buffer: inout [UInt8]) {
        switch value {
        case .array(let elements) where !elements.isEmpty:
            buffer.append(UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                if index > 0 { buffer.append(UInt8(ascii: ",")) }
                startLine(level: level + 1, in: &buffer)
                writePretty(element, level: level + 1, to: &buffer)
            }
            startLine(level: level, in: &buffer)
            buffer.append(UInt8(ascii: "]"))
        case .object(let object) where !object.isEmpty:
            buffer.append(UInt8(ascii: "{"))
            for (index, member) in object.members.enumerated() {
                if index > 0 { buffer.append(UInt8(ascii: ",")) }
                startLine(level: level + 1, in: &buffer)
                writeKey(member.key, to: &buffer)
                buffer.append(UInt8(ascii: " "))
                writePretty(member.value, level: level + 1, to: &buffer)
            }
            startLine(level: level, in: &buffer)
            buffer.append(UInt8(ascii: "}"))
        default:
            write(value, to: &buffer)
        }
    }

    private static func startLine(level: Int, in buffer: inout [UInt8]) {
        buffer.append(UInt8(ascii: "\n"))
        buffer.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * level))
    }
}
