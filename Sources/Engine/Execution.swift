import GraphQL
import JSON

/// One run of an operation: writes the response as it goes. Specification: section 6.
struct Execution {
    private let document: ExecutableDocument
    private let variables: VariableValues
    private var data: [UInt8] = []
    private var errors: [GraphQLError] = []

    init(_ document: ExecutableDocument, _ variables: VariableValues) {
        self.document = document
        self.variables = variables
    }

    /// `{"data":…}`, and `"errors"` behind it when there are any.
    var response: [UInt8] {
        var response = Array(#"{"data":"#.utf8)
        response.append(contentsOf: data)
        if !errors.isEmpty {
            response.append(contentsOf: #","errors":"#.utf8)
            GraphQLError.write(errors, to: &response)
        }
        response.append(UInt8(ascii: "}"))
        return response
    }

    /// ExecuteSelectionSet() of the operation's root. Fields of a mutation run in their order, as those of a query do.
    mutating func run(_ operation: OperationDefinition, on desk: EngineDesk) throws(GraphQLError) {
        guard let root = document.schema.rootType(of: operation.operation) else {
            throw GraphQLError("There is no such root type")
        }
        let groups = try CollectFields.groups(of: root, operation.selectionSet, in: document)
        data = [UInt8(ascii: "{")]
        var isFirst = true
        for group in groups where group.isMet(variables) {
            if !isFirst { data.append(UInt8(ascii: ",")) }
            isFirst = false
            JSONWriter.writeKey(group.responseName, to: &data)
            guard try write(group, of: root, on: desk) else {
                // A field that must not be null is: nothing is left of the answer but its errors.
                data = []
                return JSONWriter.writeNull(to: &data)
            }
        }
        data.append(UInt8(ascii: "}"))
    }

    /// Writes the value of a root field; false when it is null and must not be.
    private mutating func write(
        _ group: CollectFields.Group, of root: TypeID, on desk: EngineDesk
    ) throws(GraphQLError) -> Bool {
        guard let field = group.fields.first?.field else { return true }
        let name = field.name.text
        if name == "__typename" {
            JSONWriter.writeString(document.schema[root].name, to: &data)
            return true
        }
        if Introspection.answers(name) {
            data.append(contentsOf: try desk.introspection.value(of: group, in: document, variables))
            return true
        }
        let typeName = document.schema[root].name
        errors.append(
            GraphQLError(
                "\(name) on type \(typeName) cannot be resolved yet: this version answers introspection only",
                type: "NotImplemented", at: ResponsePath([.name(group.responseName)]),
                locations: document.lines.location(of: field.position).map { [$0] }))
        JSONWriter.writeNull(to: &data)
        let type = document.schema.field(named: name, of: root)?.type
        return type.map { !$0.isNonNull } ?? true
    }
}
