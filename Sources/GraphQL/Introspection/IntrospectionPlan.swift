import JSON

/// The selection of an introspection query, worked out for the values of a request: which fields, under which names,
/// with what arguments.
final class IntrospectionPlan: Sendable {
    /// The fields of all types of introspection.
    enum Kind: String, Sendable {
        case typename = "__typename"
        case description, types, queryType, mutationType, subscriptionType, directives
        case kind, name, fields, interfaces, possibleTypes, enumValues, inputFields, ofType, specifiedByURL
        case specifiedByUrl, isOneOf
        case args, type, isDeprecated, deprecationReason, defaultValue
        case locations, isRepeatable, onOperation, onFragment, onField
    }

    struct Entry: Sendable {
        /// The response name as JSON, between the comma before it and the colon behind it.
        let key: [UInt8]
        let kind: Kind
        let includesDeprecated: Bool
        /// What is selected of the value, where it is an object or a list of objects.
        let plan: IntrospectionPlan?
    }

    let typeName: String
    let entries: [Entry]

    init(
        _ selectionSets: [(selectionSet: SelectionSet, inclusion: Inclusion)], on typeName: String,
        in document: ExecutableDocument, _ variables: VariableValues
    ) throws(GraphQLError) {
        self.typeName = typeName
        let schema = document.schema
        var entries: [Entry] = []
        if let type = schema.id(named: typeName) {
            for group in try CollectFields.groups(of: type, selectionSets, in: document) where group.isMet(variables) {
                guard let field = group.fields.first(where: { $0.inclusion.isMet(variables) })?.field,
                    let definition = schema.field(named: field.name.text, of: type),
                    let kind = Kind(rawValue: field.name.text)
                else { continue }
                let arguments = ArgumentTemplate(field.arguments, of: definition.arguments, in: schema)
                let target = schema[definition.type.named]
                let plan =
                    target.isComposite
                    ? try IntrospectionPlan(group.selectionSets, on: target.name, in: document, variables) : nil
                var key = [UInt8(ascii: ",")]
                JSONWriter.writeKey(group.responseName, to: &key)
                entries.append(
                    Entry(
                        key: key, kind: kind,
                        includesDeprecated: arguments.values(variables)["includeDeprecated"]?.bool ?? false,
                        plan: plan))
            }
        }
        self.entries = entries
    }
}
