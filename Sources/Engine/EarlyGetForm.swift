import Blueprint
import GraphQL
import JSON

/// The form in which an early client library asks for one record, `getTodo(input: {id: "1"})`, read as `getTodo(id: "1")`.
///
/// The schema does not have it, so introspection does not show it and it would be refused. Only what is written in the
/// document is read this way: a variable would need an input type that there is not.
struct EarlyGetForm: Sendable {
    private let names: Set<ByteText>

    init(_ blueprint: Blueprint) {
        names = Set(texts: blueprint.models.compactMap(\.operations.get))
    }

    /// The document in the form that the schema knows.
    func rewritten(_ document: Document) -> Document {
        var document = document
        for index in document.definitions.indices {
            guard case .operation(var operation) = document.definitions[index], operation.operation == .query else {
                continue
            }
            guard operation.selectionSet.contains(where: { arguments(of: $0) != nil }) else { continue }
            operation.selectionSet = SelectionSet(
                operation.selectionSet.map { selection in
                    guard case .field(var field) = selection, let arguments = arguments(of: selection) else {
                        return selection
                    }
                    field.arguments = arguments
                    return .field(field)
                })
            document.definitions[index] = .operation(operation)
        }
        return document
    }

    /// What the input's fields are as arguments; nil for a selection that has another form.
    private func arguments(of selection: Selection) -> [Argument]? {
        guard case .field(let field) = selection, names.contains(field.name.text), field.arguments.count == 1,
            let argument = field.arguments.first, argument.name.text == "input",
            case .object(let input) = argument.value
        else { return nil }
        return input.fields.map { Argument(name: $0.name, value: $0.value) }
    }
}
