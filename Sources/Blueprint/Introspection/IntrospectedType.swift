import GraphQL
import JSON

/// A directive with its arguments as JSON.
struct IntrospectedDirective: Equatable {
    let name: String
    var arguments: JSONObject

    init(name: String, arguments: JSONObject = JSONObject()) {
        self.name = name
        self.arguments = arguments
    }

    init(_ directive: Directive) {
        name = directive.name.text
        var arguments = JSONObject()
        for argument in directive.arguments {
            arguments[argument.name.text] = argument.value.untyped
        }
        self.arguments = arguments
    }

    /// A list of texts; a single one is a list of one. Nil when the argument is absent or null.
    func texts(_ name: String) -> [String]? {
        switch arguments[name] {
        case .array(let values): values.compactMap(\.string)
        case .string(let text): [text]
        default: nil
        }
    }

    func text(_ name: String) -> String? { arguments[name]?.string }
}

/// A type as a client sees it: its name, and the lists around it. Of lists in lists the outermost counts.
struct IntrospectedUse {
    var name: String
    var isList = false
    /// True if the named type, in the lists, may be null.
    var isNullable = true
    /// True if the outermost list may be null; nil when there is none.
    var isListNullable: Bool?

    init(_ name: String, isList: Bool = false, isNullable: Bool = true) {
        self.name = name
        self.isList = isList
        self.isNullable = isNullable
    }

    init(_ type: TypeReference) {
        name = type.name.text
        var wrapping = type.wrapping
        if wrapping.isList {
            isList = true
            isListNullable = !wrapping.isNonNull
        }
        while wrapping.isList { wrapping = wrapping.item }
        isNullable = !wrapping.isNonNull
    }
}

/// A field, or an operation, or one of its arguments.
struct IntrospectedField {
    let name: String
    var type: IntrospectedUse
    var directives: [IntrospectedDirective] = []
    var arguments: [IntrospectedField] = []
    /// True if the server alone writes it.
    var isReadOnly = false
    var association: Association?

    /// What a relation says of itself.
    enum Association {
        case hasMany(associatedWith: [String])
        case hasOne(associatedWith: [String], targets: [String])
        case belongsTo(targets: [String])
    }

    init(_ name: String, _ type: IntrospectedUse, directives: [IntrospectedDirective] = [], isReadOnly: Bool = false) {
        self.name = name
        self.type = type
        self.directives = directives
        self.isReadOnly = isReadOnly
    }

    init(_ field: FieldDefinition) {
        self.init(
            field.name.text, IntrospectedUse(field.type), directives: field.directives.map(IntrospectedDirective.init))
        arguments = field.arguments.map(IntrospectedField.init)
    }

    init(_ value: InputValueDefinition) { self.init(value.name.text, IntrospectedUse(value.type)) }

    func directive(_ name: String) -> IntrospectedDirective? { directives.first { $0.name == name } }
    func has(_ name: String) -> Bool { directives.contains { $0.name == name } }
}

/// A model, or another object type.
struct IntrospectedModel {
    let name: String
    var directives: [IntrospectedDirective]
    var fields: [IntrospectedField]
    /// The names of the fields of the primary key, the partition field first. Only models have one.
    var key: [String] = []
    /// True if it is more than an `id`.
    var hasOwnKey = false

    func field(_ name: String) -> IntrospectedField? { fields.first { $0.name == name } }

    /// The fields of the primary key.
    var keyFields: [IntrospectedField] { key.compactMap(field) }

    /// Adds a field, unless there is one of that name.
    mutating func add(_ field: IntrospectedField) {
        if self.field(field.name) == nil { fields.append(field) }
    }

    /// The names of fields that have a directive, with it.
    func uses(of directives: Set<String>) -> [(field: IntrospectedField, directive: IntrospectedDirective)] {
        fields.flatMap { field in
            field.directives.filter { directives.contains($0.name) }.map { (field, $0) }
        }
    }

    func uses(of directive: String) -> [(field: IntrospectedField, directive: IntrospectedDirective)] {
        uses(of: [directive])
    }
}

extension Value {
    /// This value by its form alone: a name of an enum is a text. Nil for a variable, which no schema has.
    fileprivate var untyped: JSONValue? {
        switch self {
        case .variable: return nil
        case .int(let number):
            // Beyond what a client's numbers hold exactly, it is rounded as theirs are.
            guard let integer = Int64(number.text), integer.magnitude <= 1 << 53 else {
                return .double(Double(number.text) ?? 0)
            }
            return .integer(integer)
        case .float(let number): return .double(Double(number.text) ?? 0)
        case .string(let string): return .string(string.value)
        case .boolean(let boolean): return .bool(boolean.value)
        case .null: return .null
        case .enum(let name): return .string(name.text)
        case .list(let list): return .array(list.values.map { $0.untyped ?? .null })
        case .object(let object):
            var members = JSONObject()
            for field in object.fields { members[field.name.text] = field.value.untyped }
            return .object(members)
        }
    }
}
