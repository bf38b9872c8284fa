import JSON

/// Why a text is no XML.
enum XMLError: Error, Sendable, Equatable, CustomStringConvertible {
    case malformed(String, offset: Int)
    case tooDeep(max: Int)

    var description: String {
        switch self {
        case .malformed(let expected, let offset): "expected \(expected) at byte \(offset)"
        case .tooDeep(let max): "elements contain each other more than \(max) times"
        }
    }
}

/// Turns XML into JSON as AppSync's `$util.xml.toJsonString` does:
///
///     <posts><post id="1">a</post><post>2</post></posts>
///     {"posts":{"post":[{"id":1,"content":"a"},2]}}
///
/// Attributes and child elements are members, several of one name an array, text beside them is `content`; an element
/// that is only text is that text. What looks like a number, a boolean or null becomes one. Comments, processing
/// instructions and the document type are passed over; entities other than the five of XML stay as they are written, so
/// nothing is ever looked up.
struct XMLReader {
    /// An element whose end has not come yet.
    private struct Open {
        let name: String
        var members = JSONObject()
    }

    private let bytes: [UInt8]
    private var index = 0
    private var open: [Open] = []
    private var result = JSONObject()

    static func value(of bytes: [UInt8]) throws(XMLError) -> JSONValue {
        var reader = XMLReader(bytes)
        return try reader.document()
    }

    private init(_ bytes: [UInt8]) {
        self.bytes = bytes
        if starts(with: "\u{FEFF}") { index = 3 }
    }

    private mutating func document() throws(XMLError) -> JSONValue {
        while index < bytes.count {
            if bytes[index] != UInt8(ascii: "<") {
                try text()
            } else if starts(with: "<!--") {
                try pass("-->")
            } else if starts(with: "<![CDATA[") {
                try characterData()
            } else if starts(with: "<?") {
                try pass("?>")
            } else if starts(with: "<!") {
                try declaration()
            } else if starts(with: "</") {
                try end()
            } else {
                try start()
            }
        }
        if let element = open.last { throw .malformed("</\(element.name)>", offset: index) }
        guard !result.isEmpty else { throw .malformed("an element", offset: index) }
        return .object(result)
    }

    // MARK: Parts

    private mutating func text() throws(XMLError) {
        let start = index
        while index < bytes.count, bytes[index] != UInt8(ascii: "<") { index += 1 }
        let text = Self.trimmed(bytes[start..<index])
        guard !text.isEmpty else { return }
        guard !open.isEmpty else { throw .malformed("an element", offset: start) }
        add(Self.value(of: Self.unescaped(text)), as: "content")
    }

    private mutating func characterData() throws(XMLError) {
        let start = index + "<![CDATA[".utf8.count
        try pass("]]>")
        guard !open.isEmpty else { throw .malformed("an element", offset: start) }
        let text = String(decoding: bytes[start..<max(start, index - 3)], as: UTF8.self)
        if !text.isEmpty { add(.string(text), as: "content") }
    }

