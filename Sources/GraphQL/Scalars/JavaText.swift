import JSON

/// How AppSync, a Java program, names and writes values in its messages.
package enum JavaText {
    /// The class that a JSON value has there.
    package static func className(of value: JSONValue) -> String {
        switch value {
        case .null: "null"
        case .bool: "Boolean"
        case .integer(let integer): Int32(exactly: integer) != nil ? "Integer" : "Long"
        case .largeInteger: "BigInteger"
        case .double: "Double"
        case .string: "String"
        case .array: "ArrayList"
        case .object: "LinkedHashMap"
        }
    }

    /// The text that a JSON value turns into there: `[a, b]`, `{key=value}`.
    package static func text(of value: JSONValue) -> String {
        var text = ""
        write(value, to: &text)
        return text
    }

    private static func write(_ value: JSONValue, to text: inout String) {
        switch value {
        case .null: text += "null"
        case .bool(let bool): text += bool ? "true" : "false"
        case .integer(let integer): text += String(integer)
        case .largeInteger(let digits): text += digits
        case .double(let double): text += self.text(of: double)
        case .string(let string): text += string
        case .array(let elements):
            text += "["
            for (index, element) in elements.enumerated() {
                if index > 0 { text += ", " }
                write(element, to: &text)
            }
            text += "]"
        case .object(let object):
            text += "{"
            for (index, member) in object.members.enumerated() {
                if index > 0 { text += ", " }
                text += member.key + "="
                write(member.value, to: &text)
            }
            text += "}"
        }
    }

    /// Java writes `1.0E7` where Swift writes `10000000.0`.
    private static func text(of double: Double) -> String {
        let magnitude = double.magnitude
        guard double.isFinite, magnitude != 0, !(1e-3..<1e7).contains(magnitude) else { return "\(double)" }
        var digits: [Character] = []
        var exponent = 0
        var pointAt: Int?
        let parts = magnitude.description.split(separator: "e")
        for character in parts.first ?? "" {
            if character == "." { pointAt = digits.count } else { digits.append(character) }
        }
        if parts.count > 1 { exponent = Int(parts[1]) ?? 0 }
        let leadingZeros = digits.prefix { $0 == "0" }.count
        exponent += (pointAt ?? digits.count) - 1 - leadingZeros
        digits.removeFirst(leadingZeros)
        while digits.count > 1, digits.last == "0" { digits.removeLast() }
        let fraction = digits.count > 1 ? String(digits.dropFirst()) : "0"
        return "\(double < 0 ? "-" : "")\(digits.first ?? "0").\(fraction)E\(exponent)"
    }
}
