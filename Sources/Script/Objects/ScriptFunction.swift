/// A function of a program: its code, and the variables around it that it uses.
package final class ScriptFunction: ScriptObject {
    let code: Code
    let unit: Unit
    private(set) var captures: ContiguousArray<Cell>
    /// Where `super` looks from.
    var home: ScriptObject?
    /// Of a class's constructor: what makes the fields of a new object.
    var fields: ScriptFunction?
    /// The name that it was given where its code has none of its own.
    var givenName: Value?

    init(_ realm: Realm, _ code: Code, _ unit: Unit, _ captures: ContiguousArray<Cell>, prototype: ScriptObject) {
        self.code = code
        self.unit = unit
        self.captures = captures
        super.init(realm, prototype: prototype)
        state.formUnion([.isCallable, .isPending, .isScriptFunction])
        charge(captures.count * 48)
        if code.isConstructor { state.insert(.isConstructor) }
    }

    deinit {
        if state.contains(.isDead) { return }
        var others: [AnyObject] = []
        if let home { others.append(home) }
        if let fields { others.append(fields) }
        home = nil
        fields = nil
        for capture in captures { others.append(capture) }
        captures = []
        realm.heap.release(&others)
    }

    override func clear() {
        super.clear()
        captures = []
        home = nil
        fields = nil
        givenName = nil
    }

    package override var className: String { "Function" }

    /// Its text in the file.
    package var sourceText: [UInt16] {
        let text = unit.program.text
        let start = Int(code.range.start)
        let end = min(Int(code.range.end), text.count)
        return start >= 0 && start < end ? Array(text[start..<end]) : []
    }

    /// `length`, `name` and `prototype`, which most functions are never asked for.
    override func prepare() {
        state.remove(.isPending)
        put(.known(.length), .number(Double(code.length)), .configurable)
        let name = givenName ?? .text(realm.text(code.name))
        if case .absent = name {} else { put(.known(.name), name, .configurable) }
        if code.isGenerator {
            let prototype = ScriptObject(
                realm, prototype: realm.prototype(code.isAsync ? .asyncGenerator : .generator))
            put(.known(.prototype), .object(prototype), .writable)
        } else if code.isConstructor, !code.isClass {
            let prototype = ScriptObject(realm, prototype: realm.prototype(.object))
            prototype.put(.known(.constructor), .object(self), .hidden)
            put(.known(.prototype), .object(prototype), .writable)
        }
    }
}

/// A variable that functions share, or that outlives the call that made it.
final class Cell {
    var value: Value

    init(_ value: Value) {
        self.value = value
    }
}
