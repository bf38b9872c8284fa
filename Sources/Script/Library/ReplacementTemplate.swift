/// What `replace` puts in the place of a match: the answer of a function, or a text in which `$1` and its like stand for
/// parts of the match (GetSubstitution, ECMAScript 2023, 22.1.3.19.1).
enum ReplacementTemplate {
    case function(ScriptObject)
    case text([UInt16])

    struct Match {
        var matched: Text
        var text: Text
        var position: Int
        /// Texts, or undefined where a group took no part.
        var captures: [Value]
        /// The object with the named groups, or undefined.
        var groups: Value
    }

    func units(for match: Match, _ realm: Realm) throws(Thrown) -> [UInt16] {
        switch self {
        case .function(let function):
            var arguments: [Value] = [.text(match.matched)]
            arguments += match.captures
            arguments.append(.number(Double(match.position)))
            arguments.append(.text(match.text))
            if !match.groups.isUndefined { arguments.append(match.groups) }
            return try realm.toText(try realm.call(function, this: .undefined, arguments)).units
        case .text(let template):
            let groups = match.groups.isUndefined ? nil : try realm.toObject(match.groups)
            // Most templates have no `$`.
            guard template.contains(UInt16(ascii: "$")) else { return template }
            return try Self.substitute(template, match, groups, realm)
        }
    }

    private static func substitute(
        _ template: [UInt16], _ match: Match, _ groups: ScriptObject?, _ realm: Realm
    ) throws(Thrown) -> [UInt16] {
        let units = match.text.units
        var result: [UInt16] = []
        var index = 0
        while index < template.count {
            guard template[index] == UInt16(ascii: "$"), index + 1 < template.count else {
                result.append(template[index])
                index += 1
                continue
            }
            let next = template[index + 1]
            switch Unicode.Scalar(next) {
            case "$":
                result.append(next)
                index += 2
            case "&":
                result += match.matched.units
                index += 2
            case "`":
                result += units[..<min(match.position, units.count)]
                index += 2
            case "'":
                result += units[min(match.position + match.matched.count, units.count)...]
                index += 2
            case "<":
                guard let groups, let end = template[index...].firstIndex(of: UInt16(ascii: ">")) else {
                    result.append(template[index])
                    index += 1
                    break
                }
                let value = try groups.get(realm.key(spelled: Array(template[(index + 2)..<end])))
                if !value.isUndefined { result += try realm.toText(value).units }
                index = end + 1
            default:
                guard let (number, length) = groupNumber(template, index + 1, match.captures.count) else {
                    result.append(template[index])
                    index += 1
                    break
                }
                let capture = match.captures[number - 1]
                if !capture.isUndefined { result += try realm.toText(capture).units }
                index += 1 + length
            }
            try realm.checkText(length: result.count)
        }
        return result
    }

    /// One or two digits that name a group there is.
    private static func groupNumber(_ template: [UInt16], _ start: Int, _ count: Int) -> (number: Int, length: Int)? {
        guard let first = CodePoints.decimalDigit(template[start]) else { return nil }
        if start + 1 < template.count, let second = CodePoints.decimalDigit(template[start + 1]) {
            let number = first * 10 + second
            if number >= 1, number <= count { return (number, 2) }
        }
        return first >= 1 && first <= count ? (first, 1) : nil
    }
}
