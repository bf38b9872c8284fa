/// A statement's parameters, its tables and the order of its rows, as its words tell them: our statements have keywords in capital letters.
struct StatementShape {
    /// What a parameter is compared with.
    enum Role: Equatable {
        case equal(column: String)
        case unequal
        /// The column has to be larger.
        case above
        case below
        case between
        /// A value for a row, or a part of an expression.
        case given
        case limit
        case offset
    }

    private(set) var roles: [Int: Role] = [:]
    /// The table that it changes; nil where it only reads.
    private(set) var target: String?
    /// All tables that it names.
    private(set) var tables: [String] = []
    /// True if it says the order of its rows.
    private(set) var isOrdered = false
    /// True if a LIMIT takes some rows, and nothing says which.
    private(set) var takesSome = false
    /// True if such a LIMIT is no parameter.
    private(set) var takesFixedNumber = false
    /// The columns that end an order: a total one needs another value of theirs in each row.
    private(set) var lastInOrder: Set<String> = []
    /// Texts and numbers that columns are compared with.
    private(set) var literals: [(column: String, text: String)] = []

    init(_ text: String) {
        let words = Self.words(of: text)
        var depth = 0
        var orderedDepths: Set<Int> = []
        var highest = 0
        // The words before WHERE give columns their values.
        var isGiving = false
        // What the values of the parentheses are compared by.
        var signs: [String] = []
        for (place, word) in words.enumerated() {
            let before = place > 0 ? words[place - 1] : ""
            switch word {
            case "(":
                depth += 1
                signs.append(words[place + 1].first == "?" && ["<", "<=", ">", ">="].contains(before) ? before : "")
            case ")":
                orderedDepths.remove(depth)
                depth -= 1
                _ = signs.popLast()
            case "BY" where before == "ORDER":
                orderedDepths.insert(depth)
                isOrdered = isOrdered || depth == 0
                if let column = Self.lastColumn(words[(place + 1)...]) { lastInOrder.insert(column) }
            case "SET": isGiving = true
            case "WHERE": isGiving = false
            case "LIMIT" where !orderedDepths.contains(depth):
                takesSome = true
                if words[place + 1].first != "?" { takesFixedNumber = true }
            case _ where word == "INTO" || word == "UPDATE" && place == 0:
                target = words[place + 1]
                tables.append(words[place + 1])
            case "FROM", "JOIN":
                if before == "DELETE" { target = words[place + 1] }
                if words[place + 1].first == "_" { tables.append(words[place + 1]) }
            case _ where word.first == "?":
                let number = Int(word.dropFirst()) ?? highest + 1
                highest = max(highest, number)
                let isOfRow = signs.last?.isEmpty == false
                let sign = isOfRow ? signs.last ?? "" : before
                let role = Self.role(behind: sign, of: place > 1 ? words[place - 2] : "")
                roles[number] = Self.both(roles[number], isGiving && before == "=" ? .given : role)
            case _ where word.first == "'":
                if ["=", "<>"].contains(before), place > 1 {
                    literals.append((words[place - 2], String(word.dropFirst().dropLast())))
                }
            case "0" where before == "<" && place > 1: literals.append((words[place - 2], "-1"))
            default: break
            }
        }
    }

    private static func role(behind sign: String, of column: String) -> Role {
        switch sign {
        case "=": .equal(column: column)
        case "<>": .unequal
        case ">", ">=": .above
        case "<", "<=": .below
        case "LIMIT": .limit
        case "OFFSET": .offset
        default: .given
        }
    }

    /// One parameter may have several places.
    private static func both(_ one: Role?, _ other: Role) -> Role {
        switch (one, other) {
        case (nil, _): other
        case (.above, .below), (.below, .above): .between
        case (.equal?, _): one ?? other
        case (_, .equal), (.given, _): other
        default: one ?? other
        }
    }

    private static func lastColumn(_ words: ArraySlice<String>) -> String? {
        var depth = 0
        var last: String?
        for word in words {
            if word == "(" { depth += 1 }
            if word == ")" { depth -= 1 }
            if depth < 0 || ["LIMIT", "ON"].contains(word) { break }
            if word.first?.isLowercase == true { last = word }
        }
        return last
    }

    /// Words, signs, texts with their quotes, and parameters with their numbers.
    private static func words(of text: String) -> [String] {
        var words: [String] = []
        var rest = Substring(text)
        func isInWord(_ character: Character) -> Bool {
            character.isLetter || character.isNumber || character == "_"
        }
        while let first = rest.first {
            let length: Int
            if first == "'" {
                length = rest.dropFirst().prefix { $0 != "'" }.count + 2
            } else if first == "?" {
                length = 1 + rest.dropFirst().prefix(while: \.isNumber).count
            } else if isInWord(first) {
                length = rest.prefix(while: isInWord).count
            } else {
                length = max(1, rest.prefix { "<>=".contains($0) }.count)
            }
            if !first.isWhitespace { words.append(String(rest.prefix(length))) }
            rest = rest.dropFirst(length)
        }
        return words
    }
}
