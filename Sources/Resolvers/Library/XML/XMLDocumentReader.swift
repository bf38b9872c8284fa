import JSON

/// Reads XML into JSON: an element is a member, several of one name are a list, text is a value.
///
/// Attributes are members beside the child elements, and text beside either is `content`. There are no entities but the five of XML
/// and code points: a document type is refused.
struct XMLDocumentReader {
    private let bytes: [UInt8]
    private var index = 0

    static func value(of text: String, _ call: inout LibraryCall) throws(ResolverError) -> JSONValue {
        try call.count(bytes: text.utf8.count)
        var reader = XMLDocumentReader(bytes: Array(text.utf8))
        var members: [(String, JSONValue)] = []
        while try reader.skipToElement() { members.append(try reader.element(&call, depth: 1)) }
        return object(members)
    }

    private init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    // MARK: Elements

    /// Goes to the next element of the document; false at its end.
    private mutating func skipToElement() throws(ResolverError) -> Bool {
        while true {
            skipBlanks()
            if index == bytes.count { return false }
            if try skipRemark() { continue }
            guard bytes[index] == UInt8(ascii: "<") else { throw fault("there is text outside of elements") }
            return true
        }
    }

    /// Over 40 lines: an element is read in one go.
    private mutating func element(
        _ call: inout LibraryCall, depth: Int
    ) throws(ResolverError) -> (name: String, value: JSONValue) {
        try call.check(depth: depth)
        try call.count(1)
        index += 1
        let name = try self.name()
        var members: [(String, JSONValue)] = []
        while true {
            skipBlanks()
            if starts(with: "/>") {
                index += 2
                return (name, members.isEmpty ? "" : Self.object(members))
            }
            if starts(with: ">") {
                index += 1
                break
            }
            members.append(try attribute(&call))
        }
        var texts: [String] = []
        while true {
            if starts(with: "</") {
                index += 2
                guard try self.name() == name else { throw fault("'\(name.prefix(100))' does not end where it should") }
                skipBlanks()
                guard starts(with: ">") else { throw fault("an end of an element has no '>'") }
                index += 1
                break
            }
            if starts(with: "<![CDATA[") {
                index += 9
                let text = try text(upTo: "]]>")
                if !text.isEmpty { texts.append(text) }
            } else if try skipRemark() {
                continue
            } else if starts(with: "<") {
                let child = try element(&call, depth: depth + 1)
                members.append(child)
            } else {
                guard index < bytes.count else { throw fault("'\(name.prefix(100))' has no end") }
                let text = try unescaped(while: { $0 != UInt8(ascii: "<") })
                let trimmed = Self.trimmed(text)
                if !trimmed.isEmpty { texts.append(trimmed) }
            }
        }
        let values = texts.map { Self.value(of: $0) }
        if members.isEmpty, values.count < 2 { return (name, values.first ?? "") }
        for value in values { members.append(("content", value)) }
        return (name, Self.object(members))
    }

    /// Members of one name are a list.
    private static func object(_ members: [(String, JSONValue)]) -> JSONValue {
        var values: [ByteText: [JSONValue]] = [:]
        var names: [String] = []
        for (name, value) in members {
            if values[name] == nil { names.append(name) }
            values[name, default: []].append(value)
        }
        return .object(
            JSONObject(
                distinct: names.map { name in
                    let values = values[name] ?? []
                    return .init(key: name, value: values.count == 1 ? values[0] : .array(values))
                }))
    }

    private mutating func attribute(_ call: inout LibraryCall) throws(ResolverError) -> (String, JSONValue) {
        try call.count(1)
        let name = try self.name()
        skipBlanks()
        guard starts(with: "=") else { throw fault("the attribute '\(name.prefix(100))' has no value") }
        index += 1
        skipBlanks()
        guard index < bytes.count, [UInt8(ascii: "\""), UInt8(ascii: "'")].contains(bytes[index]) else {
            throw fault("the value of '\(name.prefix(100))' has no quotes")
        }
        let quote = bytes[index]
        index += 1
        let text = try unescaped(while: { $0 != quote })
        guard index < bytes.count else { throw fault("the value of '\(name.prefix(100))' has no end") }
        index += 1
        return (name, Self.value(of: text))
    }

