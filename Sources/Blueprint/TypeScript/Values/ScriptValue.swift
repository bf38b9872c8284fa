import GraphQL

/// A value of the evaluator.
enum ScriptValue {
    case undefined
    case null
    case boolean(Bool)
    case number(Double)
    case string(String)
    case list(ScriptList)
    case object(ScriptObject)
    case function(ScriptClosure)
    /// What the language or the builders bring along, such as `Object`, `a` and `a.handler`.
    case native(NativeObject)
    /// A function of a value or of what is native.
    case method(NativeMethod)
    case builder(Builder)
    case opaque(OpaqueValue)

    /// The object that it is, when it can be changed and thereby spoiled.
    var changeable: Changeable? {
        switch self {
        case .list(let list): list
        case .object(let object): object
        case .builder(let builder): builder
        default: nil
        }
    }

    var isNothing: Bool {
        switch self {
        case .undefined, .null: true
        default: false
        }
    }

    var string: String? { if case .string(let text) = self { text } else { nil } }
    var list: ScriptList? { if case .list(let list) = self { list } else { nil } }
    var object: ScriptObject? { if case .object(let object) = self { object } else { nil } }

    /// How messages call it.
    var description: String {
        switch self {
        case .undefined: "undefined"
        case .null: "null"
        case .boolean(let value): "\(value)"
        case .number(let number): NumberText.text(of: number)
        case .string(let text): "the text \"\(text.prefix(80))\""
        case .list: "a list"
        case .object: "an object"
        case .function, .method: "a function"
        case .native(let object): "`\(object.name)`"
        case .builder(let builder): builder.label
        case .opaque: "a value that is not known here"
        }
    }
}

/// What statements can change. One that failed half-way has spoiled what it mentions.
class Changeable {
    private(set) var spoiledBy: TypeScriptError?

    func spoil(by error: TypeScriptError) {
        if spoiledBy == nil { spoiledBy = error }
    }
}

/// A value with the place where it was written.
struct PlacedValue {
    let value: ScriptValue
    let position: Position
}

final class ScriptList: Changeable {
    var elements: [PlacedValue]

    init(_ elements: [PlacedValue]) {
        self.elements = elements
    }
}

/// An object: its members in the order in which they were first set.
final class ScriptObject: Changeable {
    struct Member {
        let name: String
        let position: Position
        let value: PlacedValue
        let getter: ScriptClosure?
    }

    private(set) var members: [Member] = []
    private var numbers: [String: Int] = [:]

    subscript(name: String) -> Member? {
        numbers[name].map { members[$0] }
    }

    /// Sets a member: one that was there keeps its place.
    func set(_ name: String, at position: Position, to value: PlacedValue, getter: ScriptClosure? = nil) {
        let member = Member(name: name, position: position, value: value, getter: getter)
        if let number = numbers[name] {
            members[number] = member
        } else {
            numbers[name] = members.count
            members.append(member)
        }
    }

    func set(_ name: String, to value: ScriptValue, at position: Position) {
        set(name, at: position, to: PlacedValue(value: value, position: position))
    }
}

/// A function with the names that it can see.
final class ScriptClosure {
    let function: ScriptFunction
    let scope: ScriptScope
    /// What an arrow function calls `this`.
    let this: ScriptValue

    init(_ function: ScriptFunction, scope: ScriptScope, this: ScriptValue) {
        self.function = function
        self.scope = scope
        self.this = this
    }
}

/// A value that this reader cannot know, such as what another package makes. It can be passed on unseen.
final class OpaqueValue {
    /// What is said when somebody needs to look inside.
    let error: TypeScriptError
    /// What is known of the function that it stands for.
    let function: FunctionReference?

    init(_ error: TypeScriptError, function: FunctionReference? = nil) {
        self.error = error
        self.function = function
    }
}

/// A Lambda function as `defineFunction` or a mere name describes it.
package struct FunctionReference: Sendable, Hashable {
    package var name: String?
    package var entry: String?
    /// The name of the folder of the file that defines it.
    package var folder: String?

    /// What Amplify calls it: its name, that of the file of its code, or that of its folder.
    package var givenName: String? {
        if let name { return name }
        guard let entry else { return folder }
        let file = entry.split(separator: "/").last ?? ""
        return String(file.lastIndex(of: ".").map { file[..<$0] } ?? file)
    }
}

/// The names of a module, a function or a block.
final class ScriptScope {
    enum Binding {
        /// Declared, but its statement has not run yet.
        case early(Position)
        case value(ScriptValue)
        case failed(TypeScriptError)
        /// A name of another module.
        case imported(() -> Binding)
    }

    let parent: ScriptScope?
    private var bindings: [String: Binding] = [:]
    /// The file that it belongs to.
    let file: String
    var this: ScriptValue = .undefined

    init(parent: ScriptScope?, file: String) {
        self.parent = parent
        self.file = file
        self.this = parent?.this ?? .undefined
    }

    /// The binding of a name here or further out.
    func binding(_ name: String) -> Binding? {
        var scope: ScriptScope? = self
        while let current = scope {
            if let binding = current.bindings[name] { return binding }
            scope = current.parent
        }
        return nil
    }

    func own(_ name: String) -> Binding? { bindings[name] }

    func bind(_ name: String, to binding: Binding) {
        bindings[name] = binding
    }
}
