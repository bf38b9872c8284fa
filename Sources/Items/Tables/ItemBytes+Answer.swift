import Crypto
import JSON

extension ItemBytes.Reading {
    /// Appends an item, and says how many attributes it has and what it weighs.
    mutating func write(to buffer: inout [UInt8], depth: Int) -> (count: Int, weight: Int)? {
        guard let count = count(), count <= bytes.count - index else { return nil }
        var weight = 0
        buffer.append(UInt8(ascii: "{"))
        for place in 0..<count {
            if place > 0 { buffer.append(UInt8(ascii: ",")) }
            guard let name = content() else { return nil }
            JSONWriter.writeString(name, to: &buffer)
            buffer.append(UInt8(ascii: ":"))
            guard let value = writeValue(to: &buffer, depth: depth) else { return nil }
            weight += name.count + value
        }
        buffer.append(UInt8(ascii: "}"))
        return (count, weight)
    }

    private mutating func writeValue(to buffer: inout [UInt8], depth: Int) -> Int? {
        guard depth <= ItemLimits.readNestingMax, let mark = byte().flatMap(ItemBytes.Mark.init) else { return nil }
        switch mark {
        case .string:
            guard let text = content() else { return nil }
            Self.string.withUTF8Buffer { JSONWriter.writeString(text, behind: UnsafeRawBufferPointer($0), to: &buffer) }
            buffer.append(UInt8(ascii: "}"))
            return text.count
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

    private static let string: StaticString = #"{"S":"#

    private static func append(_ text: StaticString, to buffer: inout [UInt8]) {
        text.withUTF8Buffer { buffer.append(contentsOf: $0) }
    }
}
