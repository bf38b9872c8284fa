import JSON

/// How a time is written: a pattern of letters as Java's `DateTimeFormatter` reads it, such as `yyyy-MM-dd HH:mm:ssZ`.
///
/// Names of months and days are English, weeks begin with Sunday.
struct DatePattern: Sendable {
    indirect enum Element: Sendable {
        case literal([UInt8])
        /// A letter, and how often it stands there.
        case field(UInt8, count: Int)
        /// `[…]`: may be left out of what is read.
        case optional([Element])
        /// `ppp`: blanks before what follows.
        case padded(Element, width: Int)
    }

    let elements: [Element]

    /// The letters, and how often each may be repeated.
    private static let letters: [UInt8: Int] = Dictionary(
        uniqueKeysWithValues: [
            ("G", 5), ("u", 15), ("y", 15), ("Y", 15), ("D", 3), ("M", 5), ("L", 5), ("d", 2), ("Q", 5), ("q", 5),
            ("w", 2), ("W", 1), ("E", 5), ("e", 5), ("c", 5), ("a", 1), ("h", 2), ("K", 2), ("k", 2), ("H", 2),
            ("m", 2), ("s", 2), ("S", 9), ("A", 15), ("n", 15), ("N", 15), ("V", 2), ("z", 4), ("O", 4), ("X", 5),
            ("x", 5), ("Z", 5),
        ].map { (UInt8(ascii: $0.0), $0.1) })

    init(_ text: String, for function: String) throws(ResolverError) {
        let bytes = Array(text.utf8)
        guard bytes.count <= LibraryLimits.datePatternBytesMax else {
            throw .fault("\(function): a pattern has at most \(LibraryLimits.datePatternBytesMax) bytes.")
        }
        var reader = Reader(bytes: bytes, function: function)
        elements = try reader.elements(depth: 0)
    }

    private struct Reader {
        let bytes: [UInt8]
        let function: String
        var index = 0

        mutating func elements(depth: Int) throws(ResolverError) -> [Element] {
            guard depth <= LibraryLimits.datePatternNestingMax else {
                throw fault("has too many brackets in one another")
            }
            var elements: [Element] = []
            while index < bytes.count {
                let byte = bytes[index]
                switch byte {
                case UInt8(ascii: "'"): elements.append(.literal(try quoted()))
                case UInt8(ascii: "["):
                    index += 1
                    elements.append(.optional(try self.elements(depth: depth + 1)))
                    // The last bracket may be left out.
                    if index < bytes.count { index += 1 }
                case UInt8(ascii: "]"):
                    guard depth > 0 else { throw fault("has a ] without a [") }
                    return elements
                case UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "#"):
                    throw fault("has '\(Character(Unicode.Scalar(byte)))', which is reserved")
                case UInt8(ascii: "p"):
                    let width = repeated()
                    guard index < bytes.count, bytes[index].isLetter else {
                        throw fault("has a 'p' without a letter to pad")
                    }
                    elements.append(.padded(try field(), width: width))
                case _ where byte.isLetter: elements.append(try field())
                default:
                    elements.append(.literal([byte]))
                    index += 1
                }
            }
            return elements
        }

        private mutating func field() throws(ResolverError) -> Element {
            let letter = bytes[index]
            let count = repeated()
            guard let most = DatePattern.letters[letter] else {
                throw fault("has the letter '\(Character(Unicode.Scalar(letter)))', which means nothing")
            }
            guard count <= most, letter != UInt8(ascii: "V") || count == 2 else {
                throw fault("has '\(Character(Unicode.Scalar(letter)))' \(count) times")
            }
            return .field(letter, count: count)
        }

        private mutating func repeated() -> Int {
            let start = index
            while index < bytes.count, bytes[index] == bytes[start] { index += 1 }
            return index - start
        }

        /// What is between quotes; two quotes are one.
        private mutating func quoted() throws(ResolverError) -> [UInt8] {
            var text: [UInt8] = []
            index += 1
            while index < bytes.count {
                guard bytes[index] == UInt8(ascii: "'") else {
                    text.append(bytes[index])
                    index += 1
                    continue
                }
                index += 1
                guard index < bytes.count, bytes[index] == UInt8(ascii: "'") else {
                    return text.isEmpty ? [UInt8(ascii: "'")] : text
                }
                text.append(UInt8(ascii: "'"))
                index += 1
            }
            throw fault("ends within quotes")
        }

        private func fault(_ what: String) -> ResolverError { .fault("\(function): the pattern \(what).") }
    }

    // MARK: Names

    static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]
    static let weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
    static let quarters = ["1st quarter", "2nd quarter", "3rd quarter", "4th quarter"]

    /// A name as so many letters of a pattern want it: three are short, four long, five one letter.
    static func form(_ name: String, _ count: Int) -> String {
        switch count {
        case 4: name
        case 5: String(name.prefix(1))
        default: String(name.prefix(3))
        }
    }
}
