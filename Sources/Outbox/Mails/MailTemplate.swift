import Access
import JSON

/// A text with places for data, in the part of Handlebars that SES knows: `{{name}}`, `{{a.b}}`, `{{#if x}}`, `{{#unless x}}`,
/// `{{#each x}}` with `{{this}}`, `{{else}}`. Nothing is escaped, as there.
struct MailTemplate: Sendable {
    private indirect enum Part: Sendable {
        case text(String)
        case value([String])
        case choice([String], whereTrue: [Part], otherwise: [Part])
        case each([String], [Part], ifNone: [Part])
    }

    private let parts: [Part]

    init(_ text: String) throws(OutboxError) {
        guard text.utf8.count <= OutboxLimits.templateBytesMax else {
            throw Self.wrong("it has more than \(OutboxLimits.templateBytesMax) bytes")
        }
        var reader = Reader(text)
        parts = try reader.parts(until: nil, depth: 0).parts
    }

    /// The text with the data in its places.
    func rendered(with data: JSONValue) throws(Fault) -> String {
        var filling = Filling()
        try Self.render(parts, [data], into: &filling)
        return filling.text
    }

    /// Why it cannot be filled with some data.
    enum Fault: Error, CustomStringConvertible {
        case missing(String)
        case tooLong
        case tooManySteps

        var description: String {
            switch self {
            case .missing(let name): "Attribute '\(name)' is not present in the rendering data."
            case .tooLong: "The template becomes longer than \(OutboxLimits.renderedBytesMax) bytes."
            case .tooManySteps: "The template and its lists have more than \(OutboxLimits.templateStepsMax) pieces."
            }
        }
    }

    /// The text so far.
    private struct Filling {
        var text = ""
        private var steps = 0

        mutating func step() throws(Fault) {
            steps += 1
            guard steps <= OutboxLimits.templateStepsMax else { throw .tooManySteps }
            guard text.utf8.count <= OutboxLimits.renderedBytesMax else { throw .tooLong }
        }
    }

    private static func wrong(_ reason: String) -> OutboxError {
        OutboxError("InvalidTemplate", "The template is not valid: \(reason).")
    }

    // MARK: Rendering

    private static func render(_ parts: [Part], _ scopes: [JSONValue], into filling: inout Filling) throws(Fault) {
        for part in parts {
            try filling.step()
            switch part {
            case .text(let literal): filling.text += literal
            case .value(let path):
                guard let value = value(of: path, in: scopes) else { throw .missing(path.joined(separator: ".")) }
                filling.text += value.string ?? (value == .null ? "" : JSONWriter.text(of: value))
            case .choice(let path, let whereTrue, let otherwise):
                try render(isTrue(value(of: path, in: scopes)) ? whereTrue : otherwise, scopes, into: &filling)
            case .each(let path, let body, let ifNone):
                guard let list = value(of: path, in: scopes)?.array, !list.isEmpty else {
                    try render(ifNone, scopes, into: &filling)
                    continue
                }
                for item in list {
                    try filling.step()
                    try render(body, scopes + [item], into: &filling)
                }
            }
        }
    }

    /// Looked for in the innermost item first.
    private static func value(of path: [String], in scopes: [JSONValue]) -> JSONValue? {
        if path.first == "this", let item = scopes.last { return member(path.dropFirst(), of: item) }
        for scope in scopes.reversed() {
            if let value = member(path[...], of: scope) { return value }
        }
        return nil
    }

    private static func member(_ path: ArraySlice<String>, of value: JSONValue) -> JSONValue? {
        var value = value
        for name in path {
            guard let member = value[name] else { return nil }
            value = member
        }
        return value
    }

    private static func isTrue(_ value: JSONValue?) -> Bool {
        switch value {
        case nil, .null?, .bool(false)?: false
        case .string(let text)?: !text.isEmpty
        case .array(let list)?: !list.isEmpty
        case .integer(let number)?: number != 0
        default: true
        }
    }

