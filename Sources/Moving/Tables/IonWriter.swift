import Crypto
import Items
import JSON

/// Writes items as Ion's text, as an import of DynamoDB takes them: a line for each.
package enum IonWriter {
    /// Appends `$ion_1_0 {Item:{…}}` and a line end.
    package static func append(_ item: Item, to buffer: inout [UInt8]) {
        buffer += Array("$ion_1_0 {Item:".utf8)
        write(item, to: &buffer)
        buffer += Array("}\n".utf8)
    }

    private static func write(_ item: Item, to buffer: inout [UInt8]) {
        buffer.append(UInt8(ascii: "{"))
        for (index, attribute) in item.attributes.enumerated() {
            if index > 0 { buffer.append(UInt8(ascii: ",")) }
            writeText(attribute.name, quote: UInt8(ascii: "'"), to: &buffer)
            buffer.append(UInt8(ascii: ":"))
            write(attribute.value, to: &buffer)
        }
        buffer.append(UInt8(ascii: "}"))
    }

    private static func write(_ value: ItemValue, to buffer: inout [UInt8]) {
        switch value {
        case .string(let text): writeText(text, quote: UInt8(ascii: "\""), to: &buffer)
        case .number(let number): writeNumber(number, to: &buffer)
        case .binary(let bytes): writeBlob(bytes, to: &buffer)
        case .bool(let bool): buffer += Array((bool ? "true" : "false").utf8)
        case .null: buffer += Array("null".utf8)
        case .map(let item): write(item, to: &buffer)
        case .list(let elements): writeList("", elements, to: &buffer) { write($0, to: &$1) }
        case .strings(let texts):
            writeList("$dynamodb_SS::", texts, to: &buffer) { writeText($0, quote: UInt8(ascii: "\""), to: &$1) }
        case .numbers(let numbers): writeList("$dynamodb_NS::", numbers, to: &buffer) { writeNumber($0, to: &$1) }
        case .binaries(let all): writeList("$dynamodb_BS::", all, to: &buffer) { writeBlob($0, to: &$1) }
        }
    }

    private static func writeList<Element>(
        _ mark: String, _ elements: [Element], to buffer: inout [UInt8], _ write: (Element, inout [UInt8]) -> Void
    ) {
        buffer += Array(mark.utf8)
        buffer.append(UInt8(ascii: "["))
        for (index, element) in elements.enumerated() {
            if index > 0 { buffer.append(UInt8(ascii: ",")) }
            write(element, &buffer)
        }
        buffer.append(UInt8(ascii: "]"))
    }

    /// A decimal has a point or an exponent: without one it would be an integer.
    private static func writeNumber(_ number: ItemNumber, to buffer: inout [UInt8]) {
        let text = number.text.utf8.map { $0 == UInt8(ascii: "e") || $0 == UInt8(ascii: "E") ? UInt8(ascii: "d") : $0 }
        buffer += text
        if !text.contains(UInt8(ascii: ".")), !text.contains(UInt8(ascii: "d")) { buffer.append(UInt8(ascii: ".")) }
    }

    private static func writeBlob(_ bytes: [UInt8], to buffer: inout [UInt8]) {
        buffer += Array("{{\(Base64.text(of: bytes, .standard))}}".utf8)
    }

    private static func writeText(_ text: String, quote: UInt8, to buffer: inout [UInt8]) {
        buffer.append(quote)
        for byte in text.utf8 {
            switch byte {
            case quote, UInt8(ascii: "\\"): buffer += [UInt8(ascii: "\\"), byte]
            case 0x0A: buffer += Array("\\n".utf8)
            case 0x00..<0x20, 0x7F: buffer += Array("\\x\(Hexadecimal.text(of: [byte]))".utf8)
            default: buffer.append(byte)
            }
        }
        buffer.append(quote)
    }
}
