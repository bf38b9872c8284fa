/// What `matchAll` answers: one match after the other.
final class RegularExpressionTextIterator: ScriptObject {
    private var matcher: ScriptObject?
    private let text: Text
    private let isGlobal: Bool
    private let isUnicode: Bool

    init(_ realm: Realm, _ matcher: ScriptObject, _ text: Text, isGlobal: Bool, isUnicode: Bool) {
        self.matcher = matcher
        self.text = text
        self.isGlobal = isGlobal
        self.isUnicode = isUnicode
        super.init(realm, prototype: realm.prototype(.regExpStringIterator))
    }

    override var className: String { "RegExp String Iterator" }

    override func clear() {
        super.clear()
        matcher = nil
    }

    func next() throws(Thrown) -> Value {
        guard let matcher else { return realm.iteratorResult(.undefined, done: true) }
        guard case .object(let match) = try RegExpLibrary.execute(matcher, text) else {
            self.matcher = nil
            return realm.iteratorResult(.undefined, done: true)
        }
        if isGlobal {
            if try realm.toText(try match.get(PropertyKey(index: 0))).isEmpty {
                try RegExpLibrary.advanceLastIndex(matcher, text, isUnicode: isUnicode)
            }
        } else {
            self.matcher = nil
        }
        return realm.iteratorResult(.object(match), done: false)
    }
}