    // MARK: Texts

    /// Digits are a number unless a zero stands before them; `true`, `false` and `null` are what they say.
    private static func value(of text: String) -> JSONValue {
        switch text.lowercased() {
        case "true": return true
        case "false": return false
        case "null": return .null
        default: break
        }
        let digits = text.utf8.first == UInt8(ascii: "-") ? text.utf8.dropFirst() : text.utf8[...]
        guard let first = digits.first, (0x30...0x39).contains(first),
            let value = try? JSONReader.value(of: text), value.number != nil
        else { return .string(text) }
        return value
    }

    private static func isBlank(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(byte) }

    private static func trimmed(_ text: String) -> String {
        let start = text.utf8.drop { isBlank($0) }
        guard let end = start.lastIndex(where: { !isBlank($0) }) else { return "" }
        return String(Substring(start[...end]))
    }

    private mutating func unescaped(while isText: (UInt8) -> Bool) throws(ResolverError) -> String {
        var text: [UInt8] = []
        while index < bytes.count, isText(bytes[index]) {
            guard bytes[index] == UInt8(ascii: "&") else {
                text.append(bytes[index])
                index += 1
                continue
            }
            let name = bytes[(index + 1)...].prefix(12).prefix { $0 != UInt8(ascii: ";") }
            guard let scalar = Self.entity(String(decoding: name, as: UTF8.self)) else {
                throw fault("'&' begins an entity that XML does not have by itself")
            }
            text += String(Character(scalar)).utf8
            index += name.count + 2
            guard index <= bytes.count else { throw fault("an entity has no end") }
        }
        return String(decoding: text, as: UTF8.self)
    }

    private static let entities: [ByteText: Unicode.Scalar] = [
        "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'",
    ]

    private static func entity(_ name: String) -> Unicode.Scalar? {
        if let known = entities[name] { return known }
        if name.hasPrefix("#x") || name.hasPrefix("#X") {
            return UInt32(name.dropFirst(2), radix: 16).flatMap { Unicode.Scalar($0) }
        }
        return name.hasPrefix("#") ? UInt32(name.dropFirst()).flatMap { Unicode.Scalar($0) } : nil
    }

    // MARK: Signs

    /// Comments and instructions.
    private mutating func skipRemark() throws(ResolverError) -> Bool {
        if starts(with: "<!--") {
            index += 4
            _ = try text(upTo: "-->")
            return true
        }
        if starts(with: "<?") {
            index += 2
            _ = try text(upTo: "?>")
            return true
        }
        if starts(with: "<!"), !starts(with: "<![CDATA[") { throw fault("a document type is not taken") }
        return false
    }

    private mutating func text(upTo end: StaticString) throws(ResolverError) -> String {
        let start = index
        while index < bytes.count {
            if starts(with: end) {
                let text = String(decoding: bytes[start..<index], as: UTF8.self)
                index += end.utf8CodeUnitCount
                return text
            }
            index += 1
        }
        throw fault("a part of it has no end")
    }

    private mutating func name() throws(ResolverError) -> String {
        let start = index
        while index < bytes.count, !Self.isBlank(bytes[index]), !Self.endsNames.contains(bytes[index]) { index += 1 }
        guard index > start else { throw fault("a name is missing") }
        return String(decoding: bytes[start..<index], as: UTF8.self)
    }

    private static let endsNames: Set<UInt8> = Set("<>/=\"'&".utf8)

    private mutating func skipBlanks() {
        while index < bytes.count, Self.isBlank(bytes[index]) { index += 1 }
    }

    private func starts(with text: StaticString) -> Bool {
        bytes[index...].starts(with: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    private func fault(_ what: String) -> ResolverError { .fault("The text is no XML: \(what) (byte \(index)).") }
}
