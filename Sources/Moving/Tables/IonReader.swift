import JSON

/// Reads a line of an export in Ion's text into DynamoDB's JSON: only what such exports are written of.
///
///     $ion_1_0 {Item:{id:"t1",rank:6d2,tags:["a"],b:{{AAEC}},ss:$dynamodb_SS::["a"]}}
///     {"Item":{"id":{"S":"t1"},"rank":{"N":"6e2"},"tags":{"L":[{"S":"a"}]},"b":{"B":"AAEC"},"ss":{"SS":["a"]}}}
struct IonReader {
    struct Fault: Error {
        let message: String
    }

    private let bytes: UnsafeRawBufferPointer
    private var index = 0
    private var depth = 0

    private init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
    }

    /// The structs of a line: one, or those of a list.
    static func objects(of bytes: UnsafeRawBufferPointer) throws(Fault) -> [JSONObject] {
        var reader = IonReader(bytes)
        return try reader.document()
    }

    private mutating func document() throws(Fault) -> [JSONObject] {
        skipSpace()
        let mark = Array("$ion_1_0".utf8)
        if rest(startsWith: mark) { index += mark.count }
        skipSpace()
        var objects: [JSONObject] = []
        if current == UInt8(ascii: "[") {
            index += 1
            while try !ends(UInt8(ascii: "]"), afterValue: !objects.isEmpty) { objects.append(try envelope()) }
        } else if current != nil {
            objects.append(try envelope())
        }
        skipSpace()
        guard current == nil else { throw unexpected("the end of the line") }
        return objects
    }

    /// A struct around items: its members are structs of attributes.
    private mutating func envelope() throws(Fault) -> JSONObject {
        var object = JSONObject()
        try structure { reader, name throws(Fault) in
            reader.skipSpace()
            if name == "Record", reader.current == UInt8(ascii: "{") {
                for member in try reader.envelope() { object.set(member.key, to: member.value) }
                return
            }
            object.set(name, to: .object(try reader.attributes()))
        }
        return object
    }

    private mutating func attributes() throws(Fault) -> JSONObject {
        var object = JSONObject()
        try structure { reader, name throws(Fault) in object.set(name, to: try reader.value()) }
        return object
    }

    /// Reads a struct; the closure reads the value of each name.
    private mutating func structure(
        _ member: (inout IonReader, String) throws(Fault) -> Void
    ) throws(Fault) {
        skipSpace()
        guard current == UInt8(ascii: "{") else { throw unexpected("a struct") }
        index += 1
        depth += 1
        defer { depth -= 1 }
        guard depth <= MovingLimits.ionNestingMax else {
            throw Fault(message: "structs and lists are at most \(MovingLimits.ionNestingMax) deep")
        }
        var isFirst = true
        while try !ends(UInt8(ascii: "}"), afterValue: !isFirst) {
            isFirst = false
            let name = try fieldName()
            skipSpace()
            guard current == UInt8(ascii: ":") else { throw unexpected("a colon") }
            index += 1
            try member(&self, name)
        }
    }

    /// Passes over a comma behind a value, and says whether the end is there.
    private mutating func ends(_ end: UInt8, afterValue: Bool) throws(Fault) -> Bool {
        skipSpace()
        if afterValue, current == UInt8(ascii: ",") {
            index += 1
            skipSpace()
        } else if afterValue, current != end {
            throw unexpected("a comma or the end")
        }
        guard current == end else {
            guard current != nil else { throw unexpected("more") }
            return false
        }
        index += 1
        return true
    }

    private mutating func value() throws(Fault) -> JSONValue {
        skipSpace()
        switch current {
        case UInt8(ascii: "\""): return typed("S", .string(try quoted(UInt8(ascii: "\""))))
        case UInt8(ascii: "["): return typed("L", .array(try list { reader throws(Fault) in try reader.value() }))
        case UInt8(ascii: "{"):
            if rest(startsWith: [UInt8(ascii: "{"), UInt8(ascii: "{")]) { return typed("B", .string(try blob())) }
            return typed("M", .object(try attributes()))
        case UInt8(ascii: "-"), .some(UInt8(ascii: "0")...UInt8(ascii: "9")): return typed("N", .string(number()))
        default: return try word()
        }
    }

    private func typed(_ type: String, _ content: JSONValue) -> JSONValue {
        .object(JSONObject(distinct: [.init(key: type, value: content)]))
    }

    /// A boolean, a null, or the name of a set's type before its list.
    private mutating func word() throws(Fault) -> JSONValue {
        switch symbol() {
        case "true": return typed("BOOL", true)
        case "false": return typed("BOOL", false)
        case "null":
            // A null of a type is one as well.
            if current == UInt8(ascii: ".") {
                index += 1
                _ = symbol()
            }
            return typed("NULL", true)
        case "$dynamodb_SS": return try set("SS")
        case "$dynamodb_NS": return try set("NS")
        case "$dynamodb_BS": return try set("BS")
        default: throw unexpected("a value")
        }
    }

    private mutating func set(_ type: String) throws(Fault) -> JSONValue {
        guard rest(startsWith: Array("::".utf8)) else { throw unexpected("two colons") }
        index += 2
        skipSpace()
        guard current == UInt8(ascii: "[") else { throw unexpected("a list") }
        let elements = try list { reader throws(Fault) in
            guard let member = try reader.value().object?.members.first else { throw reader.unexpected("a value") }
            return member.value
        }
        return typed(type, .array(elements))
    }

    private mutating func list(
        _ element: (inout IonReader) throws(Fault) -> JSONValue
    ) throws(Fault) -> [JSONValue] {
        index += 1
        depth += 1
        defer { depth -= 1 }
        guard depth <= MovingLimits.ionNestingMax else {
            throw Fault(message: "structs and lists are at most \(MovingLimits.ionNestingMax) deep")
        }
        var elements: [JSONValue] = []
        while try !ends(UInt8(ascii: "]"), afterValue: !elements.isEmpty) { elements.append(try element(&self)) }
        return elements
    }

    /// A decimal or an integer; Ion writes `6d2` for 6e2, and `103.` for a decimal without a fraction.
    private mutating func number() -> String {
        var text: [UInt8] = []
        while let byte = current {
            switch byte {
            case UInt8(ascii: "d"), UInt8(ascii: "D"): text.append(UInt8(ascii: "e"))
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."),
                UInt8(ascii: "e"), UInt8(ascii: "E"):
                text.append(byte)
            default: return String(decoding: text, as: UTF8.self)
            }
            index += 1
        }
        return String(decoding: text, as: UTF8.self)
    }

    private mutating func blob() throws(Fault) -> String {
        index += 2
        var text: [UInt8] = []
        while let byte = current, byte != UInt8(ascii: "}") {
            if byte > 0x20 { text.append(byte) }
            index += 1
        }
        guard rest(startsWith: [UInt8(ascii: "}"), UInt8(ascii: "}")]) else { throw unexpected("the end of a blob") }
        index += 2
        return String(decoding: text, as: UTF8.self)
    }

    private mutating func fieldName() throws(Fault) -> String {
        skipSpace()
        if let byte = current, byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") { return try quoted(byte) }
        let name = symbol()
        guard !name.isEmpty else { throw unexpected("a name") }
        return name
    }

    private mutating func symbol() -> String {
        let start = index
        while let byte = current, Self.isSymbolByte(byte) { index += 1 }
        return String(decoding: bytes[start..<index], as: UTF8.self)
    }

    private static func isSymbolByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"):
            true
        default: false
        }
    }

    // MARK: Texts

    private mutating func quoted(_ quote: UInt8) throws(Fault) -> String {
        index += 1
        var text: [UInt8] = []
        while let byte = current {
            index += 1
            if byte == quote {
                guard let text = String(validating: text, as: UTF8.self) else {
                    throw Fault(message: "a text is no UTF-8")
                }
                return text
            }
            guard byte == UInt8(ascii: "\\") else {
                text.append(byte)
                continue
            }
            try escape(into: &text)
        }
        throw unexpected("the end of a text")
    }

    private mutating func escape(into text: inout [UInt8]) throws(Fault) {
        guard let byte = current else { throw unexpected("an escape") }
        index += 1
        switch byte {
        case UInt8(ascii: "n"): text.append(0x0A)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "r"): text.append(0x0D)
        case UInt8(ascii: "0"): text.append(0)
        case UInt8(ascii: "a"): text.append(7)
        case UInt8(ascii: "b"): text.append(8)
        case UInt8(ascii: "f"): text.append(12)
        case UInt8(ascii: "v"): text.append(11)
        case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "?"):
            text.append(byte)
        case UInt8(ascii: "x"): try append(try hexadecimal(2), to: &text)
        case UInt8(ascii: "U"): try append(try hexadecimal(8), to: &text)
        case UInt8(ascii: "u"):
            var scalar = try hexadecimal(4)
            if (0xD800..<0xDC00).contains(scalar), rest(startsWith: Array("\\u".utf8)) {
                index += 2
                let low = try hexadecimal(4)
                guard (0xDC00..<0xE000).contains(low) else { throw unexpected("the second half of a character") }
                scalar = 0x10000 + (scalar - 0xD800) << 10 + (low - 0xDC00)
            }
            try append(scalar, to: &text)
        default: throw unexpected("an escape")
        }
    }

    private mutating func hexadecimal(_ count: Int) throws(Fault) -> UInt32 {
        guard index + count <= bytes.count,
            let value = UInt32(String(decoding: bytes[index..<(index + count)], as: UTF8.self), radix: 16)
        else { throw unexpected("hexadecimal digits") }
        index += count
        return value
    }

    private func append(_ scalar: UInt32, to text: inout [UInt8]) throws(Fault) {
        guard let scalar = Unicode.Scalar(scalar) else { throw unexpected("a character") }
        text += Array(String(scalar).utf8)
    }

    // MARK: Bytes

    private var current: UInt8? { index < bytes.count ? bytes[index] : nil }

    private mutating func skipSpace() {
        while let byte = current, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { index += 1 }
    }

    private func rest(startsWith start: [UInt8]) -> Bool {
        index + start.count <= bytes.count && bytes[index..<(index + start.count)].elementsEqual(start)
    }

    private func unexpected(_ what: String) -> Fault { Fault(message: "column \(index + 1): expected \(what)") }
}