    /// `<!DOCTYPE …>`, with all that may stand in its brackets.
    private mutating func declaration() throws(XMLError) {
        let start = index
        var depth = 0
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "<"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: ">"), UInt8(ascii: "]"): depth -= 1
            default: break
            }
            index += 1
            if depth == 0 { return }
        }
        throw .malformed("the end of the declaration", offset: start)
    }

    private mutating func start() throws(XMLError) {
        index += 1
        let name = try name()
        guard open.count < FunctionLimits.elementDepthMax else { throw .tooDeep(max: FunctionLimits.elementDepthMax) }
        open.append(Open(name: name))
        while true {
            skipBlanks()
            if starts(with: "/>") {
                index += 2
                return close()
            }
            if starts(with: ">") {
                index += 1
                return
            }
            try attribute()
        }
    }

    private mutating func attribute() throws(XMLError) {
        let key = try name()
        skipBlanks()
        guard starts(with: "=") else { throw .malformed("= behind an attribute's name", offset: index) }
        index += 1
        skipBlanks()
        guard index < bytes.count, bytes[index] == UInt8(ascii: "\"") || bytes[index] == UInt8(ascii: "'") else {
            throw .malformed("a quote before an attribute's value", offset: index)
        }
        let quote = bytes[index]
        let start = index + 1
        guard let end = bytes[start...].firstIndex(of: quote) else {
            throw .malformed("a quote behind an attribute's value", offset: start)
        }
        index = end + 1
        add(Self.value(of: Self.unescaped(bytes[start..<end])), as: key)
    }

    private mutating func end() throws(XMLError) {
        let start = index
        index += 2
        let name = try name()
        skipBlanks()
        guard starts(with: ">") else { throw .malformed("> behind the name of an end tag", offset: index) }
        index += 1
        guard open.last?.name == name else {
            throw .malformed(open.last.map { "</\($0.name)>" } ?? "no end tag", offset: start)
        }
        close()
    }

    /// The innermost element is complete: it becomes a member of the one around it.
    private mutating func close() {
        guard let element = open.popLast() else { return }
        var value: JSONValue = .object(element.members)
        if element.members.isEmpty {
            value = ""
        } else if element.members.count == 1, let content = element.members["content"] {
            value = content
        }
        add(value, as: element.name)
    }

    /// Makes a value a member of the innermost open element; of several with one name an array.
    private mutating func add(_ value: JSONValue, as name: String) {
        if open.isEmpty {
            Self.accumulate(value, as: name, in: &result)
        } else {
            Self.accumulate(value, as: name, in: &open[open.count - 1].members)
        }
    }

    private static func accumulate(_ value: JSONValue, as name: String, in object: inout JSONObject) {
        switch object[name] {
        case nil: object.set(name, to: value)
        case .array(var elements)?:
            // Taken out while it grows, so that it is not copied for each element.
            object.set(name, to: .null)
            elements.append(value)
            object.set(name, to: .array(elements))
        case let first?: object.set(name, to: .array([first, value]))
        }
    }

    // MARK: Texts

    private func starts(with text: String) -> Bool {
        bytes[index...].starts(with: text.utf8)
    }

    private mutating func pass(_ end: String) throws(XMLError) {
        let start = index
        while index < bytes.count {
            if starts(with: end) {
                index += end.utf8.count
                return
            }
            index += 1
        }
        throw .malformed(end, offset: start)
    }

    private mutating func skipBlanks() {
        while index < bytes.count, Self.isBlank(bytes[index]) { index += 1 }
    }

    private mutating func name() throws(XMLError) -> String {
        let start = index
        while index < bytes.count, !Self.isBlank(bytes[index]), !"<>/=\"'&?!".utf8.contains(bytes[index]) { index += 1 }
        guard index > start else { throw .malformed("a name", offset: start) }
        return String(decoding: bytes[start..<index], as: UTF8.self)
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    private static func trimmed(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var text = text.drop(while: isBlank)
        while let last = text.last, isBlank(last) { text.removeLast() }
        return text
    }

    private static let entities: [ByteText: String] = ["lt": "<", "gt": ">", "amp": "&", "quot": "\"", "apos": "'"]
    /// No entity that is known is longer.
    private static let entityBytesMax = 10

    private static func unescaped(_ text: ArraySlice<UInt8>) -> String {
        var result: [UInt8] = []
        var index = text.startIndex
        while index < text.endIndex {
            guard text[index] == UInt8(ascii: "&"),
                let end = text[index...].prefix(entityBytesMax + 2).firstIndex(of: UInt8(ascii: ";")),
                let character = character(String(decoding: text[(index + 1)..<end], as: UTF8.self))
            else {
                result.append(text[index])
                index += 1
                continue
            }
            result.append(contentsOf: character.utf8)
            index = end + 1
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// What an entity stands for: a name, `#65` or `#x41`.
    private static func character(_ entity: String) -> String? {
        guard entity.hasPrefix("#") else { return entities[entity] }
        let digits = entity.dropFirst()
        let code =
            digits.lowercased().hasPrefix("x") ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits, radix: 10)
        return code.flatMap(Unicode.Scalar.init).map { String(Character($0)) }
    }

    /// A text as the value that it looks like.
    private static func value(of text: String) -> JSONValue {
        switch text.lowercased() {
        case "true": return true
        case "false": return false
        case "null": return .null
        default: break
        }
        guard let first = text.utf8.first, first == UInt8(ascii: "-") || (0x30...0x39).contains(first) else {
            return .string(text)
        }
        do {
            let value = try JSONReader.value(of: text)
            return value.number == nil ? .string(text) : value
        } catch {
            return .string(text)
        }
    }
}
