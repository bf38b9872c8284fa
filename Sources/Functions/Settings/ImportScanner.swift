import JSON

/// Finds what a file in JavaScript or TypeScript imports: `import ... from 'x'`, `import 'x'`, `import('x')` and `require('x')`. It knows
/// strings, comments and patterns, and nothing else of the language.
struct ImportScanner {
    /// The imports, as they are written, without those of types alone.
    private(set) var specifiers: [String] = []
    /// True if it loads files of its folder whose names are known when it runs only.
    private(set) var loadsSiblings = false

    private let bytes: [UInt8]
    private var index = 0
    /// The last two words or signs.
    private var last: Token = .none
    private var beforeLast: Token = .none
    private var isForTypes = false

    private enum Token: Equatable {
        case none, word(ArraySlice<UInt8>), sign(UInt8), string
    }

    private static let (from, imports, exports) = (word("from"), word("import"), word("export"))
    private static let (require, type) = (word("require"), word("type"))
    private static let open = Token.sign(UInt8(ascii: "("))

    private static func word(_ text: String) -> Token { .word(Array(text.utf8)[...]) }

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        while index < bytes.count { step() }
    }

    private func byte(at index: Int) -> UInt8? { index < bytes.count ? bytes[index] : nil }

    private mutating func take(_ token: Token) { (beforeLast, last) = (last, token) }

    private mutating func step() {
        let byte = bytes[index]
        switch byte {
        case UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "`"): readString(byte)
        case UInt8(ascii: "/"): readSlash()
        case _ where Self.isOfWord(byte): readWord()
        case _ where byte <= 0x20: index += 1
        default:
            take(.sign(byte))
            index += 1
        }
    }

    private static func isOfWord(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "_"), UInt8(ascii: "$"), 0x80...: true
        default: false
        }
    }

    private mutating func readWord() {
        let start = index
        while let byte = byte(at: index), Self.isOfWord(byte) { index += 1 }
        let word = Token.word(bytes[start..<index])
        switch word {
        case Self.imports, Self.exports: isForTypes = false
        case Self.type where last == Self.imports || last == Self.exports: isForTypes = true
        // `import type from 'x'` is of something that is called so.
        case Self.from where last == Self.type: isForTypes = false
        default: break
        }
        take(word)
    }

    /// A comment, a pattern, or the sign.
    private mutating func readSlash() {
        let (line, block) = (UInt8(ascii: "/"), UInt8(ascii: "*"))
        switch byte(at: index + 1) {
        case line:
            while let byte = byte(at: index), byte != 0x0A { index += 1 }
        case block:
            index += 2
            while index < bytes.count, !(bytes[index] == block && byte(at: index + 1) == line) { index += 1 }
            index += 2
        default:
            guard mayBeginPattern else {
                take(.sign(line))
                index += 1
                return
            }
            index += 1
            var isInClass = false
            while let byte = byte(at: index), byte != 0x0A, isInClass || byte != line {
                if byte == UInt8(ascii: "\\") { index += 1 }
                if byte == UInt8(ascii: "[") { isInClass = true }
                if byte == UInt8(ascii: "]") { isInClass = false }
                index += 1
            }
            index += 1
            take(.string)
        }
    }

    /// Behind a value a slash divides.
    private var mayBeginPattern: Bool {
        switch last {
        case .word(let word): word.elementsEqual("return".utf8)
        case .sign(let sign): sign != UInt8(ascii: ")") && sign != UInt8(ascii: "]")
        case .string: false
        case .none: true
        }
    }

    private mutating func readString(_ quote: UInt8) {
        let start = index + 1
        index = start
        let isTemplate = quote == UInt8(ascii: "`")
        while let byte = byte(at: index), byte != quote, isTemplate || byte != 0x0A {
            index += byte == UInt8(ascii: "\\") ? 2 : 1
        }
        let end = min(index, bytes.count)
        index = end + 1
        let isCalled = last == Self.open && (beforeLast == Self.require || beforeLast == Self.imports)
        let isNamed = last == Self.from || last == Self.imports
        take(.string)
        guard isCalled || (isNamed && !isForTypes) else { return }
        let text = String(decoding: bytes[start..<end], as: UTF8.self)
        if isCalled, text == "./" || text.hasPrefix("./${") {
            loadsSiblings = true
        } else if !text.contains(bytesOf: "${") {
            specifiers.append(text)
        }
    }
}
