import GraphQL

/// The directives that a schema for version 2 of the transformer may use, with the types of their arguments.
///
/// A type of a directive's argument is a type of the schema too: no other type may have its name, and it is offered
/// when a name is misspelt. So the order counts: it is the order in which Amplify's transformer adds them.
enum AmplifyDirectives {
    /// Those of AppSync itself, which stand before the schema.
    static let service = parsed(
        """
        directive @aws_subscribe(mutations: [String!]!) on FIELD_DEFINITION
        directive @aws_auth(cognito_groups: [String!]!) on FIELD_DEFINITION
        directive @aws_api_key on FIELD_DEFINITION | OBJECT
        directive @aws_iam on FIELD_DEFINITION | OBJECT
        directive @aws_oidc on FIELD_DEFINITION | OBJECT
        directive @aws_cognito_user_pools(cognito_groups: [String!]) on FIELD_DEFINITION | OBJECT
        directive @aws_lambda on FIELD_DEFINITION | OBJECT
        directive @deprecated(reason: String) on FIELD_DEFINITION | INPUT_FIELD_DEFINITION | ENUM | ENUM_VALUE
        directive @skip(if: Boolean!) on FIELD | FRAGMENT_SPREAD | INLINE_FRAGMENT
        directive @include(if: Boolean!) on FIELD | FRAGMENT_SPREAD | INLINE_FRAGMENT
        directive @specifiedBy(url: String!) on SCALAR
        """)

    /// Those of Amplify, which stand after it.
    static let amplify = parsed(
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
        enum InvocationType { RequestResponse Event }
        directive @function(
          name: String! region: String accountId: String invocationType: InvocationType = RequestResponse
        ) repeatable on FIELD_DEFINITION
        enum HttpMethod { GET POST PUT DELETE PATCH }
        input HttpHeader { key: String value: String }
        directive @http(method: HttpMethod = GET, url: String!, headers: [HttpHeader] = []) on FIELD_DEFINITION
        enum PredictionsActions { identifyText identifyLabels convertTextToSpeech translateText }
        directive @predictions(actions: [PredictionsActions!]!) on FIELD_DEFINITION
        directive @primaryKey(sortKeyFields: [String]) on FIELD_DEFINITION
        input ProjectionInput { type: ProjectionType nonKeyAttributes: [String] }
        enum ProjectionType { ALL KEYS_ONLY INCLUDE }
        directive @index(
          name: String sortKeyFields: [String] queryField: String projection: ProjectionInput
        ) repeatable on FIELD_DEFINITION
        directive @hasMany(
          indexName: String fields: [String!] references: [String!] limit: Int = 100
        ) on FIELD_DEFINITION
        directive @hasOne(fields: [String!], references: [String!]) on FIELD_DEFINITION
        directive @manyToMany(relationName: String!, limit: Int = 100) on FIELD_DEFINITION
        directive @belongsTo(
          fields: [String!] references: [String!] overrideIndexName: String
        ) on FIELD_DEFINITION
        directive @default(value: String) on FIELD_DEFINITION
        directive @mapsTo(name: String!) on OBJECT
        directive @sql(statement: String, reference: String) on FIELD_DEFINITION
        directive @refersTo(name: String!) on OBJECT | FIELD_DEFINITION
        input SearchableQueryMap { search: String }
        directive @searchable(queries: SearchableQueryMap) on OBJECT
        input ConversationAuth { strategy: ConversationAuthStrategy! provider: ConversationAuthProvider! }
        enum ConversationAuthStrategy { owner }
        enum ConversationAuthProvider { userPools }
        input ConversationHandlerFunctionConfiguration { functionName: String! eventVersion: String! }
        enum ConversationModelOperation { list }
        input ToolMap {
          name: String description: String modelName: String modelOperation: ConversationModelOperation queryName: String
        }
        input ConversationInferenceConfiguration { maxTokens: Int temperature: Float topP: Float }
        directive @conversation(
          aiModel: String! systemPrompt: String! auth: ConversationAuth! functionName: String
          handler: ConversationHandlerFunctionConfiguration tools: [ToolMap]
          inferenceConfiguration: ConversationInferenceConfiguration
        ) on FIELD_DEFINITION
        input InferenceConfiguration { maxTokens: Int temperature: Float topP: Float }
        directive @generation(
          aiModel: String! systemPrompt: String! inferenceConfiguration: InferenceConfiguration
        ) on FIELD_DEFINITION
        enum ValidationType { gt lt gte lte minLength maxLength startsWith endsWith matches }
        directive @validate(
          type: ValidationType! value: String! errorMessage: String
        ) repeatable on FIELD_DEFINITION
        input AuthRule {
          allow: AuthStrategy! provider: AuthProvider identityClaim: String groupClaim: String ownerField: String
          groupsField: String groups: [String] operations: [ModelOperation]
        }
        enum AuthStrategy { owner groups private public custom }
        enum AuthProvider { apiKey iam identityPool oidc userPools function }
        enum ModelOperation { create update delete read list get sync listen search }
        directive @auth(rules: [AuthRule!]!) on OBJECT | FIELD_DEFINITION
        """)

    /// The directives that are kept in the API.
    static let kept: Set<String> = [
        "aws_subscribe", "aws_auth", "aws_api_key", "aws_iam", "aws_oidc", "aws_cognito_user_pools", "aws_lambda",
        "deprecated",
    ]

    /// The directives that a text defines, by name.
    static func definitions(_ document: Document) -> [String: DirectiveDefinition] {
        var found: [String: DirectiveDefinition] = [:]
        for case .directive(let definition) in document.definitions { found[definition.name.text] = definition }
        return found
    }

    static func parsed(_ text: String) -> Document {
        do {
            return try Document(parsing: Source(text), limits: .schema)
        } catch {
            // The texts above are constants, and a test parses them.
            preconditionFailure("the definitions of the directives cannot be read: \(error)")
        }
    }
}
