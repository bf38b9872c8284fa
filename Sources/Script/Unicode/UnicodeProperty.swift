import Synchronization

/// The properties that `\p{…}` may name (ECMAScript 2023, 22.2.1.13), and the code points that have them.
/// Names are compared exactly: the language has no loose matching.
enum UnicodeProperty {
    /// The order in which the table of general categories counts them.
    private static let categories: [(short: String, long: String)] = [
        ("Lu", "Uppercase_Letter"), ("Ll", "Lowercase_Letter"), ("Lt", "Titlecase_Letter"), ("Lm", "Modifier_Letter"),
        ("Lo", "Other_Letter"), ("Mn", "Nonspacing_Mark"), ("Mc", "Spacing_Mark"), ("Me", "Enclosing_Mark"),
        ("Nd", "Decimal_Number"), ("Nl", "Letter_Number"), ("No", "Other_Number"), ("Pc", "Connector_Punctuation"),
        ("Pd", "Dash_Punctuation"), ("Ps", "Open_Punctuation"), ("Pe", "Close_Punctuation"),
        ("Pi", "Initial_Punctuation"), ("Pf", "Final_Punctuation"), ("Po", "Other_Punctuation"), ("Sm", "Math_Symbol"),
        ("Sc", "Currency_Symbol"), ("Sk", "Modifier_Symbol"), ("So", "Other_Symbol"), ("Zs", "Space_Separator"),
        ("Zl", "Line_Separator"), ("Zp", "Paragraph_Separator"), ("Cc", "Control"), ("Cf", "Format"),
        ("Cs", "Surrogate"), ("Co", "Private_Use"), ("Cn", "Unassigned"),
    ]

    /// Groups of categories: all whose short name begins with the letter.
    private static let groups: [(letter: Character, long: String)] = [
        ("L", "Letter"), ("M", "Mark"), ("N", "Number"), ("P", "Punctuation"), ("S", "Symbol"), ("Z", "Separator"),
        ("C", "Other"),
    ]

    /// Third names of categories and scripts.
    private static let aliases = [
        "cntrl": "Cc", "digit": "Nd", "punct": "P", "Combining_Mark": "M", "Qaac": "Coptic", "Qaai": "Inherited",
    ]

    private static let known = Mutex<[String: CodePointSet]>([:])

    /// The code points of `\p{name}` or, with a value, of `\p{name=value}`; nil when the language knows no such property.
    static func set(_ name: String, _ value: String?) -> CodePointSet? {
        let key = value.map { "\(name)=\($0)" } ?? name
        if let set = known.withLock({ $0[key] }) { return set }
        guard let set = read(name, value) else { return nil }
        // Only names of the language come here, so the table of sets has an end.
        known.withLock { $0[key] = set }
        return set
    }

    private static func read(_ name: String, _ value: String?) -> CodePointSet? {
        switch (name, value) {
        case ("General_Category", let value?), ("gc", let value?): return category(value)
        case ("Script", let value?), ("sc", let value?): return script(value)
        case ("Script_Extensions", let value?), ("scx", let value?): return scriptExtensions(value)
        case (_, nil): return category(name) ?? binary(name)
        default: return nil
        }
    }

    private static func category(_ name: String) -> CodePointSet? {
        // `digit`, `cntrl`, `punct` and `Combining_Mark` are names of categories; the other two are of scripts.
        let name = aliases[name].flatMap { $0.count <= 2 ? $0 : nil } ?? name
        if name == "LC" || name == "Cased_Letter" { return categories(where: { ["Lu", "Ll", "Lt"].contains($0) }) }
        if let group = groups.first(where: { String($0.letter) == name || $0.long == name }) {
            return categories(where: { $0.first == group.letter })
        }
        guard let wanted = categories.first(where: { $0.short == name || $0.long == name }) else { return nil }
        return categories(where: { $0 == wanted.short })
    }

    private static func categories(where isWanted: (String) -> Bool) -> CodePointSet {
        runs(UnicodeTable.generalCategories, of: Set(categories.indices.filter { isWanted(categories[$0].short) }))
    }

    private static func script(_ name: String) -> CodePointSet? {
        scriptIndex(name).map { runs(UnicodeTable.scripts, of: [$0]) }
    }

    private static func scriptExtensions(_ name: String) -> CodePointSet? {
        guard let wanted = scriptIndex(name) else { return nil }
        var with: [Range<UInt32>] = []
        var special: [Range<UInt32>] = []
        var reader = UnicodeTable.Reader(UnicodeTable.scriptExtensions)
        var position: UInt32 = 0
        while let gap = reader.next(), let length = reader.next(), let count = reader.next() {
            let range = (position &+ gap)..<(position &+ gap &+ length)
            special.append(range)
            for _ in 0..<count where reader.next() == UInt32(wanted) { with.append(range) }
            position = range.upperBound
        }
        let alone = runs(UnicodeTable.scripts, of: [wanted]).inverted().union(CodePointSet(special)).inverted()
        return alone.union(CodePointSet(with))
    }

    private static let scriptNames = "\(UnicodeTable.scriptNames)".split(separator: " ").map {
        $0.split(separator: ":")
    }

    private static func scriptIndex(_ name: String) -> Int? {
        let name = aliases[name].flatMap { $0.count > 2 ? $0 : nil } ?? name
        return scriptNames.firstIndex { $0.contains { $0 == name } }
    }

    private static func binary(_ name: String) -> CodePointSet? {
        switch name {
        case "Any": return .all
        case "ASCII": return CodePointSet([0..<0x80])
        case "Assigned": return category("Cn")?.inverted()
        default: break
        }
        let table = UnsafeBufferPointer(
            start: UnicodeTable.properties.utf8Start, count: UnicodeTable.properties.utf8CodeUnitCount)
        let wanted = Array(name.utf8)
        for row in table.split(separator: UInt8(ascii: " ")) {
            // The ranges may hold a colon as a digit, so only the first two separate.
            let parts = row.split(separator: UInt8(ascii: ":"), maxSplits: 2, omittingEmptySubsequences: false)
            guard parts.count == 3, !wanted.isEmpty,
                parts[0].elementsEqual(wanted) || parts[1].elementsEqual(wanted)
            else { continue }
            var reader = UnicodeTable.Reader(parts[2])
            var ranges: [Range<UInt32>] = []
            var position: UInt32 = 0
            while let gap = reader.next(), let length = reader.next() {
                ranges.append((position &+ gap)..<(position &+ gap &+ length))
                position = position &+ gap &+ length
            }
            return CodePointSet(ranges)
        }
        return nil
    }

    /// The code points whose run in `table` has one of the wanted values.
    private static func runs(_ table: StaticString, of wanted: Set<Int>) -> CodePointSet {
        var reader = UnicodeTable.Reader(table)
        var ranges: [Range<UInt32>] = []
        var position: UInt32 = 0
        while let length = reader.next(), let value = reader.next() {
            if wanted.contains(Int(value)) { ranges.append(position..<(position &+ length)) }
            position &+= length
        }
        return CodePointSet(ranges)
    }
}
