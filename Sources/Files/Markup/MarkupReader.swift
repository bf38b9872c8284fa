import JSON

/// Reads XML 1.0 in UTF-8, as clients of S3 send it.
///
/// There is nothing in it that could grow or reach elsewhere: a document type is refused and with it entities of its own;
/// the five that XML knows and references to characters are replaced. Size, depth and elements have their bounds.
struct MarkupReader {
    private let bytes: [UInt8]
    private var index = 0
    private var elements = 0
    private let depthMax: Int
    private let elementsMax: Int

    static let attributesMax = 32

    /// The outermost element.
    static func read(
        _ bytes: [UInt8], bytesMax: Int = FileLimits.markupBytesMax, depthMax: Int = FileLimits.markupDepthMax,
        elementsMax: Int = FileLimits.markupElementsMax
    ) throws(FileError) -> MarkupElement {
        guard bytes.count <= bytesMax else { throw malformed("more than \(bytesMax) bytes") }
        guard let text = String(validating: bytes, as: UTF8.self) else { throw malformed("no UTF-8") }
        guard XMLCharacters.canHold(text) else { throw malformed("a character that XML does not allow") }
        var reader = MarkupReader(bytes, depthMax, elementsMax)
        return try reader.document()
    }

    private init(_ bytes: [UInt8], _ depthMax: Int, _ elementsMax: Int) {
        self.bytes = bytes
        self.depthMax = depthMax
        self.elementsMax = elementsMax
    }

    private mutating func document() throws(FileError) -> MarkupElement {
        _ = skip([0xEF, 0xBB, 0xBF])
        if at("<?xml"), index + 5 < bytes.count, Self.isBlank(bytes[index + 5]) { try declaration() }
        try betweenElements()
        guard at("<") else { throw Self.malformed("no element") }
        let root = try element(depth: 1)
        try betweenElements()
        guard index == bytes.count else { throw Self.malformed("something behind the outermost element") }
        return root
    }

