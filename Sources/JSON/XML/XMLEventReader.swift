/// Why a text is no XML, or more than the rules admit.
package struct XMLFault: Error, Sendable, Equatable, CustomStringConvertible {
    package enum Kind: Sendable {
        case malformed
        /// Elements contain each other too often.
        case tooDeep
        /// There are too many elements or attributes, or too many bytes.
        case tooMuch
    }

    package let kind: Kind
    package let description: String

    package init(_ kind: Kind, _ description: String) { (self.kind, self.description) = (kind, description) }
}

/// A part of an XML document, in the order in which it is written.
package enum XMLEvent: Sendable, Equatable {
    /// An element begins. Its attributes come next.
    case start(String)
    case attribute(name: String, value: String)
    /// - Parameter isLiteral: whether it is in `<![CDATA[ ]]>`.
    case text(String, isLiteral: Bool)
    /// The innermost element ends.
    case end
}

/// Reads XML as events, one after the other, without recursion.
///
///     <a b="1">x</a>     start(a)  attribute(b, 1)  text(x)  end
///
/// Nothing is looked up, and nothing grows: of entities there are the five of XML and references to characters. The rules bound depth,
/// elements and bytes. Two forms are read: that of who has to send XML 1.0 to the letter, and that in which AppSync reads what others
/// answer.
package struct XMLEventReader {
    /// The form of XML that is read, and its bounds.
    package struct Rules: Sendable {
        package enum Form: Sendable {
            /// XML 1.0 in UTF-8, without a document type.
            case strict
            /// As AppSync reads it: several outermost elements, a document type that is passed over, other entities as they are written,
            /// any names, and texts without the blanks around them.
            case lenient
        }

        let isStrict: Bool
        let bytesMax: Int
        let depthMax: Int
        let elementsMax: Int
        /// Of one element.
        let attributesMax: Int

        package init(
            _ form: Form, bytesMax: Int = .max, depthMax: Int, elementsMax: Int = .max, attributesMax: Int = .max
        ) {
            isStrict = form == .strict
            (self.bytesMax, self.depthMax) = (bytesMax, depthMax)
            (self.elementsMax, self.attributesMax) = (elementsMax, attributesMax)
        }
    }

    private let bytes: [UInt8]
    private let rules: Rules
    private var index = 0
    private var open: [ByteText] = []
    private var elements = 0
    /// True between the name of an element and the end of its tag.
    private var isInTag = false
    /// The names of the attributes of that tag.
    private var attributes: Set<ByteText> = []
    private var attributeCount = 0

    package init(_ bytes: [UInt8], _ rules: Rules) throws(XMLFault) {
        (self.bytes, self.rules) = (bytes, rules)
        guard bytes.count <= rules.bytesMax else { throw XMLFault(.tooMuch, "more than \(rules.bytesMax) bytes") }
        if rules.isStrict {
            guard let text = String(validating: bytes, as: UTF8.self) else { throw XMLFault(.malformed, "no UTF-8") }
            guard XMLCharacters.canHold(text) else {
                throw XMLFault(.malformed, "a character that XML does not allow")
            }
        }
        _ = skip("\u{FEFF}")
        if rules.isStrict, at("<?xml"), index + 5 < bytes.count, isBlank(bytes[index + 5]) { try declaration() }
    }

    /// The next part; nil: the document is complete.
    package mutating func next() throws(XMLFault) -> XMLEvent? {
        while true {
            if isInTag {
                if let event = try partOfTag() { return event }
                continue
            }
            guard index < bytes.count else {
                if let name = open.last { throw expected("</\(name)>") }
                guard elements > 0 || !rules.isStrict else { throw expected("an element") }
                return nil
            }
            if bytes[index] != UInt8(ascii: "<") {
                if let event = try text() { return event }
            } else if skip("<!--") {
                try comment()
            } else if skip("<![CDATA[") {
                if let event = try literal() { return event }
            } else if skip("<?") {
                try instruction()
            } else if at("<!") {
                try documentType()
            } else if skip("</") {
                return try end()
            } else {
                return try start()
            }
        }
    }

    private func expected(_ what: String, at place: Int? = nil) -> XMLFault {
        XMLFault(.malformed, "expected \(what) at byte \(place ?? index)")
    }

    // MARK: Tags

    private mutating func start() throws(XMLFault) -> XMLEvent {
        guard !rules.isStrict || elements == 0 || !open.isEmpty else { throw expected("the end of the document") }
        index += 1
        let name = try name()
        guard open.count < rules.depthMax else {
            throw XMLFault(.tooDeep, "elements contain each other more than \(rules.depthMax) times")
        }
        elements += 1
        guard elements <= rules.elementsMax else {
            throw XMLFault(.tooMuch, "more than \(rules.elementsMax) elements")
        }
        open.append(ByteText(name))
        isInTag = true
        attributes.removeAll(keepingCapacity: true)
        attributeCount = 0
        return .start(name)
    }

    /// An attribute, or the end of an element without content; nil: its content begins.
    private mutating func partOfTag() throws(XMLFault) -> XMLEvent? {
        let start = index
        skipBlanks()
        if skip("/>") {
            isInTag = false
            open.removeLast()
            return .end
        }
        if skip(">") {
            isInTag = false
            return nil
        }
        guard !rules.isStrict || index > start else { throw expected("a blank in front of an attribute") }
        let (name, value) = try attribute()
        attributeCount += 1
        guard attributeCount <= rules.attributesMax else {
            throw XMLFault(.tooMuch, "more than \(rules.attributesMax) attributes")
        }
        guard !rules.isStrict || attributes.insert(ByteText(name)).inserted else {
            throw XMLFault(.malformed, "the attribute \(name.prefix(Self.shownMax)) twice")
        }
        return .attribute(name: name, value: value)
    }

    private static let shownMax = 100

    /// `name="value"`
    private mutating func attribute() throws(XMLFault) -> (name: String, value: String) {
        let name = try name()
        skipBlanks()
        guard skip("=") else { throw expected("= behind an attribute's name") }
        skipBlanks()
        let quote = index < bytes.count ? bytes[index] : 0
        guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
            throw expected("a quote before an attribute's value")
        }
        let start = index + 1
        guard let end = bytes[start...].firstIndex(of: quote) else {
            throw expected("a quote behind an attribute's value", at: start)
        }
        if rules.isStrict, let bracket = bytes[start..<end].firstIndex(of: UInt8(ascii: "<")) {
            throw expected("no < in an attribute's value", at: bracket)
        }
        index = end + 1
        return (name, try content(start..<end))
    }

    private mutating func end() throws(XMLFault) -> XMLEvent {
        let start = index - 2
        let name = try name()
        skipBlanks()
        guard skip(">") else { throw expected("> behind the name of an end tag") }
        guard open.popLast() == ByteText(name) else {
            throw expected("the end of another element than \(name.prefix(Self.shownMax))", at: start)
        }
        return .end
    }

    private mutating func name() throws(XMLFault) -> String {
        let start = index
        while index < bytes.count, isOfName(bytes[index], isFirst: index == start) { index += 1 }
        guard index > start else { throw expected("a name") }
        return String(decoding: bytes[start..<index], as: UTF8.self)
    }

    private func isOfName(_ byte: UInt8, isFirst: Bool) -> Bool {
        guard rules.isStrict else { return !isBlank(byte) && !"<>/=\"'&?!".utf8.contains(byte) }
        switch byte {
        case UInt8(ascii: "_"), UInt8(ascii: ":"), 0x80...: return true
        case UInt8(ascii: "-"), UInt8(ascii: "."): return !isFirst
        default: return byte.isLetter || byte.isDigit && !isFirst
        }
    }

    // MARK: Texts

    private mutating func text() throws(XMLFault) -> XMLEvent? {
        var start = index
        index = bytes[index...].firstIndex(of: UInt8(ascii: "<")) ?? bytes.count
        var end = index
        if !rules.isStrict || open.isEmpty {
            while start < end, isBlank(bytes[start]) { start += 1 }
            while end > start, isBlank(bytes[end - 1]) { end -= 1 }
            guard start < end else { return nil }
        }
        guard !open.isEmpty else { throw expected("an element", at: start) }
        if rules.isStrict, let place = Self.place(of: "]]>", in: bytes[start..<end]) {
            throw expected("no ]]> in a text", at: place)
        }
        return .text(try content(start..<end), isLiteral: false)
    }

    /// The text in `<![CDATA[ ]]>`.
    private mutating func literal() throws(XMLFault) -> XMLEvent? {
        let start = index
        try pass("]]>")
        guard !open.isEmpty else { throw expected("an element", at: start) }
        let text = bytes[start..<(index - 3)]
        guard !text.isEmpty else { return nil }
        return .text(String(decoding: rules.isStrict ? Self.lines(text) : Array(text), as: UTF8.self), isLiteral: true)
    }

    /// A text with its references replaced.
    private func content(_ range: Range<Int>) throws(XMLFault) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(range.count)
        var place = range.lowerBound
        while place < range.upperBound {
            guard bytes[place] == UInt8(ascii: "&") else {
                // A line ends in one way only, whatever it ended in.
                if rules.isStrict, bytes[place] == 0x0D {
                    if place + 1 < range.upperBound, bytes[place + 1] == 0x0A { place += 1 }
                    text.append(0x0A)
                } else {
                    text.append(bytes[place])
                }
                place += 1
                continue
            }
            if let (scalar, count) = reference(at: place, upTo: range.upperBound) {
                text.append(contentsOf: String(Character(scalar)).utf8)
                place += count
            } else {
                guard !rules.isStrict else { throw expected("a reference that XML knows", at: place) }
                text.append(bytes[place])
                place += 1
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    private static func lines(_ text: ArraySlice<UInt8>) -> [UInt8] {
        var lines: [UInt8] = []
        lines.reserveCapacity(text.count)
        var isBehindReturn = false
        for byte in text {
            if byte == 0x0D { lines.append(0x0A) } else if byte != 0x0A || !isBehindReturn { lines.append(byte) }
            isBehindReturn = byte == 0x0D
        }
        return lines
    }

    private static let entities: [(name: StaticString, scalar: Unicode.Scalar)] = [
        ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"),
    ]

    /// The character that the reference at a place stands for, and the bytes of the reference; nil: it is none that XML knows.
    private func reference(at start: Int, upTo end: Int) -> (scalar: Unicode.Scalar, count: Int)? {
        for (name, scalar) in Self.entities where starts(bytes[start..<end], name) {
            return (scalar, name.utf8CodeUnitCount)
        }
        guard starts(bytes[start..<end], "&#") else { return nil }
        var place = start + 2
        var radix: UInt32 = 10
        if place < end, bytes[place] == UInt8(ascii: "x") || !rules.isStrict && bytes[place] == UInt8(ascii: "X") {
            radix = 16
            place += 1
        }
        let first = place
        var number: UInt32 = 0
        while place < end, let digit = bytes[place].hexadecimalValue, UInt32(digit) < radix {
            number = number * radix + UInt32(digit)
            // Zeros in front are allowed, so that only the value has a bound.
            guard number <= 0x10FFFF else { return nil }
            place += 1
        }
        guard place > first, place < end, bytes[place] == UInt8(ascii: ";"), let scalar = Unicode.Scalar(number),
            !rules.isStrict || XMLCharacters.canHold(scalar)
        else { return nil }
        return (scalar, place + 1 - start)
    }

    // MARK: What is passed over

    private mutating func comment() throws(XMLFault) {
        guard rules.isStrict else { return try pass("-->") }
        try pass("--")
        guard skip(">") else { throw expected("> behind -- in a comment") }
    }

    private mutating func instruction() throws(XMLFault) {
        if rules.isStrict, try name().utf8.map(\.lowercased).elementsEqual("xml".utf8) {
            throw expected("no declaration that is not at the start")
        }
        try pass("?>")
    }

    /// `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>`
    private mutating func declaration() throws(XMLFault) {
        index += 5
        let allowed: [ByteText: Set<ByteText>] = [
            "version": ["1.0"], "encoding": ["utf-8", "utf8"], "standalone": ["yes", "no"],
        ]
        var names: [ByteText] = []
        while true {
            let start = index
            skipBlanks()
            if skip("?>") { break }
            guard index > start else { throw expected("a blank in front of an attribute") }
            let (name, value) = try attribute()
            let lower = String(decoding: value.utf8.map(\.lowercased), as: UTF8.self)
            guard let values = allowed[ByteText(name)], values.contains(ByteText(lower)),
                !names.contains(ByteText(name))
            else { throw XMLFault(.malformed, "a declaration with \(name) \(lower)".shortened(to: Self.shownMax)) }
            names.append(ByteText(name))
        }
        guard names.first == ByteText("version") else {
            throw XMLFault(.malformed, "a declaration without a version")
        }
    }

    /// `<!DOCTYPE …>`, with all that is in its brackets.
    private mutating func documentType() throws(XMLFault) {
        guard !rules.isStrict else { throw expected("no document type") }
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
        throw expected("the end of the declaration", at: start)
    }

    // MARK: Bytes

    private mutating func pass(_ end: StaticString) throws(XMLFault) {
        guard let place = Self.place(of: end, in: bytes[index...]) else { throw expected("\(end)") }
        index = place + end.utf8CodeUnitCount
    }

    private static func place(of text: StaticString, in bytes: ArraySlice<UInt8>) -> Int? {
        guard bytes.count >= text.utf8CodeUnitCount else { return nil }
        return (bytes.startIndex...(bytes.endIndex - text.utf8CodeUnitCount)).first { place in
            text.withUTF8Buffer { bytes[place..<(place + $0.count)].elementsEqual($0) }
        }
    }

    private func starts(_ bytes: ArraySlice<UInt8>, _ text: StaticString) -> Bool {
        text.withUTF8Buffer { bytes.starts(with: $0) }
    }

    private func at(_ text: StaticString) -> Bool { starts(bytes[index...], text) }

    private mutating func skip(_ text: StaticString) -> Bool {
        guard at(text) else { return false }
        index += text.utf8CodeUnitCount
        return true
    }

    private mutating func skipBlanks() {
        while index < bytes.count, isBlank(bytes[index]) { index += 1 }
    }

    private func isBlank(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x20, 0x09, 0x0A, 0x0D: true
        case 0x0B, 0x0C: !rules.isStrict
        default: false
        }
    }
}
