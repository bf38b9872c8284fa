/// An error, with the calls that were running when it was made.
package final class ErrorObject: ScriptObject {
    package let trace: [TraceEntry]
    /// The way out, for people.
    package var hint: String?
    /// Where the mistake is, if it is not where the program was.
    var mistakePlace: SourcePlace?
    /// A file is no program, or modules do not go together.
    var isSyntax = false

    init(_ realm: Realm, _ message: Text?, prototype: ScriptObject) {
        trace = realm.trace()
        super.init(realm, prototype: prototype)
        // The first of the properties, as in V8; its text is made later.
        put(realm.key("stack"), .undefined, .hidden)
        if let message { put(.known(.message), .text(message), .hidden) }
        charge(trace.count * 64)
        state.insert(.isPending)
    }

    package override var className: String { "Error" }

    /// The text of `stack`, as V8 has it, made when somebody looks at the error's properties.
    override func prepare() {
        state.remove(.isPending)
        var text = headline
        for entry in trace {
            let place = "\(entry.file):\(entry.place.line):\(entry.place.column)"
            text += entry.function.isEmpty ? "\n    at \(place)" : "\n    at \(entry.function) (\(place))"
        }
        put(realm.key("stack"), realm.value(text), .hidden)
    }

    /// Name and message, as far as they can be had without running anything.
    package var headline: String {
        let name = plainText(.known(.name)) ?? "Error"
        let message = plainText(.known(.message)) ?? ""
        if name.isEmpty { return message }
        return message.isEmpty ? name : "\(name): \(message)"
    }

    package func plainText(_ key: PropertyKey) -> String? {
        var holder: ScriptObject? = self
        while let object = holder {
            if object !== self, object.state.contains(.isPending) { object.prepare() }
            if let place = object.table.place(of: key) {
                guard case .text(let text) = object.table.value(at: place) else { return nil }
                return text.string
            }
            holder = object.prototype
        }
        return nil
    }
}
