/// Patterns of a search in the words of PostgreSQL. What is wrong with one is known before (`TextPattern`).
enum ServerPattern {
    /// The largest number in braces of an expression of PostgreSQL's.
    private static let repetitionsMax = 255

    /// A wildcard as LIKE has it, with a backslash before what is meant as it is.
    static func like(wildcard text: String) -> String {
        var like = ""
        var isEscaped = false
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\" where !isEscaped:
                isEscaped = true
                continue
            case "*" where !isEscaped: like += "%"
            case "?" where !isEscaped: like += "_"
            case "%", "_", "\\": like += "\\\(scalar)"
            default: like.unicodeScalars.append(scalar)
            }
            isEscaped = false
        }
        return isEscaped ? like + "\\\\" : like
    }

    /// An expression of Lucene's as one of PostgreSQL's, which describes the whole text.
    static func expression(lucene text: String) throws(StoreError) -> String {
        var reading = Reading(scalars: Array(text.unicodeScalars))
        return "^(?:\(try reading.alternatives()))$"
    }

    /// The grammar is that of `TextPatternParser`, which has read the text already.
    private struct Reading {
        let scalars: [Unicode.Scalar]
        var place = 0

        private var current: Unicode.Scalar? { place < scalars.count ? scalars[place] : nil }

        private mutating func next() -> Unicode.Scalar? {
            defer { place += 1 }
            return current
        }

        mutating func alternatives() throws(StoreError) -> String {
            var text = try sequence()
            while current == "|" {
                place += 1
                text += "|" + (try sequence())
            }
            return text
        }

        private mutating func sequence() throws(StoreError) -> String {
            var text = ""
            while let scalar = current, scalar != "|", scalar != ")" { text += try repeated() }
            return text
        }

        private mutating func repeated() throws(StoreError) -> String {
            var text = try atom()
            // In a group of its own: a sign behind another one has another meaning there.
            while let scalar = current {
                switch scalar {
                case "?", "*", "+":
                    text = "(?:\(text)\(scalar))"
                    place += 1
                case "{": text = "(?:\(text)\(try counted()))"
                default: return text
                }
            }
            return text
        }

        private mutating func counted() throws(StoreError) -> String {
            var text = ""
            var number = 0
            while let scalar = next() {
                text.unicodeScalars.append(scalar)
                if let digit = Int(String(scalar)) { number = min(number * 10 + digit, 1_000_000) } else { number = 0 }
                guard number <= repetitionsMax else {
                    throw StoreError(
                        .invalidValue,
                        "A part of a regular expression is repeated more than \(repetitionsMax) times")
                }
                if scalar == "}" { break }
            }
            return text
        }

        private mutating func atom() throws(StoreError) -> String {
            guard let scalar = next() else { return "" }
            switch scalar {
            case ".": return "."
            case "@": return "(?:.*)"
            // Nothing is behind the end.
            case "#": return "(?:$.)"
            case "(":
                let text = current == ")" ? "" : try alternatives()
                place += 1
                return "(?:\(text))"
            case "[": return characters()
            case "\"":
                var text = ""
                while let scalar = next(), scalar != "\"" { text += Self.literal(scalar) }
                return "(?:\(text))"
            case "\\": return next().map(Self.literal) ?? ""
            default: return Self.literal(scalar)
            }
        }

        private mutating func characters() -> String {
            var text = "["
            if current == "^" {
                place += 1
                text += "^"
            }
            while let low = character() {
                text += low
                guard current == "-", place + 1 < scalars.count, scalars[place + 1] != "]" else { continue }
                place += 1
                text += "-" + (character() ?? "")
            }
            return text + "]"
        }

        /// The next character between brackets; nil at their end, which is taken.
        private mutating func character() -> String? {
            guard let scalar = next(), scalar != "]" else { return nil }
            return Self.literal(scalar == "\\" ? next() ?? scalar : scalar)
        }

        /// A character that means itself, within brackets too.
        private static func literal(_ scalar: Unicode.Scalar) -> String {
            if scalar.isASCII, scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) { return "\(scalar)" }
            let digits = String(scalar.value, radix: 16)
            let count = scalar.value <= 0xFFFF ? 4 : 8
            return (count == 4 ? "\\u" : "\\U") + String(repeating: "0", count: count - digits.utf8.count) + digits
        }
    }
}
