/// An object of the class `RegExp`: a regular expression, the texts that it was made from, and `lastIndex`, a property of
/// its own.
final class RegularExpressionObject: ScriptObject {
    /// nil until the object is told its pattern.
    private(set) var expression: RegularExpression?
    private(set) var source: Text
    private(set) var flags: Text

    /// `lastIndex` is the first property there is, so its place is known.
    static let lastIndexName = Array("lastIndex".utf16)

    init(_ realm: Realm, prototype: ScriptObject) {
        source = realm.emptyText
        flags = realm.emptyText
        super.init(realm, prototype: prototype)
        put(realm.key(spelled: Self.lastIndexName), .number(0), .writable)
    }

    override var className: String { "RegExp" }

    /// RegExpInitialize
    func initialize(_ pattern: Value, _ flags: Value) throws(Thrown) {
        let patternText = pattern.isUndefined ? realm.emptyText : try realm.toText(pattern)
        let flagsText = flags.isUndefined ? realm.emptyText : try realm.toText(flags)
        guard let known = RegularExpressionFlags(flagsText.units) else {
            if RegularExpressionFlags.asksForUnicodeSets(flagsText.units) {
                throw .ended(
                    .unsupported(
                        message: "Regular expressions with the flag v are not there",
                        hint: "Use the flag u, and classes without set operations."))
            }
            throw realm.syntaxError("Invalid flags supplied to RegExp constructor '\(flagsText.string)'")
        }
        try realm.spend(patternText.count)
        do throws(RegularExpressionSyntaxError) {
            expression = try .known(pattern: patternText.units, flags: known)
        } catch {
            throw realm.syntaxError(error.message)
        }
        source = patternText
        self.flags = flagsText
        charge(256 + patternText.count * 32)
        try setLastIndex(0)
    }

    func setLastIndex(_ index: Int) throws(Thrown) {
        try set(realm.key(spelled: Self.lastIndexName), .number(Double(index)))
    }

    /// RegExpBuiltinExec: the match as a list with `index`, `input`, `groups`; null without one.
    func match(_ text: Text) throws(Thrown) -> Value {
        guard let found = try find(text) else { return .null }
        return .object(try list(of: found, in: text))
    }

    /// The offsets of the match from `lastIndex` on, which moves on with the flags `g` and `y`.
    private func find(_ text: Text) throws(Thrown) -> [Int]? {
        let lastIndex = try realm.toLength(try get(realm.key(spelled: Self.lastIndexName)))
        guard let expression else { throw realm.typeError("The regular expression is not initialized") }
        let flags = expression.flags
        let moves = flags.contains(.global) || flags.contains(.sticky)
        let start = moves ? lastIndex : 0
        var found: [Int]?
        if start <= Double(text.count) {
            found = try offsets(expression, in: text, from: Int(start), isSticky: flags.contains(.sticky))
        }
        guard let match = found else {
            if moves { try setLastIndex(0) }
            return nil
        }
        if moves { try setLastIndex(match[1]) }
        return match
    }

    /// Steps that one search may take. The realm's own limit counts all of them together.
    private static let searchStepsMax = 20_000_000

    private func offsets(
        _ expression: RegularExpression, in text: Text, from start: Int, isSticky: Bool
    ) throws(Thrown) -> [Int]? {
        var steps = Self.searchStepsMax
        let outcome: Result<[Int]?, RegularExpressionError> = text.units.withUnsafeBufferPointer { units in
            do throws(RegularExpressionError) {
                return .success(
                    isSticky
                        ? try expression.match(units, at: start, steps: &steps)
                        : try expression.firstMatch(in: units, from: start, steps: &steps))
            } catch {
                return .failure(error)
            }
        }
        // A step of the matcher is less than one of the interpreter.
        try realm.spend((Self.searchStepsMax - max(steps, 0)) >> 2)
        guard case .success(let found) = outcome else { throw .ended(.limit(.steps)) }
        return found
    }

    private func list(of found: [Int], in text: Text) throws(Thrown) -> ScriptArray {
        let list = realm.array()
        list.put("index", .number(Double(found[0])))
        list.put("input", .text(text))
        let names = expression?.groupNames ?? []
        let hasIndices = expression?.flags.contains(.hasIndices) == true
        let groups = names.isEmpty ? nil : ScriptObject(realm, prototype: nil)
        let indices = realm.array()
        let indexGroups = names.isEmpty ? nil : ScriptObject(realm, prototype: nil)
        var nextName = 0
        for group in 0..<(found.count / 2) {
            let start = found[2 * group]
            let end = found[2 * group + 1]
            let took = start >= 0 && end >= 0
            let value: Value = took ? try StringLibrary.part(text, start, end, realm) : .undefined
            try list.append(value)
            var pair = Value.undefined
            if hasIndices {
                if took { pair = .object(realm.array([.number(Double(start)), .number(Double(end))])) }
                try indices.append(pair)
            }
            if nextName < names.count, names[nextName].index == group {
                let key = realm.key(spelled: names[nextName].name)
                groups?.put(key, value)
                if hasIndices { indexGroups?.put(key, pair) }
                nextName += 1
            }
        }
        list.put("groups", groups.map { .object($0) } ?? .undefined)
        if hasIndices {
            indices.put("groups", indexGroups.map { .object($0) } ?? .undefined)
            list.put("indices", .object(indices))
        }
        return list
    }
}
