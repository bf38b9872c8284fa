/// Reads keywords with values: `host=db1 password='two words' application_name=a\ b`.
enum PostgresKeywordReader {
    static func words(of bytes: [UInt8]) throws(PostgresSettingsError) -> [PostgresWord] {
        var words: [PostgresWord] = []
        var rest = bytes[...]
        while true {
            rest = rest.drop(while: isBlank)
            if rest.isEmpty { return words }
            guard let end = rest.firstIndex(where: { isBlank($0) || $0 == UInt8(ascii: "=") }) else {
                throw .badText(offset: rest.startIndex)
            }
            let name = rest[..<end]
            let isSpaced = isBlank(rest[end])
            rest = rest[end...].drop(while: isBlank)
            guard rest.popFirst() == UInt8(ascii: "=") else { throw .badText(offset: rest.startIndex) }
            guard let keyword = PostgresKeyword(rawValue: String(decoding: name, as: UTF8.self)) else {
                throw .unknownKeyword(offset: end)
            }
            // Behind "user= password=x" the password would be the user, whom everybody may see.
            if isSpaced { rest = rest.drop(while: isBlank) }
            let start = rest.startIndex
            guard let text = String(validating: try value(&rest), as: UTF8.self) else { throw .badText(offset: start) }
            words.append(PostgresWord(keyword: keyword, value: text))
        }
    }

    /// A value in quotes, or up to the next blank. A backslash stands before any byte that is meant as it is.
    private static func value(_ rest: inout ArraySlice<UInt8>) throws(PostgresSettingsError) -> [UInt8] {
        let isQuoted = rest.first == UInt8(ascii: "'")
        if isQuoted { rest = rest.dropFirst() }
        var value: [UInt8] = []
        while let byte = rest.first {
            if isQuoted ? byte == UInt8(ascii: "'") : isBlank(byte) {
                rest = rest.dropFirst()
                return value
            }
            rest = rest.dropFirst()
            if byte == UInt8(ascii: "\\") {
                guard let next = rest.popFirst() else { throw .badText(offset: rest.startIndex) }
                value.append(next)
            } else {
                value.append(byte)
            }
        }
        guard !isQuoted else { throw .badText(offset: rest.startIndex) }
        return value
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
}
