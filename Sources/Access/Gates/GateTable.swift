import Blueprint
import GraphQL

/// The gates of all fields of a schema, from the directives in the API schema: those that Amplify writes there, and
/// those that the schema's author wrote.
struct GateTable: Sendable {
    private let usual: AuthMode
    private var types: [String: FieldGate] = [:]
    private var fields: [String: FieldGate] = [:]

    init(_ api: APISchema, defaultMode: AuthMode) {
        usual = defaultMode
        for type in api.document.types {
            let (name, directives, fields) =
                switch type {
                case .object(let object): (object.name.text, object.directives, object.fields)
                case .interface(let interface): (interface.name.text, interface.directives, interface.fields)
                default: ("", [], [])
                }
            types[name] = FieldGate(directives, coordinate: name)
            for field in fields {
                let coordinate = "\(name).\(field.name.text)"
                self.fields[coordinate] = FieldGate(field.directives, coordinate: coordinate)
            }
        }
    }

    func gate(type: String, field: String) -> FieldGate {
        let coordinate = "\(type).\(field)"
        return fields[coordinate] ?? types[type]?.with(coordinate: coordinate)
            ?? FieldGate(usual, coordinate: coordinate)
    }
}
