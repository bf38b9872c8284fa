import JSON

extension Introspection {
    /// All that introspection says of a schema, as the answer to the query that tools send: `{"data":{"__schema":{…}}}`.
    package static func whole(of schema: Schema) throws(GraphQLError) -> JSONValue {
        guard case .ready(let document) = Phases.prepare(Array(query.utf8), schema: schema),
            let operation = try? document.operation(named: nil)
        else { throw GraphQLError("The schema cannot be asked about itself") }
        return try answer(operation, in: document)
    }

    /// The longest introspection of a schema that is written into a file.
    private static let wholeBytesMax = 32 << 20

    private static func answer(
        _ operation: OperationDefinition, in document: ExecutableDocument
    ) throws(GraphQLError) -> JSONValue {
        guard let root = document.schema.queryType else { throw GraphQLError("The schema has no queries") }
        let variables = try Phases.coerceVariables(JSONObject(), of: operation, in: document)
        var members: [(String, JSONValue)] = []
        for group in try CollectFields.groups(of: root, operation.selectionSet, in: document) {
            let bytes: [UInt8]
            do throws(Failure) {
                bytes = try value(of: group, in: document, variables, bytesMax: wholeBytesMax)
            } catch {
                if case .refused(let error) = error { throw error }
                throw GraphQLError("The introspection of the schema is longer than \(wholeBytesMax) bytes")
            }
            do throws(JSONError) {
                members.append(
                    (
                        group.responseName,
                        try JSONReader.value(of: bytes, limits: JSONLimits(bytesMax: wholeBytesMax))
                    ))
            } catch {
                throw GraphQLError("The answer of introspection is no JSON: \(error)")
            }
        }
        return ["data": .object(JSONObject(members))]
    }

    /// The query of graphql-js, as Amplify's tools send it.
    private static let query = """
        query IntrospectionQuery {
          __schema {
            queryType { name }
            mutationType { name }
            subscriptionType { name }
            types { ...FullType }
            directives { name description locations args { ...InputValue } }
          }
        }
        fragment FullType on __Type {
          kind name description
          fields(includeDeprecated: true) {
            name description
            args { ...InputValue }
            type { ...TypeRef }
            isDeprecated deprecationReason
          }
          inputFields { ...InputValue }
          interfaces { ...TypeRef }
          enumValues(includeDeprecated: true) { name description isDeprecated deprecationReason }
          possibleTypes { ...TypeRef }
        }
        fragment InputValue on __InputValue { name description type { ...TypeRef } defaultValue }
        fragment TypeRef on __Type {
          kind name
          ofType { kind name ofType { kind name ofType { kind name ofType { kind name ofType { kind name ofType { kind name ofType { kind name } } } } } } }
        }
        """
}
