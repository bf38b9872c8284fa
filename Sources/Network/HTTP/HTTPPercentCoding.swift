/// The escapes of URLs: "%41" is "A".
package enum HTTPPercentCoding {
    /// Returns whether every "%" has two hexadecimal digits behind it, and none stands for NUL.
    static func isValid(_ bytes: ArraySlice<UInt8>) -> Bool {
        var index = bytes.startIndex
        while index < bytes.endIndex {
            guard bytes[index] == UInt8(ascii: "%") else {
                index += 1
                continue
            }
            guard let value = value(bytes, at: index), value != 0 else { return false }
            index += 3
        }
        return true
    }

    /// The bytes behind the escapes; nil where a "%" has no two hexadecimal digits behind it.
    package static func bytes(of text: some Collection<UInt8>) -> [UInt8]? {
        let text = ArraySlice(text)
        var result: [UInt8] = []
        result.reserveCapacity(text.count)
        var index = text.startIndex
        while index < text.endIndex {
            if text[index] == UInt8(ascii: "%") {
                guard let value = value(text, at: index) else { return nil }
                result.append(value)
                index += 3
            } else {
                result.append(text[index])
                index += 1
            }
        }
        return result
    }

    /// The text behind the escapes. What is no escape stays as it is; bytes that are not UTF-8 are replaced.
    package static func decoded(_ bytes: some Collection<UInt8>, plusIsSpace: Bool = false) -> String {
        let bytes = ArraySlice(bytes)
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var index = bytes.startIndex
        while index < bytes.endIndex {
            if bytes[index] == UInt8(ascii: "%"), let value = value(bytes, at: index) {
                result.append(value)
                index += 3
            } else {
                result.append(plusIsSpace && bytes[index] == UInt8(ascii: "+") ? HTTPCharacters.space : bytes[index])
                index += 1
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// The parameters of a query ("a=1&b=x%20y"), in order, at the most so many.
    package static func parameters(
        of query: String, plusIsSpace: Bool = true, max: Int = 64
    ) -> [(name: String, value: String)] {
        query.utf8.split(separator: UInt8(ascii: "&"), maxSplits: max).prefix(max).map { parameter in
            let parts = parameter.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            let value = parts.count > 1 ? decoded(parts[1], plusIsSpace: plusIsSpace) : ""
            return (decoded(parts[0], plusIsSpace: plusIsSpace), value)
        }
    }

    private static func value(_ bytes: ArraySlice<UInt8>, at index: Int) -> UInt8? {
        guard bytes.endIndex - index >= 3, let high = HTTPCharacters.hexadecimalValue(bytes[index + 1]),
            let low = HTTPCharacters.hexadecimalValue(bytes[index + 2])
        else { return nil }
        return high << 4 | low
    }
}
