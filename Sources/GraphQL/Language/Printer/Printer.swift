/// Writes a document as a person would: two spaces a level, one field a line, short lists on one line, a blank line
/// between definitions.
///
/// Printing a tree that was parsed and parsing the text again gives the same tree.
/// Hot path: it writes bytes into one buffer.
struct Printer {
    private(set) var buffer: [UInt8] = []
    private var level = 0
    /// True if a fragment is written `...on Type`, as AppSync tells resolvers of it.
    let isTight: Bool

    init(isTight: Bool = false) { self.isTight = isTight }

    /// Longer lines of arguments are broken, one argument a line.
    static let lineLengthMax = 80

    mutating func print(_ document: Document) {
        for (index, definition) in document.definitions.enumerated() {
            if index > 0 { write("\n") }
            print(definition, isFirst: index == 0)
            write("\n")
        }
    }

    /// Behind a type without fields, the braces of a query without a keyword would be read as its fields: only the
    /// first definition goes without.
    mutating func print(_ definition: Definition, isFirst: Bool = true) {
        switch definition {
        case .operation(let operation): print(operation, canBeBare: isFirst)
        case .fragment(let fragment): print(fragment)
        case .schema(let schema): print(schema, isExtension: false)
        case .schemaExtension(let schema): print(schema, isExtension: true)
        case .type(let type): print(type, isExtension: false)
        case .typeExtension(let type): print(type, isExtension: true)
        case .directive(let directive): print(directive)
        }
    }
}

extension Printer {
    @inline(__always)
    mutating func write(_ text: StaticString) {
        buffer.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    @inline(__always)
    mutating func write(_ text: String) {
        var text = text
        text.withUTF8 { buffer.append(contentsOf: $0) }
    }

    @inline(__always)
    mutating func write(_ byte: UInt8) {
        buffer.append(byte)
    }

    mutating func write(_ bytes: some Collection<UInt8>) {
        buffer.append(contentsOf: bytes)
    }

    mutating func writeLineBreak() {
        buffer.append(UInt8(ascii: "\n"))
        buffer.append(contentsOf: repeatElement(UInt8(ascii: " "), count: level * 2))
    }

    /// Writes the lines that `body` makes one level further in.
    mutating func indented(_ body: (inout Printer) -> Void) {
        level += 1
        body(&self)
        level -= 1
    }

    /// Writes each element on a line of its own, in the given brackets.
    mutating func block<Elements: Collection>(
        _ elements: Elements, _ open: StaticString = "{", _ close: StaticString = "}",
        _ body: (inout Printer, Elements.Element) -> Void
    ) {
        write(open)
        level += 1
        for element in elements {
            writeLineBreak()
            body(&self, element)
        }
        level -= 1
        writeLineBreak()
        write(close)
    }

    /// Writes the elements with a separator between them.
    mutating func separated<Element>(
        _ elements: [Element], by separator: StaticString = ", ", _ body: (inout Printer, Element) -> Void
    ) {
        var isFirst = true
        for element in elements {
            if !isFirst { write(separator) }
            isFirst = false
            body(&self, element)
        }
    }

    /// Returns whether what was written from an offset on makes its line too long.
    func isTooLong(from offset: Int) -> Bool {
        var start = offset
        while start > 0, buffer[start - 1] != UInt8(ascii: "\n") { start -= 1 }
        return buffer.count - start > Self.lineLengthMax
    }

    /// Takes back what was written from an offset on.
    mutating func rewind(to offset: Int) {
        buffer.removeLast(buffer.count - offset)
    }

    /// Writes an explanation on lines of its own, above what it explains.
    mutating func print(description: StringValue?) {
        guard let description else { return }
        print(description)
        writeLineBreak()
    }
}
