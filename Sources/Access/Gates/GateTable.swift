import Blueprint
import GraphQL
import JSON
import Threads

/// The gates of all fields of a schema, from the directives in the API schema: those that Amplify writes there, and
/// those that the schema's author wrote.
struct GateTable: Sendable {
    private let usual: AuthMode
    private var names = NameTable()
    /// By the number of the type.
    private var types: [LateTypeGates] = []

    init(_ api: APISchema, defaultMode: AuthMode) {
        usual = defaultMode
        for case .type(let type) in api.document.definitions {
            // Inputs and enums have no fields that anybody asks for.
            guard !type.fields.isEmpty, names.insert(type.name.text).isNew else { continue }
            types.append(LateTypeGates(type, api.openedToIAM[type.name.text], defaultMode))
        }
    }

    func gate(type: String, field: String) -> FieldGate {
        let coordinate = "\(type).\(field)"
        let gates = names[type].map { types[$0].gates }
        let own = gates.flatMap { gates in gates.names[field].map { gates.fields[$0] } }
        return (own ?? gates?.gate)?.with(coordinate: coordinate) ?? FieldGate(usual, coordinate: coordinate)
    }
}

/// The gates of a type, made when somebody asks for one of them: plans name few of a schema's types, and a start names none.
private final class LateTypeGates: Sendable {
    private let type: TypeDefinition
    private let opened: OpenedToIAM?
    private let mode: AuthMode
    private let made = MadeOnce<TypeGates>()

    init(_ type: TypeDefinition, _ opened: OpenedToIAM?, _ mode: AuthMode) {
        (self.type, self.opened, self.mode) = (type, opened, mode)
    }

    var gates: TypeGates { made.object { TypeGates(type, opened, mode) } }
}

/// The gates of a type and of its fields, as far as they have some of their own.
private final class TypeGates: Sendable {
    let gate: FieldGate?
    let names: NameTable
    let fields: [FieldGate]

    init(_ type: TypeDefinition, _ opened: OpenedToIAM?, _ mode: AuthMode) {
        let (name, members) = (type.name.text, type.fields)
        let gate = Self.gate(type.directives, isOpened: opened?.isTypeOpened ?? false, or: nil, name, mode)
        var names = NameTable()
        var fields: [FieldGate] = []
        for number in members.indices where !members[number].directives.isEmpty {
            let isOpened = opened?.fields.contains(members[number].name.text) ?? false
            let own = Self.gate(members[number].directives, isOpened: isOpened, or: gate, name, mode)
            guard let own, names.insert(members[number].name.text).isNew else { continue }
            fields.append(own)
        }
        (self.gate, self.names, self.fields) = (gate, names, fields)
    }

    /// The gate that directives make. What sandbox mode opened to IAM stays open to whom it was open to before: to those of the
    /// other directives, else to those of the type, else to the default mode.
    private static func gate(
        _ directives: [Directive], isOpened: Bool, or usual: FieldGate?, _ type: String, _ mode: AuthMode
    ) -> FieldGate? {
        guard isOpened else { return FieldGate(directives, coordinate: type) }
        let others = directives.filter { $0.name.text != AuthMode.iam.directiveName }
        let gate = FieldGate(others, coordinate: type) ?? usual ?? FieldGate(mode, coordinate: type)
        return gate.admitting(.iam)
    }
}
