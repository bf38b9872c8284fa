import JSON
import Network

/// A file with lines `NAME=value`, as people keep variables and secrets in: `.env`, `.homeport/secrets`. One that is an object in
/// JSON is good too.
enum VariableFile {
    private static let bytesMax = 1 << 20

    /// The variables, in the file's order; none where there is no file.
    static func read(_ path: String) -> [(name: String, value: String)] {
        guard let bytes = try? SmallFile.read(path, bytesMax: bytesMax) else { return [] }
        return variables(in: bytes)
    }

    static func variables(in bytes: [UInt8]) -> [(name: String, value: String)] {
        if let object = (try? JSONReader.value(of: bytes))?.object {
            return object.members.compactMap { member in member.value.string.map { (member.key, $0) } }
        }
        return String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline).compactMap { line in
            var line = trimmed(line)
            if line.hasPrefix("export ") { line = trimmed(line.dropFirst("export ".count)) }
            guard !line.hasPrefix("#"), let equals = line.firstIndex(of: "=") else { return nil }
            let name = trimmed(line[..<equals])
            guard !name.isEmpty else { return nil }
            return (String(name), unquoted(trimmed(line[line.index(after: equals)...])))
        }
    }

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text.drop(while: \.isWhitespace)
        while text.last?.isWhitespace == true { text.removeLast() }
        return text
    }

    /// A value in quotes is what stands between them; between double ones `\n` is the end of a line.
    private static func unquoted(_ text: Substring) -> String {
        guard text.count > 1, let quote = text.first, quote == text.last, quote == "\"" || quote == "'" else {
            return String(text)
        }
        let inner = text.dropFirst().dropLast()
        guard quote == "\"" else { return String(inner) }
        var value = ""
        var isEscaped = false
        for character in inner {
            if isEscaped {
                value.append(character == "n" ? "\n" : character)
                isEscaped = false
            } else if character == "\\" {
                isEscaped = true
            } else {
                value.append(character)
            }
        }
        return value
    }
}
