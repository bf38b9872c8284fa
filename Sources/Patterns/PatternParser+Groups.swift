// What follows an opening parenthesis.

extension PatternParser {
    /// Reads a group with its parentheses; nil for one that only changes flags, which hold to the end of the group around.
    mutating func readGroup() throws(PatternError) -> PatternNode? {
        try source.expect("(")
        let outer = flags
        guard source.take("?") else {
            let number = openGroup()
            return .group(try body(then: outer), number: number)
        }
        switch source.raw()?.syntax {
        case ":":
            source.position += 1
            return try body(then: outer)
        case ">":
            source.position += 1
            return .atomic(try body(then: outer))
        case "=", "!":
            let isNegative = source.raw()?.syntax == "!"
            source.position += 1
            return .look(try body(then: outer), isBehind: false, isNegative: isNegative)
        case "<":
            source.position += 1
            return try namedGroupOrLookBehind(outer)
        default:
            try changeFlags()
            if source.take(")") { return nil }
            guard source.take(":") else { throw source.error(.expected("a kind of group")) }
            return try body(then: outer)
        }
    }

    private mutating func namedGroupOrLookBehind(_ outer: Flags) throws(PatternError) -> PatternNode {
        if source.takeRaw("=") {
            return .look(try body(then: outer), isBehind: true, isNegative: false)
        }
        if source.takeRaw("!") {
            return .look(try body(then: outer), isBehind: true, isNegative: true)
        }
        let name = try groupName()
        let number = openGroup()
        try self.name(name, number)
        return .group(try body(then: outer), number: number)
    }

    /// Reads a name and the `>` behind it.
    mutating func groupName() throws(PatternError) -> String {
        var name = ""
        while let sign = source.raw()?.syntax, sign.properties.isAlphabetic || "0"..."9" ~= sign {
            if name.isEmpty, !sign.properties.isAlphabetic { break }
            name.unicodeScalars.append(sign)
            source.position += 1
        }
        guard !name.isEmpty else { throw source.error(.expected("a group's name")) }
        guard source.takeRaw(">") else { throw source.error(.expected("'>'")) }
        return name
    }

    private mutating func body(then outer: Flags) throws(PatternError) -> PatternNode {
        let tree = try choice()
        try source.expect(")")
        flags = outer
        return tree
    }

    private mutating func changeFlags() throws(PatternError) {
        var isOn = true
        while let sign = source.peek()?.syntax {
            let changed: Flags
            switch sign {
            case "i": changed = .ignoresCase
            case "d": changed = .unixLines
            case "m": changed = .multiline
            case "s": changed = .dotAll
            case "u": changed = .unicodeCase
            case "x": changed = .comments
            case "U": changed = [.unicodeClasses, .unicodeCase]
            case "c": throw source.error(.unsupported("the flag c"))
            case "-" where isOn:
                isOn = false
                source.position += 1
                continue
            default: return
            }
            source.position += 1
            if isOn { flags.formUnion(changed) } else { flags.subtract(changed) }
        }
    }
}
