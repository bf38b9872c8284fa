import GraphQL
import JSON

/// A subscription that can be served: which mutations it listens to, what it asks of their events, what it gets of them.
struct PreparedSubscription: Sendable {
    /// The mutations whose events it gets.
    let mutations: [String]
    let selection: EventSelection
    /// For the gate.
    let request: SubscriptionRequest
    /// The arguments that compare with fields of the event.
    private let equalities: EventFilter
    private let clientFilter: EventFilter?
    /// The fields in which the type of the events has lists.
    let lists: Set<ByteText>

    /// What an event has to be like, when the gate asks for something beside.
    ///
    /// With a filter, of the client or of the gate, arguments are not compared any more: a fact of AppSync.
    func filter(for grant: SubscriptionGrant) -> EventFilter {
        let asked = filter(with: grant.filter)
        return grant.comparison.map { asked.and($0) } ?? asked
    }

    func filter(with granted: EventFilter?) -> EventFilter {
        switch (granted, clientFilter) {
        case (nil, nil): equalities
        case (let granted?, nil): granted
        case (nil, let client?): client
        case (let granted?, let client?): granted.and(client)
        }
    }

    /// Prepares the operation of a valid document. Throws what the client is told.
    init(
        _ operation: OperationDefinition, of document: ExecutableDocument, _ values: JSONObject,
        limits: RealtimeLimits,
        isFilter: (_ argument: String, _ subscription: String) -> Bool = { name, _ in name == "filter" }
    ) throws(OperationFailure) {
        let schema = document.schema
        guard let type = schema.subscriptionType else {
            throw OperationFailure(nil, operation.operation.missingRootText)
        }
        do throws(GraphQLError) {
            let variables = try Phases.coerceVariables(values, of: operation, in: document)
            let groups = try CollectFields.groups(of: type, operation.selectionSet, in: document)
            // Of several fields, AppSync's engine takes the first.
            guard let group = groups.first(where: { $0.isMet(variables) }), let field = group.fields.first?.field,
                let definition = schema[type].fields?[field.name.text]
            else { throw GraphQLError("") }
            var builder = EventSelectionBuilder(document, variables, fieldsMax: limits.selectionFields)
            guard let selection = try builder.selection(of: group, on: type) else { throw GraphQLError("") }
            self.selection = selection
            mutations = Self.mutations(definition)
            let arguments = ArgumentTemplate(field.arguments, of: definition.arguments, in: schema).values(variables)
            var equalities = EventFilter.everything
            var clientFilter: EventFilter?
            for argument in arguments {
                if isFilter(argument.key, definition.name) {
                    clientFilter = try FilterArgument.checked(argument.value)
                } else {
                    equalities = equalities.and(.equals(argument.key, FilterValue(argument.value)))
                }
            }
            self.equalities = equalities
            self.clientFilter = clientFilter
            request = SubscriptionRequest(
                field: definition.name, typeName: schema[type].name, arguments: arguments,
                hasClientFilter: clientFilter != nil, selected: selection.coordinates,
                compared: Self.compared(clientFilter ?? equalities, of: schema[definition.type.named].name),
                selection: selection, selections: group.fields.map(\.field.selectionSet), variables: variables)
            lists = Self.lists(of: definition.type.named, in: schema)
        } catch {
            throw error.message.isEmpty ? .unsupported("") : OperationFailure([error])
        }
    }

    private static func mutations(_ field: SchemaField) -> [String] {
        guard case .list(let list) = field.directives.first(named: "aws_subscribe")?.argument("mutations") else {
            return []
        }
        return list.values.compactMap { if case .string(let name) = $0 { name.value } else { nil } }
    }

    /// The fields that are compared: with a filter, arguments are not.
    private static func compared(_ filter: EventFilter, of type: String) -> Set<FieldCoordinate> {
        Set(filter.fields.map { FieldCoordinate(type: type, name: $0) })
    }

    private static func lists(of type: TypeID, in schema: Schema) -> Set<ByteText> {
        let fields = schema[type].fields?.fields ?? []
        return Set(texts: fields.filter(\.type.isList).map(\.name))
    }
}

extension FilterArgument {
    /// The filter, or what is wrong with it as an error of the operation.
    fileprivate static func checked(_ argument: JSONValue) throws(GraphQLError) -> EventFilter? {
        do throws(Refusal) {
            return try filter(argument)
        } catch {
            throw GraphQLError(error.message, type: "BadRequestException", at: ResponsePath(), locations: nil)
        }
    }
}
