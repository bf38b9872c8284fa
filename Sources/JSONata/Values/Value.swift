import JSON
import Script

/// The values of expressions: JSON without the difference between integers and other numbers, functions, and nothing at all.
enum Value {
    /// Nothing: a path that leads nowhere, a function without a result.
    case missing
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case list(List)
    case record(Record)
    case function(Function)
    /// Values with variables of their steps: inside of paths alone.
    case tuples([Tuple])

    init(_ json: JSONValue) {
        switch json {
        case .null: self = .null
        case .bool(let bool): self = .bool(bool)
        case .integer(let number): self = .number(Double(number))
        case .double(let number): self = .number(number)
        case .largeInteger(let digits): self = .number(Double(digits) ?? .infinity)
        case .string(let text): self = .string(text)
        case .array(let elements): self = .list(List(elements.map { Value($0) }))
        case .object(let object):
            var members = Members()
            for member in object.members { members.add(member.key, Value(member.value)) }
            self = .record(Record(members))
        }
    }

    var isMissing: Bool { if case .missing = self { true } else { false } }

    var list: List? { if case .list(let list) = self { list } else { nil } }

    var text: String? { if case .string(let text) = self { text } else { nil } }

    var function: Function? { if case .function(let function) = self { function } else { nil } }

    /// How deep lists and objects, and functions with their variables, are within each other.
    var depth: Int {
        switch self {
        case .missing, .null, .bool, .number, .string: 0
        case .list(let list): list.depth
        case .record(let record): record.depth
        case .function(let function): function.depth
        case .tuples(let tuples): tuples.reduce(0) { max($0, $1.depth) } + 1
        }
    }

    /// The elements of a list; a value that is no list is its only one.
    var elements: [Value] {
        switch self {
        case .missing: []
        case .list(let list): list.items
        default: [self]
        }
    }

    /// Returns whether it counts as true; nil: there is no value.
    var truth: Bool? {
        switch self {
        case .missing: nil
        case .null, .function: false
        case .bool(let bool): bool
        case .number(let number): number != 0 && !number.isNaN
        case .string(let text): !text.isEmpty
        case .list(let list): list.items.contains { $0.truth == true }
        case .record(let record): !record.isEmpty
        case .tuples(let tuples): !tuples.isEmpty
        }
    }

    /// True if JavaScript takes it for true.
    var isTruthy: Bool {
        switch self {
        case .missing, .null: false
        case .bool(let bool): bool
        case .number(let number): number != 0 && !number.isNaN
        case .string(let text): !text.isEmpty
        case .list, .record, .function, .tuples: true
        }
    }

    /// Returns whether both are the same number, text, truth or null.
    func isSame(as other: Value) -> Bool {
        switch (self, other) {
        case (.null, .null): true
        case (.bool(let left), .bool(let right)): left == right
        case (.number(let left), .number(let right)): left == right
        case (.string(let left), .string(let right)): left == right
        case (.function(let left), .function(let right)): left === right
        case (.record(let left), .record(let right)): left === right
        default: false
        }
    }
}

/// A list. A sequence is what a path or a function found: with one value in it, it is that value.
struct List {
    private(set) var items: [Value]
    private(set) var depth: Int
    var isSequence = false
    /// A sequence stays a list with one value in it.
    var keepsSingleton = false
    /// It is written as a list in a path, whose steps do not take it apart.
    var isConstructed = false
    /// The input, which is a list, as one value.
    var isWrapper = false

    init(_ items: [Value]) {
        self.items = items
        depth = items.reduce(0) { max($0, $1.depth) } + 1
    }

    private init(_ items: [Value], depth: Int) { (self.items, self.depth) = (items, depth) }

    static func sequence(_ items: [Value] = []) -> List {
        var list = List(items)
        list.isSequence = true
        return list
    }

    /// Numbers, texts and the like.
    static func flat(_ items: [Value]) -> List { List(items, depth: 1) }

    var count: Int { items.count }

    mutating func append(_ value: Value) {
        depth = max(depth, value.depth + 1)
        items.append(value)
    }

    mutating func append(contentsOf list: List) {
        depth = max(depth, list.depth)
        items.append(contentsOf: list.items)
    }
}

/// Members of an object in their order, each key once.
struct Members {
    private(set) var keys: [String] = []
    private(set) var values: [Value] = []
    private(set) var depth = 1
    private var places: [ByteText: Int]?

    private static let scanMax = 12

