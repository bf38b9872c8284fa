import Testing

@testable import GraphQL

@Suite("The selections of a parsed document")
struct SelectionTreeTests {
    @Test("are those of the same document made by hand, with places")
    func shape() throws {
        let text = "{ a { b(x: 1) { c } ...F @d ... on T { e } } f: g }"
        let document = try Document(parsing: text)
        let argument = Argument(name: "x", value: .int(NumberValue("1")))
        let made: SelectionSet = [
            .field(
                Field(
                    name: "a",
                    selectionSet: [
                        .field(
                            Field(name: "b", arguments: [argument], selectionSet: [.field(Field(name: "c"))])),
                        .fragmentSpread(FragmentSpread(name: "F", directives: [Directive(name: "d")])),
                        .inlineFragment(
                            InlineFragment(typeCondition: "T", selectionSet: [.field(Field(name: "e"))])),
                    ])),
            .field(Field(alias: "f", name: "g")),
        ]
        let parsed = try #require(document.operations.first).selectionSet
        #expect(parsed == made)
        #expect(made == parsed)
        #expect(parsed.hashValue == made.hashValue)
        #expect(parsed.count == 2)
        #expect(Self.offsets(of: parsed) == [2, 6, 16, 20, 28, 39, 45])
    }

    @Test("outlive the document and the other parts of it")
    func lifetime() throws {
        var inner: SelectionSet = []
        do {
            let document = try Document(parsing: "{ a { aNameThatIsTooLongForAWord(b: 1) } }")
            for case .field(let field) in document.operations[0].selectionSet { inner = field.selectionSet }
        }
        #expect(inner.map(\.name) == ["aNameThatIsTooLongForAWord"])
    }

    @Test("can be changed in a copy, which leaves the document as it is")
    func change() throws {
        let document = try Document(parsing: "{ a(b: 1) { c } d }")
        var copy = document
        guard case .operation(var operation) = copy.definitions[0],
            case .field(var field)? = operation.selectionSet.first
        else {
            Issue.record("the document has no field")
            return
        }
        field.alias = "e"
        field.arguments = []
        operation.selectionSet = SelectionSet([.field(field)] + operation.selectionSet.dropFirst())
        copy.definitions[0] = .operation(operation)
        #expect(copy.printed == (try Document(parsing: "{ e: a { c } d }")).printed)
        #expect(document == (try Document(parsing: "{ a(b: 1) { c } d }")))
        #expect(copy != document)
    }

    @Test("are all there, however many there are and however densely they are written", arguments: [1, 63, 64, 4_000])
    func many(count: Int) throws {
        let names = (0..<count).map { "f\($0)" }
        for separator in [" ", ",", "\n", "\r\n", "{x}", String(repeating: " ", count: 100)] {
            let document = try Document(
                parsing: Source("{" + names.map { $0 + separator }.joined() + "}"), limits: .schema)
            #expect(document.operations[0].selectionSet.map(\.name) == names)
        }
    }

    @Test("nest as deeply as the limit says, and not deeper")
    func nesting() throws {
        let text = { (depth: Int) in
            String(repeating: "{a", count: depth) + String(repeating: "}", count: depth)
        }
        var set = try Document(parsing: text(200)).operations[0].selectionSet
        var depth = 0
        while case .field(let field)? = set.first {
            depth += 1
            set = field.selectionSet
        }
        #expect(depth == 200)
        #expect(throws: SyntaxError.self) { try Document(parsing: text(201)) }
    }

    private static func offsets(of set: SelectionSet) -> [Int] {
        set.flatMap { selection in
            switch selection {
            case .field(let field): [selection.position.offset] + offsets(of: field.selectionSet)
            case .fragmentSpread: [selection.position.offset]
            case .inlineFragment(let fragment): [selection.position.offset] + offsets(of: fragment.selectionSet)
            }
        }
    }
}

@Suite("Names and what stands between them")
struct ScanningTests {
    @Test("a name of any length is read, wherever in a block of bytes it and its end are", arguments: 1...70)
    func names(length: Int) throws {
        let alphabet = Array("abcxyzABCXYZ_0189")
        let name = "n" + String((1..<length).map { alphabet[($0 * 7) % alphabet.count] }.prefix(length - 1))
        for indent in 0...17 {
            for end in ["}", " }", "\n}", ",}", "@d}", "(a:1)}", "#\n}", "{\(name)}}", ":\(name)}", "\u{FEFF}}"] {
                let document = try Document(parsing: "{" + String(repeating: " ", count: indent) + name + end)
                let selection = try #require(document.operations[0].selectionSet.first)
                #expect(selection.name == name)
                // What the standard library makes of the same bytes hashes and compares the same.
                #expect(Set([selection.name]).contains(String(decoding: Array(name.utf8), as: UTF8.self)))
                #expect(selection.name.utf8.count == length)
                #expect(selection.position.offset == 1 + indent)
            }
        }
        // At the very end of a text, where no whole block is left.
        #expect(try Value(parsing: name) == .enum(Name(name)))
    }

    @Test("no other byte belongs to a name, and each is refused or separates", arguments: UInt8.min...UInt8.max)
    func otherBytes(byte: UInt8) throws {
        let isName =
            byte == 0x5F || (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
        for length in [1, 7, 8, 15, 16, 17, 31, 33] {
            let name = Array(repeating: UInt8(ascii: "n"), count: length)
            let document = try? Document(parsing: Source(Array("{".utf8) + name + [byte] + Array("b c\n}".utf8)))
            let first = document?.operations[0].selectionSet.first?.name.utf8.count
            if isName {
                #expect(first == length + 2)
            } else if [0x09, 0x0A, 0x0D, 0x20, 0x2C, UInt8(ascii: "@")].contains(byte) {
                #expect(first == length)
            } else if byte == UInt8(ascii: ":") {
                #expect(first == 1)
            } else if byte == UInt8(ascii: "#") {
                #expect(document?.operations[0].selectionSet.count == 1)
            } else {
                #expect(document == nil)
            }
        }
    }
}

extension Selection {
    /// The name of a field or of a fragment.
    fileprivate var name: String {
        switch self {
        case .field(let field): field.name.text
        case .fragmentSpread(let spread): spread.name.text
        case .inlineFragment: ""
        }
    }
}
