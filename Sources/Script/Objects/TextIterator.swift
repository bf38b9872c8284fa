/// What goes through a text code point by code point.
final class TextIterator: ScriptObject {
    private let text: Text
    private var index = 0

    init(_ realm: Realm, _ text: Text) {
        self.text = text
        super.init(realm, prototype: realm.prototype(.stringIterator))
    }

    override var className: String { "String Iterator" }

    func next() throws(Thrown) -> Value {
        guard index < text.count else {
            index = .max
            return realm.iteratorResult(.undefined, done: true)
        }
        let first = text[index]
        if UTF16.isLeadSurrogate(first), index + 1 < text.count, UTF16.isTrailSurrogate(text[index + 1]) {
            index += 2
            return realm.iteratorResult(realm.value([first, text[index - 1]]), done: false)
        }
        index += 1
        return realm.iteratorResult(.text(realm.text(unit: first)), done: false)
    }
}