    /// `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>`
    private mutating func declaration() throws(FileError) {
        index += 5
        let allowed: [ByteText: Set<ByteText>] = [
            "version": ["1.0"], "encoding": ["utf-8", "utf8"], "standalone": ["yes", "no"],
        ]
        var names: [ByteText] = []
        while !skipBlanks(then: "?>") {
            let (name, value) = try attribute()
            let lower = String(decoding: value.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
            guard let values = allowed[name], values.contains(lower), !names.contains(ByteText(name)) else {
                throw Self.malformed("a declaration with \(name) \(lower)")
            }
            names.append(ByteText(name))
        }
        guard names.first == ByteText("version") else { throw Self.malformed("a declaration without a version") }
    }

    /// White space, comments and instructions.
    private mutating func betweenElements() throws(FileError) {
        while true {
            skipBlanks()
            if at("<!--") {
                try comment()
            } else if at("<?") {
                try instruction()
            } else {
                return
            }
        }
    }

    private mutating func comment() throws(FileError) {
        index += 4
        while index < bytes.count, !at("--") { index += 1 }
        guard skip("-->") else { throw Self.malformed("a comment without its end") }
    }

    private mutating func instruction() throws(FileError) {
        index += 2
        let target = try name()
        guard target.lowercased() != "xml" else { throw Self.malformed("a declaration that is not at the start") }
        while index < bytes.count, !at("?>") { index += 1 }
        guard skip("?>") else { throw Self.malformed("an instruction without its end") }
    }

    private mutating func element(depth: Int) throws(FileError) -> MarkupElement {
        guard depth <= depthMax else { throw Self.malformed("elements more than \(depthMax) deep") }
        elements += 1
        guard elements <= elementsMax else { throw Self.malformed("more than \(elementsMax) elements") }
        guard skip("<") else { throw Self.malformed("no element") }
        let tag = try name()
        var attributes: [String] = []
        while true {
            if skipBlanks(then: "/>") { return MarkupElement(name: try Self.local(tag)) }
            if skipBlanks(then: ">") { break }
            let name = try attribute().name
            guard !attributes.contains(name), attributes.count < Self.attributesMax else {
                throw Self.malformed("the attribute \(name) twice, or too many")
            }
            attributes.append(name)
        }
        var element = MarkupElement(name: try Self.local(tag))
        var text: [UInt8] = []
        while true {
            guard index < bytes.count else { throw Self.malformed("\(tag) without its end") }
            if skip("</") {
                guard try name() == tag else { throw Self.malformed("the end of another element in \(tag)") }
                skipBlanks()
                guard skip(">") else { throw Self.malformed("the end of \(tag) without its bracket") }
                element.text = String(decoding: text, as: UTF8.self)
                return element
            } else if skip("<![CDATA[") {
                try literalText(to: &text)
            } else if at("<!--") {
                try comment()
            } else if at("<?") {
                try instruction()
            } else if at("<") {
                element.children.append(try self.element(depth: depth + 1))
            } else {
                try character(to: &text)
            }
        }
    }

    /// What stands in `<![CDATA[ ]]>`.
    private mutating func literalText(to text: inout [UInt8]) throws(FileError) {
        while !skip("]]>") {
            guard index < bytes.count else { throw Self.malformed("CDATA without its end") }
            lineEndOrByte(to: &text)
        }
    }

    /// A byte of text, or a reference.
    private mutating func character(to text: inout [UInt8]) throws(FileError) {
        if at("]]>") { throw Self.malformed("]]> in a text") }
        if at("&") { try reference(to: &text) } else { lineEndOrByte(to: &text) }
    }

    /// The next byte. A line ends in one way only, whatever it ended in.
    private mutating func lineEndOrByte(to text: inout [UInt8]) {
        let byte = bytes[index]
        index += 1
        if byte == 0x0D {
            if index < bytes.count, bytes[index] == 0x0A { index += 1 }
            text.append(0x0A)
        } else {
            text.append(byte)
        }
    }

    private static let entities: [(name: StaticString, byte: UInt8)] = [
        ("&amp;", UInt8(ascii: "&")), ("&lt;", UInt8(ascii: "<")), ("&gt;", UInt8(ascii: ">")),
        ("&quot;", UInt8(ascii: "\"")), ("&apos;", UInt8(ascii: "'")),
    ]

    private mutating func reference(to text: inout [UInt8]) throws(FileError) {
        for (name, byte) in Self.entities where skip(name) {
            text.append(byte)
            return
        }
        let radix: UInt32
        if skip("&#x") {
            radix = 16
        } else if skip("&#") {
            radix = 10
        } else {
            throw Self.malformed("a reference to an entity that XML does not know")
        }
        var number: UInt32 = 0
        var digits = 0
        while index < bytes.count, let digit = Self.digit(bytes[index]), digit < radix {
            number = number * radix + digit
            digits += 1
            index += 1
            // Zeros in front are allowed, so that only the value has a bound.
            guard number <= 0x10FFFF else { throw Self.malformed("a reference to no character") }
        }
        guard digits > 0, skip(";"), let scalar = Unicode.Scalar(number), XMLCharacters.canHold(scalar) else {
            throw Self.malformed("a reference to no character")
        }
        text.append(contentsOf: String(scalar).utf8)
    }

    private static func digit(_ byte: UInt8) -> UInt32? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte - UInt8(ascii: "a")) + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte - UInt8(ascii: "A")) + 10
        default: nil
        }
    }

    /// `name="value"` with the white space in front of it.
    private mutating func attribute() throws(FileError) -> (name: String, value: [UInt8]) {
        let start = index
        skipBlanks()
        guard index > start else { throw Self.malformed("no blank in front of an attribute") }
        let name = try name()
        skipBlanks()
        guard skip("=") else { throw Self.malformed("the attribute \(name) without a value") }
        skipBlanks()
        let quote = index < bytes.count ? bytes[index] : 0
        guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
            throw Self.malformed("the attribute \(name) without quotes")
        }
        index += 1
        var value: [UInt8] = []
        while index < bytes.count, bytes[index] != quote {
            if at("<") { throw Self.malformed("a bracket in the attribute \(name)") }
            if at("&") { try reference(to: &value) } else { lineEndOrByte(to: &value) }
        }
        guard index < bytes.count else { throw Self.malformed("the attribute \(name) without its end") }
        index += 1
        return (name, value)
    }

    private mutating func name() throws(FileError) -> String {
        let start = index
        while index < bytes.count, Self.isOfName(bytes[index], isFirst: index == start) { index += 1 }
        guard index > start else { throw Self.malformed("no name") }
        return String(decoding: bytes[start..<index], as: UTF8.self)
    }

    private static func isOfName(_ byte: UInt8, isFirst: Bool) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"),
            UInt8(ascii: ":"), 0x80...:
            true
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."): !isFirst
        default: false
        }
    }

    /// A name without its prefix.
    private static func local(_ name: String) throws(FileError) -> String {
        let parts = name.parts(separatedBy: ":")
        guard parts.count <= 2, let last = parts.last, !parts.contains("") else {
            throw malformed("the name \(name)")
        }
        return last
    }

    private func at(_ text: StaticString) -> Bool {
        text.withUTF8Buffer { index + $0.count <= bytes.count && bytes[index..<(index + $0.count)].elementsEqual($0) }
    }

    private mutating func skip(_ text: StaticString) -> Bool {
        guard at(text) else { return false }
        index += text.utf8CodeUnitCount
        return true
    }

    private mutating func skip(_ mark: [UInt8]) -> Bool {
        guard bytes[index...].starts(with: mark) else { return false }
        index += mark.count
        return true
    }

    private mutating func skipBlanks() {
        while index < bytes.count, Self.isBlank(bytes[index]) { index += 1 }
    }

    /// Skips what ends a tag, with the blanks in front of it, or nothing.
    private mutating func skipBlanks(then end: StaticString) -> Bool {
        let start = index
        skipBlanks()
        if skip(end) { return true }
        index = start
        return false
    }

    static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 }

    private static func malformed(_ why: String) -> FileError { .malformedXML.because(why) }
}