    var count: Int { keys.count }

    func place(of key: String) -> Int? {
        if let places { return places[ByteText(key)] }
        return keys.firstIndex(of: key)
    }

    mutating func set(_ key: String, _ value: Value) {
        guard let place = place(of: key) else { return add(key, value) }
        depth = max(depth, value.depth + 1)
        values[place] = value
    }

    /// Adds a key that is not there yet.
    mutating func add(_ key: String, _ value: Value) {
        depth = max(depth, value.depth + 1)
        keys.append(key)
        values.append(value)
        if places != nil {
            places?[ByteText(key)] = keys.count - 1
        } else if keys.count > Self.scanMax {
            index()
        }
    }

    mutating func remove(_ key: String) {
        guard let place = place(of: key) else { return }
        keys.remove(at: place)
        values.remove(at: place)
        if places != nil { index() }
    }

    private mutating func index() {
        places = Dictionary(texts: keys.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    }
}

/// An object. It never changes; a transform makes another one.
final class Record {
    let members: Members

    init(_ members: Members) { self.members = members }

    var isEmpty: Bool { members.count == 0 }
    var depth: Int { members.depth }
    var keys: [String] { members.keys }
    var values: [Value] { members.values }

    subscript(key: String) -> Value? { members.place(of: key).map { members.values[$0] } }
}

/// A value on its way through a path, with the variables that steps have bound to it.
struct Tuple {
    var value: Value
    var variables: [(name: String, value: Value)] = []

    var depth: Int { variables.reduce(value.depth) { max($0, $1.value.depth) } + 1 }

    mutating func bind(_ name: String, _ value: Value) {
        if let place = variables.firstIndex(where: { $0.name == name }) {
            variables[place].value = value
        } else {
            variables.append((name, value))
        }
    }
}

/// A function.
final class Function {
    enum Kind {
        case library(JSONataFunction)
        case lambda(Node, input: Value, VariableFrame)
        /// A call that is made where its result is needed.
        case thunk(Node, input: Value, VariableFrame)
        case transform(Node, VariableFrame)
        case pattern(RegularExpression, source: String)
        /// The next match of a pattern in a text.
        case search(RegularExpression, source: String, [UInt16], from: Int)
        /// The second one of the result of the first.
        case chain(Function, Function)
        /// With some of its arguments; nil: still to come.
        case partial(Function, [Value?])
    }

    let kind: Kind
    let depth: Int

    init(_ kind: Kind) {
        self.kind = kind
        depth =
            switch kind {
            case .library, .pattern, .search: 1
            case .lambda(_, let input, let frame), .thunk(_, let input, let frame): max(input.depth, frame.depth) + 1
            case .transform(_, let frame): frame.depth + 1
            case .chain(let first, let second): max(first.depth, second.depth) + 1
            case .partial(let function, let arguments):
                arguments.reduce(function.depth) { max($0, $1?.depth ?? 0) } + 1
            }
    }

    var isLambda: Bool {
        switch kind {
        case .lambda, .thunk, .partial, .chain: true
        default: false
        }
    }

    /// How many arguments it takes.
    var arity: Int {
        switch kind {
        case .library(let function): function.arity
        case .lambda(let node, _, _): node.parameters.count
        case .thunk, .search: 0
        case .transform, .chain: 1
        case .pattern: 2
        case .partial(_, let arguments): arguments.count { $0 == nil }
        }
    }
}

/// Variables of a block or of a call, and those around them.
final class VariableFrame {
    private(set) var parent: VariableFrame?
    private var variables: [(name: String, value: Value)] = []
    private(set) var depth: Int
    /// Whether a function keeps it.
    var isKept = false

    init(in parent: VariableFrame?) {
        self.parent = parent
        depth = parent?.depth ?? 0
    }

    func bind(_ name: String, _ value: Value) {
        // A function that is kept in the variables around itself makes them no deeper.
        if value.function == nil || value.depth > depth + 1 { depth = max(depth, value.depth) }
        if let place = variables.firstIndex(where: { $0.name == name }) {
            variables[place].value = value
        } else {
            variables.append((name, value))
        }
    }

    func value(of name: String) -> Value? {
        var frame: VariableFrame? = self
        while let current = frame {
            if let found = current.variables.first(where: { $0.name == name }) { return found.value }
            frame = current.parent
        }
        return nil
    }

    /// Lets go of all that it holds.
    func clear() {
        variables = []
        parent = nil
    }
}
