/// A program in a realm: its names as keys and its texts as values there, made when they are first needed.
final class Unit {
    let program: CompiledProgram
    unowned(unsafe) let realm: Realm
    private var keys: ContiguousArray<PropertyKey>
    private var texts: ContiguousArray<Text?>
    private var templates: [Int: ScriptArray] = [:]
    /// The module that it is the code of.
    weak var module: ModuleRecord?

    init(_ program: CompiledProgram, _ realm: Realm) {
        self.program = program
        self.realm = realm
        keys = ContiguousArray(repeating: .none, count: program.spellings.count)
        texts = ContiguousArray(repeating: nil, count: program.texts.count)
    }

    @inline(__always)
    func key(_ number: Int32) -> PropertyKey {
        let key = keys[Int(number)]
        return key == .none ? makeKey(Int(number)) : key
    }

    private func makeKey(_ number: Int) -> PropertyKey {
        let key = realm.key(spelled: program.spellings[number])
        keys[number] = key
        return key
    }

    @inline(__always)
    func text(_ number: Int32) -> Text {
        texts[Int(number)] ?? makeText(Int(number))
    }

    private func makeText(_ number: Int) -> Text {
        let text = realm.text(program.texts[number])
        texts[number] = text
        return text
    }

    /// Lets go of the objects that a run made for it.
    func forget() {
        if !templates.isEmpty { templates = [:] }
    }

    /// GetTemplateObject
    func template(_ number: Int) throws(Thrown) -> ScriptArray {
        if let known = templates[number] { return known }
        let template = program.templates[number]
        let cooked = realm.array(template.texts.map { $0.cooked.map { .text(realm.text($0)) } ?? .undefined })
        let raw = realm.array(template.texts.map { .text(realm.text($0.raw)) })
        try realm.setIntegrity(raw, isFrozen: true)
        _ = try cooked.define(
            realm.key("raw"),
            PropertyDescriptor(.object(raw), isWritable: false, isEnumerable: false, isConfigurable: false))
        try realm.setIntegrity(cooked, isFrozen: true)
        templates[number] = cooked
        return cooked
    }
}
