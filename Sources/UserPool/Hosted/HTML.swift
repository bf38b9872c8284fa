/// Markup. The literals of this program are taken as they are; every text that is put in between is escaped here, and nowhere
/// else.
struct HTML: Sendable, ExpressibleByStringInterpolation {
    let text: String

    init(stringLiteral literal: String) { text = literal }

    init(stringInterpolation: StringInterpolation) { text = stringInterpolation.text }

    struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var text = ""

        init(literalCapacity: Int, interpolationCount: Int) { text.reserveCapacity(literalCapacity) }

        mutating func appendLiteral(_ literal: String) { text += literal }

        mutating func appendInterpolation(_ text: String) { self.text += HTML.escaped(text) }
        mutating func appendInterpolation(_ markup: HTML) { text += markup.text }
        mutating func appendInterpolation(_ markups: [HTML]) { for markup in markups { text += markup.text } }
    }

    static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            case "\0"..<" ", "\u{7F}": result += " "
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
