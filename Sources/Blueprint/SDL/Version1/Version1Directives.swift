import GraphQL

/// The directives of version 1 of the transformer.
enum Version1Directives {
    static let document = AmplifyDirectives.parsed(
        """
        input ModelMutationMap { create: String update: String delete: String }
        input ModelQueryMap { get: String list: String }
        input ModelSubscriptionMap {
          onCreate: [String] onUpdate: [String] onDelete: [String] level: ModelSubscriptionLevel
        }
        enum ModelSubscriptionLevel { off public on }
        input TimestampConfiguration { createdAt: String updatedAt: String }
        directive @model(
          queries: ModelQueryMap mutations: ModelMutationMap subscriptions: ModelSubscriptionMap
          timestamps: TimestampConfiguration
        ) on OBJECT
        directive @versioned(
          versionField: String = "version" versionInput: String = "expectedVersion"
        ) on OBJECT
        directive @function(name: String!, region: String) repeatable on FIELD_DEFINITION
        enum HttpMethod { GET POST PUT DELETE PATCH }
        input HttpHeader { key: String value: String }
        directive @http(method: HttpMethod = GET, url: String!, headers: [HttpHeader] = []) on FIELD_DEFINITION
        directive @key(name: String, fields: [String!]!, queryField: String) repeatable on OBJECT
        directive @connection(
          name: String keyField: String sortField: String keyName: String limit: Int fields: [String!]
        ) on FIELD_DEFINITION
        enum PredictionsActions { identifyText identifyLabels convertTextToSpeech translateText }
        directive @predictions(actions: [PredictionsActions!]!) on FIELD_DEFINITION
        input SearchableQueryMap { search: String }
        directive @searchable(queries: SearchableQueryMap) on OBJECT
        input AuthRule {
          allow: AuthStrategy! identityField: String provider: AuthProvider identityClaim: String groupClaim: String
          ownerField: String groupsField: String groups: [String] operations: [ModelOperation]
          queries: [ModelQuery] mutations: [ModelMutation]
        }
        enum AuthStrategy { owner groups private public }
        enum AuthProvider { apiKey iam oidc userPools }
        enum ModelOperation { create update delete read }
        enum ModelQuery { get list }
        enum ModelMutation { create update delete }
        directive @auth(rules: [AuthRule!]!) on OBJECT | FIELD_DEFINITION
        """)

    /// The directives of version 2 that a project of version 1 is told of by what they are; others are unknown to it.
    static let successors: Set<String> = [
        "hasOne", "index", "primaryKey", "belongsTo", "manyToMany", "hasMany", "default",
    ]

    /// Puts in front of the other errors that a schema uses directives of version 2.
    static func refuse(_ definitions: [Definition], before others: DiagnosticLog) -> DiagnosticLog {
        let used = LegacyDirectives.used(successors, in: definitions)
        guard let first = used.first else { return others }
        var names: [String] = []
        for directive in used where !names.contains(directive.name.text) { names.append(directive.name.text) }
        let list = names.map { "\"@\($0)\"" }.joined(separator: ", ")
        var log = DiagnosticLog()
        log.error(
            "Your GraphQL Schema is using \(list) \(names.count > 1 ? "directives" : "directive") from the newer version "
                + "of the GraphQL Transformer. Visit https://docs.amplify.aws/cli/migration/transformer-migration/ to "
                + "learn how to migrate your GraphQL schema."
                + (others.hasErrors ? " There are additional validation errors listed below: " : ""),
            at: first.position, step: .language,
            hint: "For version 2 set \"transformerVersion\": 2 under \"features\" in the configuration, or "
                + "useExperimentalPipelinedTransformer to true in the cli.json of its project.")
        log.append(others)
        return log
    }
}