    // MARK: Reading

    private struct Reader {
        private var rest: Substring.UTF8View

        init(_ text: String) { rest = text[...].utf8 }

        /// What stands there until the tag that ends it; `isElse`: it is the other half that follows.
        mutating func parts(
            until end: String?, depth: Int
        ) throws(OutboxError) -> (parts: [Part], isElse: Bool) {
            guard depth <= OutboxLimits.templateNestingMax else {
                throw wrong("it has more than \(OutboxLimits.templateNestingMax) blocks in each other")
            }
            var parts: [Part] = []
            while true {
                let (literal, tag) = try next()
                if !literal.isEmpty { parts.append(.text(literal)) }
                guard let tag else {
                    if let end { throw wrong("{{#\(end)}} has no {{/\(end)}}") }
                    return (parts, false)
                }
                if tag == "else" {
                    guard end != nil else { throw wrong("{{else}} stands in no block") }
                    return (parts, true)
                }
                if tag.hasPrefix("/") {
                    guard let end, String(tag.dropFirst()).trimmingBlanks == end else {
                        throw wrong("{{\(tag)}} ends no block")
                    }
                    return (parts, false)
                }
                parts.append(tag.hasPrefix("#") ? try block(tag, depth: depth) : .value(try Self.path(tag)))
            }
        }

        private mutating func block(_ tag: String, depth: Int) throws(OutboxError) -> Part {
            let words = tag.dropFirst().parts(at: " ")
            guard words.count == 2 else { throw wrong("{{\(tag)}} is no block that is known") }
            let path = try Self.path(words[1])
            let (first, hasElse) = try parts(until: words[0], depth: depth + 1)
            var second: [Part] = []
            if hasElse {
                let (parts, isElse) = try parts(until: words[0], depth: depth + 1)
                if isElse { throw wrong("{{\(tag)}} has two {{else}}") }
                second = parts
            }
            switch words[0] {
            case "if": return .choice(path, whereTrue: first, otherwise: second)
            case "unless": return .choice(path, whereTrue: second, otherwise: first)
            case "each": return .each(path, first, ifNone: second)
            default: throw wrong("{{\(tag)}} is no block that is known")
            }
        }

        /// The text before the next tag, and what stands in that; nil: the end comes before one.
        private mutating func next() throws(OutboxError) -> (String, tag: String?) {
            guard let start = Self.place(of: UInt8(ascii: "{"), in: rest) else {
                defer { rest = rest[rest.endIndex...] }
                return (String(decoding: rest, as: UTF8.self), nil)
            }
            let literal = String(decoding: rest[..<start], as: UTF8.self)
            rest = rest[start...].drop { $0 == UInt8(ascii: "{") }
            guard let end = Self.place(of: UInt8(ascii: "}"), in: rest) else { throw wrong("a {{ has no }}") }
            let tag = String(decoding: rest[..<end], as: UTF8.self).trimmingBlanks
            let after = rest[end...]
            rest = after.dropFirst(after.dropFirst(2).first == UInt8(ascii: "}") ? 3 : 2)
            return (literal, tag)
        }

        /// Where two such bytes stand.
        private static func place(of byte: UInt8, in text: Substring.UTF8View) -> String.Index? {
            var place = text.startIndex
            while let found = text[place...].firstIndex(of: byte) {
                place = text.index(after: found)
                if place < text.endIndex, text[place] == byte { return found }
            }
            return nil
        }

        private static func path(_ text: String) throws(OutboxError) -> [String] {
            let path = text.parts(at: ".", keepingEmpty: true)
            guard path.count <= OutboxLimits.nestingMax,
                path.allSatisfy({ part in !part.isEmpty && part.utf8.allSatisfy { $0 > 0x20 && $0 != UInt8(ascii: "#") }
                })
            else { throw wrong("{{\(text)}} names nothing") }
            return path
        }
    }
}
