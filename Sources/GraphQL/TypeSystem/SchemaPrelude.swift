/// What every schema has without saying so: the built-in scalars and directives, those of AWS, and the types that
/// introspection is made of. Specification: sections 3.5, 3.13 and 4.
package enum SchemaPrelude {
    /// The scalars and directives that AppSync adds.
    package static let appSync = parsed(standardText + AWSScalarDescriptions.definitions + awsDirectivesText)
    /// The scalars and directives of the specification alone.
    package static let standard = parsed(standardText)
    /// The types of introspection. They keep the form that AppSync's tools know, with what the specification added later.
    /// Deprecated arguments show unless they are asked away, since AppSync has nothing to ask for them with.
    static let introspection = parsed(introspectionText)

    /// The texts are part of the program: one that does not parse is a mistake in it, which every test would meet.
    private static func parsed(_ text: String) -> Document {
        do {
            return try Document(parsing: Source(text), limits: .schema, sourceNumber: Int(UInt16.max))
        } catch {
            preconditionFailure("the prelude does not parse: \(error)")
        }
    }

    private static let standardText = """
        "Built-in ID"
        scalar ID

        "Built-in String"
        scalar String

        "Built-in Int"
        scalar Int

        "Built-in Float"
        scalar Float

        "Built-in Boolean"
        scalar Boolean

        "Directs the executor to include this field or fragment only when the `if` argument is true"
        directive @include("Included when true." if: Boolean!) on FIELD | FRAGMENT_SPREAD | INLINE_FRAGMENT

        "Directs the executor to skip this field or fragment when the `if` argument is true."
        directive @skip("Skipped when true." if: Boolean!) on FIELD | FRAGMENT_SPREAD | INLINE_FRAGMENT

        "This directive allows results to be deferred during execution"
        directive @defer on FIELD

        directive @deprecated(reason: String = "No longer supported") on FIELD_DEFINITION | ENUM_VALUE

        "The place of a scalar's specification."
        directive @specifiedBy("The address of the specification." url: String!) on SCALAR

        """

    /// Directives that AppSync understands and does not list.
    static let unlistedDirectives: Set<String> = ["specifiedBy"]

    private static let awsDirectivesText = """
        "Tells the service this field/object has access authorized by an API key."
        directive @aws_api_key on OBJECT | FIELD_DEFINITION

        "Tells the service this field/object has access authorized by sigv4 signing."
        directive @aws_iam on OBJECT | FIELD_DEFINITION

        "Tells the service this field/object has access authorized by an OIDC token."
        directive @aws_oidc on OBJECT | FIELD_DEFINITION

        "Tells the service this field/object has access authorized by a Lambda Authorizer."
        directive @aws_lambda on OBJECT | FIELD_DEFINITION

        "Tells the service this field/object has access authorized by a Cognito User Pools token."
        directive @aws_cognito_user_pools(
          "List of cognito user pool groups which have access on this field"
          cognito_groups: [String]
        ) on OBJECT | FIELD_DEFINITION

        "Directs the schema to enforce authorization on a field"
        directive @aws_auth(
          "List of cognito user pool groups which have access on this field"
          cognito_groups: [String]
        ) on FIELD_DEFINITION

        "Tells the service which mutation triggers this subscription."
        directive @aws_subscribe(
          "List of mutations which will trigger this subscription when they are called."
          mutations: [String]
        ) on FIELD_DEFINITION

        "Tells the service which subscriptions will be published to when this mutation is called. This directive is deprecated use @aws_susbscribe directive instead."
        directive @aws_publish(
          "List of subscriptions which will be published to when this mutation is called."
          subscriptions: [String]
        ) on FIELD_DEFINITION

        """

    private static let introspectionText = """
        "A GraphQL Introspection defines the capabilities of a GraphQL server. It exposes all available types and directives on the server, the entry points for query, mutation, and subscription operations."
        type __Schema {
          description: String
          "A list of all types supported by this server."
          types: [__Type!]!
          "The type that query operations will be rooted at."
          queryType: __Type!
          "If this server supports mutation, the type that mutation operations will be rooted at."
          mutationType: __Type
          "'A list of all directives supported by this server."
          directives: [__Directive!]!
          "'If this server support subscription, the type that subscription operations will be rooted at."
          subscriptionType: __Type
        }

        type __Type {
          kind: __TypeKind!
          name: String
          description: String
          fields(includeDeprecated: Boolean = false): [__Field!]
          interfaces: [__Type!]
          possibleTypes: [__Type!]
          enumValues(includeDeprecated: Boolean = false): [__EnumValue!]
          inputFields(includeDeprecated: Boolean = true): [__InputValue!]
          ofType: __Type
          specifiedByURL: String
          specifiedByUrl: String @deprecated(reason: "Use specifiedByURL")
          isOneOf: Boolean
        }

        "An enum describing what kind of type a given __Type is"
        enum __TypeKind {
          "Indicates this type is a scalar."
          SCALAR
          "Indicates this type is an object. `fields` and `interfaces` are valid fields."
          OBJECT
          "Indicates this type is an interface. `fields` and `possibleTypes` are valid fields."
          INTERFACE
          "Indicates this type is a union. `possibleTypes` is a valid field."
          UNION
          "Indicates this type is an enum. `enumValues` is a valid field."
          ENUM
          "Indicates this type is an input object. `inputFields` is a valid field."
          INPUT_OBJECT
          "Indicates this type is a list. `ofType` is a valid field."
          LIST
          "Indicates this type is a non-null. `ofType` is a valid field."
          NON_NULL
        }

        type __Field {
          name: String!
          description: String
          args(includeDeprecated: Boolean = true): [__InputValue!]!
          type: __Type!
          isDeprecated: Boolean!
          deprecationReason: String
        }

        type __InputValue {
          name: String!
          description: String
          type: __Type!
          defaultValue: String
          isDeprecated: Boolean!
          deprecationReason: String
        }

        type __EnumValue {
          name: String!
          description: String
          isDeprecated: Boolean!
          deprecationReason: String
        }

        type __Directive {
          name: String
          description: String
          locations: [__DirectiveLocation!]
          args(includeDeprecated: Boolean = true): [__InputValue!]!
          isRepeatable: Boolean!
          onOperation: Boolean @deprecated(reason: "Use `locations`.")
          onFragment: Boolean @deprecated(reason: "Use `locations`.")
          onField: Boolean @deprecated(reason: "Use `locations`.")
        }

        "An enum describing valid locations where a directive can be placed"
        enum __DirectiveLocation {
          "Indicates the directive is valid on queries."
          QUERY
          "Indicates the directive is valid on mutations."
          MUTATION
          "Indicates the directive is valid on subscriptions."
          SUBSCRIPTION
          "Indicates the directive is valid on fields."
          FIELD
          "Indicates the directive is valid on fragment definitions."
          FRAGMENT_DEFINITION
          "Indicates the directive is valid on fragment spreads."
          FRAGMENT_SPREAD
          "Indicates the directive is valid on inline fragments."
          INLINE_FRAGMENT
          "Indicates the directive is valid on variable definitions."
          VARIABLE_DEFINITION
          "Indicates the directive is valid on a schema SDL definition."
          SCHEMA
          "Indicates the directive is valid on a scalar SDL definition."
          SCALAR
          "Indicates the directive is valid on an object SDL definition."
          OBJECT
          "Indicates the directive is valid on a field SDL definition."
          FIELD_DEFINITION
          "Indicates the directive is valid on a field argument SDL definition."
          ARGUMENT_DEFINITION
          "Indicates the directive is valid on an interface SDL definition."
          INTERFACE
          "Indicates the directive is valid on an union SDL definition."
          UNION
          "Indicates the directive is valid on an enum SDL definition."
          ENUM
          "Indicates the directive is valid on an enum value SDL definition."
          ENUM_VALUE
          "Indicates the directive is valid on an input object SDL definition."
          INPUT_OBJECT
          "Indicates the directive is valid on an input object field SDL definition."
          INPUT_FIELD_DEFINITION
        }
        """
}
