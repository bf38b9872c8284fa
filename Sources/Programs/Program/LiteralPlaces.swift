import Blueprint
import GraphQL
import JSON
import Project

/// Where the parts of what is written in a call's parentheses stand: arguments, members of objects and elements of lists,
/// as far as they are literals there. It is asked when something is to be said of them, so it looks at the text again
/// instead of keeping the tree.
struct LiteralPlaces {
    /// A literal, or any other expression, which has no parts.
    final class Literal {
        let offset: Int
        fileprivate(set) var members: [String: (key: Int, value: Literal)] = [:]
        fileprivate(set) var elements: [Literal] = []

        init(_ offset: Int) {
            self.offset = offset
        }
    }

    private let bytes: [UInt8]
    private var place: Int
    private var depth = 0
    private static let depthMax = 64

    /// The arguments of the call whose name stands there.
    static func arguments(at offset: Int, in bytes: [UInt8]) -> [Literal] {
        var places = LiteralPlaces(bytes: bytes, place: offset)
        places.skipName()
        if bytes[min(offset, bytes.count)..<places.place].elementsEqual("new".utf8) { places.skipConstructor() }
        places.skipBlanks()
        guard places.byte == UInt8(ascii: "(") else { return [] }
        return places.list(until: UInt8(ascii: ")"))
    }

    private init(bytes: [UInt8], place: Int) {
        self.bytes = bytes
        self.place = place
    }

    private var byte: UInt8? { bytes.indices.contains(place) ? bytes[place] : nil }

    private static func isWord(_ byte: UInt8) -> Bool {
        byte >= 0x80 || byte == UInt8(ascii: "$") || byte.isWord
    }

    private mutating func skipName() {
        while let byte, Self.isWord(byte) { place += 1 }
    }

    /// `a.B` behind `new`
    private mutating func skipConstructor() {
        while true {
            skipBlanks()
            skipName()
            skipBlanks()
            guard byte == UInt8(ascii: ".") else { return }
            place += 1
        }
    }

    /// Blanks and comments.
    private mutating func skipBlanks() {
        while let byte {
            if byte <= 0x20 {
                place += 1
            } else if byte == UInt8(ascii: "/"), next == UInt8(ascii: "/") {
                while let byte = self.byte, byte != 0x0A { _ = byte; place += 1 }
            } else if byte == UInt8(ascii: "/"), next == UInt8(ascii: "*") {
                place += 2
                while self.byte != nil, !(self.byte == UInt8(ascii: "*") && next == UInt8(ascii: "/")) { place += 1 }
                place += 2
            } else {
                return
            }
        }
    }

    private var next: UInt8? { bytes.indices.contains(place + 1) ? bytes[place + 1] : nil }

    /// What stands between brackets, the place being that of the first one.
    private mutating func list(until end: UInt8) -> [Literal] {
        place += 1
        var found: [Literal] = []
        while true {
            skipBlanks()
            guard let byte else { return found }
            if byte == end {
                place += 1
                return found
            }
            found.append(expression())
            if self.byte == UInt8(ascii: ",") {
                place += 1
            } else if self.byte != end {
                return found
            }
        }
    }

    private mutating func expression() -> Literal {
        let literal = Literal(place)
        let start = place
        if depth < Self.depthMax {
            depth += 1
            defer { depth -= 1 }
            if byte == UInt8(ascii: "{") {
                readMembers(of: literal)
            } else if byte == UInt8(ascii: "[") {
                literal.elements = list(until: UInt8(ascii: "]"))
            }
        }
        skipBlanks()
        // What goes on behind it, as in `{} as T`, has its parts all the same; an arrow function's parameters have none.
        if place == start { skipRest(after: nil) } else { skipRest(after: UInt8(ascii: ")")) }
        return literal
    }

    private mutating func readMembers(of literal: Literal) {
        place += 1
        while true {
            skipBlanks()
            guard let byte else { return }
            if byte == UInt8(ascii: "}") {
                place += 1
                return
            }
            let start = place
            let name = memberName()
            skipBlanks()
            if let name, self.byte == UInt8(ascii: ":") {
                place += 1
                skipBlanks()
                literal.members[name] = (start, expression())
            } else {
                if let name { literal.members[name] = (start, Literal(start)) }
                skipRest(after: UInt8(ascii: ")"))
            }
            if self.byte == UInt8(ascii: ",") {
                place += 1
            } else if self.byte != UInt8(ascii: "}") {
                return
            }
        }
    }

    private mutating func memberName() -> String? {
        guard let byte else { return nil }
        let start = place
        if byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") {
            skipText(byte)
            return String(decoding: bytes[min(start + 1, place)..<max(start + 1, place - 1)], as: UTF8.self)
        }
        skipName()
        return place > start ? String(decoding: bytes[start..<place], as: UTF8.self) : nil
    }

    /// Up to the comma or bracket that ends an expression.
    private mutating func skipRest(after first: UInt8?) {
        var open = 0
        var before = first
        while let byte {
            switch byte {
            case UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "`"): skipText(byte)
            case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"):
                open += 1
                place += 1
            case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"):
                if open == 0 { return }
                open -= 1
                place += 1
            case UInt8(ascii: ",") where open == 0: return
            case UInt8(ascii: "/"):
                if next == UInt8(ascii: "/") || next == UInt8(ascii: "*") {
                    skipBlanks()
                    continue
                }
                if let before, Self.isWord(before) || before == UInt8(ascii: ")") || before == UInt8(ascii: "]") {
                    place += 1
                } else {
                    skipPattern()
                }
            default: place += 1
            }
            if byte > 0x20 { before = byte }
        }
    }

    private mutating func skipText(_ quote: UInt8) {
        place += 1
        while let byte {
            place += byte == UInt8(ascii: "\\") ? 2 : 1
            if byte == quote { return }
        }
    }

    private mutating func skipPattern() {
        place += 1
        var isClass = false
        while let byte {
            place += byte == UInt8(ascii: "\\") ? 2 : 1
            switch byte {
            case UInt8(ascii: "["): isClass = true
            case UInt8(ascii: "]"): isClass = false
            case UInt8(ascii: "/") where !isClass: return
            case 0x0A: return
            default: break
            }
        }
    }
}
