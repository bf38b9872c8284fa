import JSON

/// The names that steps may use, and what they stand for.
struct Substitution {
    var values: [String: JSONValue] = [:]

    struct UnknownName: Error, CustomStringConvertible {
        let name: String
        var description: String { "nothing was kept as \(name)" }
    }

    /// The text with what `${name}` stands for. A name that stands for nothing stays as it is.
    func filled(_ text: String) -> String {
        // Faster than asking each text for what most have not.
        guard text.utf8.contains(UInt8(ascii: "$")) else { return text }
        return text.replacing(/\$\{([^}]+)\}/) { match in
            switch values[String(match.1)] {
            case nil: String(match.0)
            case .string(let text)?: text
            case let value?: JSONWriter.text(of: value)
            }
        }
    }

    /// The value with all texts in it filled in. A text that is a name as a whole becomes the value itself, whatever it is,
    /// and so does `{"$ref": "name"}`.
    func filled(_ value: JSONValue) throws(UnknownName) -> JSONValue {
        switch value {
        case .string(let text):
            if text.hasPrefix("${"), text.hasSuffix("}"), let value = values[String(text.dropFirst(2).dropLast())] {
                return value
            }
            return .string(filled(text))
        case .array(let elements):
            var filled: [JSONValue] = []
            for element in elements { filled.append(try self.filled(element)) }
            return .array(filled)
        case .object(let object):
            if object.count == 1, let name = object["$ref"]?.string {
                guard let value = values[name] else { throw UnknownName(name: name) }
                return value
            }
            return .object(try filled(object))
        default:
            return value
        }
    }

    func filled(_ object: JSONObject) throws(UnknownName) -> JSONObject {
        var filled = JSONObject()
        for member in object { filled.set(member.key, to: try self.filled(member.value)) }
        return filled
    }

    /// Keeps what is found at a place such as `data.listNotes.items.0.id`.
    mutating func keep(_ places: [String: String], of value: JSONValue) throws(Mismatch) {
        for (name, place) in places {
            var found = value
            var path = JSONPath()
            for part in place.split(separator: ".").map(String.init) {
                let index = Int(part)
                path = index.map { path.appending($0) } ?? path.appending(part)
                guard let next = found[part] ?? index.flatMap({ found[$0] }) else {
                    throw Mismatch(path, "a value to keep as \(name)", "nothing")
                }
                found = next
            }
            values[name] = found
        }
    }
}
