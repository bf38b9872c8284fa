import Blueprint
import GraphQL
import JSON

/// The gates of all fields of a schema, from the directives in the API schema: those that Amplify writes there, and
/// those that the schema's author wrote.
struct GateTable: Sendable {
    private let usual: AuthMode
    private var names = NameTable()
    /// By the number of the type; those without directives are left out.
    private var types: [TypeGates] = []

    /// The gates of a type and of its fields, as far as they have some of their own.
    private struct TypeGates {
        let gate: FieldGate?
        var names = NameTable()
        var fields: [FieldGate] = []
    }

    init(_ api: APISchema, defaultMode: AuthMode) {
        usual = defaultMode
        for case .type(let type) in api.document.definitions {
            let fields = type.fields
            // Inputs and enums have no fields that anybody asks for.
            guard !fields.isEmpty else { continue }
            let name = type.name.text
            let opened = api.openedToIAM[name]
            let gate = Self.gate(type.directives, isOpened: opened?.isTypeOpened ?? false, or: nil, name, defaultMode)
            var gates = TypeGates(gate: gate)
            for number in fields.indices where !fields[number].directives.isEmpty {
                let isOpened = opened?.fields.contains(fields[number].name.text) ?? false
                let gate = Self.gate(fields[number].directives, isOpened: isOpened, or: gates.gate, name, defaultMode)
                guard let gate, gates.names.insert(fields[number].name.text).isNew
                else { continue }
                gates.fields.append(gate)
            }
            guard gates.gate != nil || !gates.fields.isEmpty, names.insert(type.name.text).isNew else { continue }
            types.append(gates)
        }
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

    func gate(type: String, field: String) -> FieldGate {
        let coordinate = "\(type).\(field)"
        let gates = names[type].map { types[$0] }
        let own = gates.flatMap { gates in gates.names[field].map { gates.fields[$0] } }
        return (own ?? gates?.gate)?.with(coordinate: coordinate) ?? FieldGate(usual, coordinate: coordinate)
    }
}
