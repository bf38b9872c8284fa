import JSON
import Script

/// The methods of texts that take a regular expression, which here is a text in Java's syntax.
enum PatternMethods {
    static let table: [NativeProperty] = [
        .method("replace", length: 2) { call throws(Thrown) in try replace(call, "replace", onlyFirst: true) },
        .method("replaceAll", length: 2) { call throws(Thrown) in try replace(call, "replaceAll", onlyFirst: false) },
        .method("match", length: 1) { call throws(Thrown) in try match(call) },
    ]

    /// Characters that mean more than themselves, in a pattern and in what replaces it.
    private static let signs = Set("\\^$.|?*+()[]{}".utf16)

    private static func isPlain(_ text: Text) -> Bool { !text.units.contains { signs.contains($0) } }

    private static func replace(_ call: NativeCall, _ name: String, onlyFirst: Bool) throws(Thrown) -> Value {
        let realm = call.realm
        let text = try call.thisText("String.prototype.\(name)")
        let pattern = try call.text(0)
        try ResolverLanguage.refuseFunction(call, 1)
        let replacement = try call.text(1)
        guard isPlain(pattern), isPlain(replacement) else {
            return realm.value(
                try withPattern(pattern, realm) { (pattern, steps) throws(ResolverError) in
                    try pattern.replacing(
                        in: text.string, with: replacement.string, onlyFirst: onlyFirst,
                        bytesMax: realm.limits.textLength, &steps)
                })
        }
        let units = text.units
        let places = try realm.places(of: pattern.units, in: units, limit: onlyFirst ? 1 : .max)
        if places.isEmpty { return .text(text) }
        var result: [UInt16] = []
        var end = 0
        for place in places {
            result += units[end..<place]
            result += replacement.units
            end = place + pattern.units.count
            try realm.spend()
            try realm.checkText(length: result.count)
        }
        result += units[end...]
        try realm.spend(result.count >> 5)
        try realm.checkText(length: result.count)
        return realm.value(result)
    }

    /// The first match and its groups as a list, or null.
    private static func match(_ call: NativeCall) throws(Thrown) -> Value {
        let realm = call.realm
        let text = try call.thisText("String.prototype.match").string
        let parts = try withPattern(try call.text(0), realm) { (pattern, steps) throws(ResolverError) in
            try pattern.firstMatch(in: text, &steps)
        }
        guard let parts else { return .null }
        return .object(realm.array(parts.map { $0.map { realm.value($0) } ?? .undefined }))
    }

    private static func withPattern<Answer>(
        _ text: Text, _ realm: Realm, _ body: (JavaPattern, inout Int) throws(ResolverError) -> Answer
    ) throws(Thrown) -> Answer {
        let before = realm.stepsRemaining
        var steps = before
        let answer: Answer
        do throws(ResolverError) {
            answer = try body(try JavaPattern(text.string), &steps)
        } catch {
            throw realm.error(.syntaxError, error.message)
        }
        try realm.spend(max(before - steps, 0) + text.count)
        return answer
    }
}
