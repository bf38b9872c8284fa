import Access
import JSON

/// The value of a field with parameters: `form-data; name="a"; filename="b.txt"`.
struct FormParameters {
    let value: String
    private let parameters: [(name: String, value: String)]

    /// The value of a parameter, by its name in lower case.
    subscript(name: String) -> String? {
        parameters.first { $0.name == name }?.value
    }

    /// Nil for what is no such value, or has a parameter twice.
    init?(_ text: String) {
        var rest = Array(text.utf8)[...]
        value = Self.take(&rest, until: UInt8(ascii: ";")).trimmingBlanks
        var parameters: [(name: String, value: String)] = []
        var names: Set<ByteText> = []
        while rest.popFirst() != nil {
            rest = rest.drop(while: Self.isBlank)
            if rest.isEmpty { break }
            let name = Self.take(&rest, until: UInt8(ascii: "=")).trimmingBlanks.inLowerCaseASCII
            guard !name.isEmpty, rest.popFirst() != nil, names.add(name) else { return nil }
            rest = rest.drop(while: Self.isBlank)
            guard let value = Self.takeValue(&rest) else { return nil }
            parameters.append((name, value))
        }
        self.parameters = parameters
    }

    /// A word, or what stands between quotes. Browsers write a quote in it as `%22` and a backslash as it is; other clients put
    /// a backslash before a quote.
    private static func takeValue(_ rest: inout ArraySlice<UInt8>) -> String? {
        guard rest.first == UInt8(ascii: "\"") else {
            return take(&rest, until: UInt8(ascii: ";")).trimmingBlanks
        }
        rest.removeFirst()
        var value: [UInt8] = []
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "\"") {
                rest = rest.drop(while: isBlank)
                return rest.isEmpty || rest.first == UInt8(ascii: ";") ? String(decoding: value, as: UTF8.self) : nil
            }
            if byte == UInt8(ascii: "\\"), rest.first == UInt8(ascii: "\"") {
                value.append(rest.removeFirst())
            } else {
                value.append(byte)
            }
        }
        return nil
    }

    private static func take(_ rest: inout ArraySlice<UInt8>, until end: UInt8) -> String {
        let taken = rest.prefix { $0 != end }
        rest = rest.dropFirst(taken.count)
        return String(decoding: taken, as: UTF8.self)
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
}
