import Crypto
import JSON

extension ItemBytes.Reading {
    /// Appends an item, and says how many attributes it has and what it weighs.
    mutating func write(to buffer: inout [UInt8], depth: Int) -> (count: Int, weight: Int)? {
        guard let count = count(), count <= bytes.count - index else { return nil }
        var weight = 0
        buffer.append(UInt8(ascii: "{"))
        for place in 0..<count {
            guard let name = content() else { return nil }
            if place == 0 {
                JSONWriter.writeString(name, to: &buffer)
            } else {
                Self.comma.withUTF8Buffer {
                    JSONWriter.writeString(name, behind: UnsafeRawBufferPointer($0), to: &buffer)
                }
            }
            guard let value = writeValue(to: &buffer, depth: depth, isMember: true) else { return nil }
            weight += name.count + value
        }
        buffer.append(UInt8(ascii: "}"))
        return (count, weight)
    }

    /// - Parameter isMember: whether it stands behind a name, from which a colon parts it.
    private mutating func writeValue(to buffer: inout [UInt8], depth: Int, isMember: Bool = false) -> Int? {
        guard depth <= ItemLimits.readNestingMax, let mark = byte().flatMap(ItemBytes.Mark.init) else { return nil }
        if mark == .string {
            guard let text = content() else { return nil }
            (isMember ? Self.member : Self.element).withUTF8Buffer {
                JSONWriter.writeString(
                    text, behind: UnsafeRawBufferPointer($0), before: UInt8(ascii: "}"), to: &buffer)
            }
            return text.count
        }
        if isMember { buffer.append(UInt8(ascii: ":")) }
        switch mark {
        case .map:
            Self.append(#"{"M":"#, to: &buffer)
            guard let (count, weight) = write(to: &buffer, depth: depth + 1) else { return nil }
            buffer.append(UInt8(ascii: "}"))
            return 3 + count + weight
        case .list:
            guard let count = count(), count <= bytes.count - index else { return nil }
            Self.append(#"{"L":["#, to: &buffer)
            var weight = 3
            for place in 0..<count {
                if place > 0 { buffer.append(UInt8(ascii: ",")) }
                guard let element = writeValue(to: &buffer, depth: depth + 1) else { return nil }
                weight += 1 + element
            }
            Self.append("]}", to: &buffer)
            return weight
        case .number, .written:
            guard let number = number(mark) else { return nil }
            ItemValue.number(number).write(to: &buffer)
            return number.size
        default:
            // The others are rare, and short.
            index -= 1
            guard let value = value(depth: depth) else { return nil }
            value.write(to: &buffer)
            return value.size
        }
    }

    private static let comma: StaticString = ","
    private static let member: StaticString = #":{"S":"#
    private static let element: StaticString = #"{"S":"#

    private static func append(_ text: StaticString, to buffer: inout [UInt8]) {
        text.withUTF8Buffer { buffer.append(contentsOf: $0) }
    }
}
