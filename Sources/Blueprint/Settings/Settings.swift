/// The modes and switches of an Amplify project that change its API.
package struct Settings: Sendable, Hashable {
    /// The mode of callers that say nothing else.
    package var defaultMode: AuthMode = .apiKey
    package var additionalModes: [AuthMode] = []
    /// How conflicts are resolved for the project; nil for no conflict detection.
    package var conflictStrategy: ConflictStrategy?
    /// The same for single models, over the project's.
    package var conflictStrategies: [String: ConflictStrategy] = [:]
    /// True if events carry relations whatever the rules of the other side say.
    package var subscriptionsInheritPrimaryAuth = false
    /// True if an index on the table's own partition key is a global one; otherwise it is local.
    package var secondaryKeyAsGSI = true
    /// True if an index without `queryField` gets a query.
    package var enableAutoIndexQueryNames = true
    /// True if an implicit foreign key is named and typed after the key it repeats; otherwise as if that were `id: ID`.
    package var respectPrimaryKeyAttributesOnConnectionField = true
    /// True if a creator that a static rule admits becomes the owner.
    package var populateOwnerFieldForStaticGroupAuth = true
    /// True if the identity of an owner is `sub::username`; otherwise `username`.
    package var useSubUsernameForDefaultIdentityClaim = true
    /// True if the patterns of Gen 1 pass without a warning.
    package var allowGen1Patterns = true
    /// True if IAM principals without a Cognito identity may do everything.
    package var enableIamAccess = false
    /// True if a partial argument of `@model` is merged with the defaults; otherwise it replaces them.
    package var shouldDeepMergeDirectiveConfigDefaults = true
    /// The version of the transformer that the schema was written for: 1 allows `@connection`, `@key`, `@versioned`.
    package var transformerVersion = 2
    /// True if a version 1 project forms plurals by rules; otherwise it adds an s.
    package var improvePluralization = false
    /// True if version 1 adds owner fields to types that do not declare them; otherwise only where subscriptions need them.
    package var addMissingOwnerFields = false
    /// True if version 1 keeps an input of the author's that has the name of one of a `@key`; otherwise the key's takes its place.
    package var skipOverrideMutationInputTypes = false
    /// True if version 1 refuses models that have the name of a type of its own.
    package var validateTypeNameReservedWords = true
    /// Which operations version 1 opens to the default mode where no rule names them.
    package var version1OpenOperations = OpenOperations.all

    /// The plug-ins of the project's transformer, which bring directives that nothing here knows.
    package var plugIns: [String] = []

    /// The settings of a Gen 2 project, and of a schema that lies in no project.
    package init() {}

    /// The settings of a Gen 1 project that says nothing itself, by the version of its transformer.
    package init(silentProjectOfVersion version: Int) {
        transformerVersion = version
        enableAutoIndexQueryNames = false
        respectPrimaryKeyAttributesOnConnectionField = false
        secondaryKeyAsGSI = false
        shouldDeepMergeDirectiveConfigDefaults = false
        // Version 1 knows owners by their user names alone, and whoever creates a record always becomes its owner.
        useSubUsernameForDefaultIdentityClaim = version != 1
        populateOwnerFieldForStaticGroupAuth = version == 1
    }

    /// All modes of the API, the default first.
    package var modes: [AuthMode] { [defaultMode] + additionalModes }

    /// True if any model is synced: then all are.
    package var isSynced: Bool { conflictStrategy != nil || !conflictStrategies.isEmpty }

    /// The plural in the names of list queries.
    package func plural(of word: String) -> String {
        transformerVersion == 1 && !improvePluralization ? word + "s" : Plural.of(word)
    }

    /// The claim that identifies owners when a rule names none.
    package var defaultIdentityClaim: String {
        useSubUsernameForDefaultIdentityClaim && transformerVersion != 1 ? "sub::username" : "username"
    }
}

/// A way in which callers of an AppSync API prove who they are.
package enum AuthMode: String, Sendable, Hashable, CaseIterable {
    case apiKey = "API_KEY"
    case iam = "AWS_IAM"
    case oidc = "OPENID_CONNECT"
    case userPools = "AMAZON_COGNITO_USER_POOLS"
    case lambda = "AWS_LAMBDA"

    /// The directive that admits it to a field or type.
    package var directiveName: String {
        switch self {
        case .apiKey: "aws_api_key"
        case .iam: "aws_iam"
        case .oidc: "aws_oidc"
        case .userPools: "aws_cognito_user_pools"
        case .lambda: "aws_lambda"
        }
    }

    /// What messages call it.
    package var label: String {
        switch self {
        case .apiKey: "API Key"
        case .iam: "IAM"
        case .oidc: "OPENID_CONNECT"
        case .userPools: "Cognito User Pools"
        case .lambda: "Lambda"
        }
    }
}

/// How a change to a record that changed meanwhile is treated.
package enum ConflictStrategy: Sendable, Hashable {
    case automerge
    case optimisticConcurrency
    /// Who decides is asked by HTTP.
    case lambda(url: String)

    /// The strategies that need no more than a name, by that name.
    package static let named: [String: ConflictStrategy] = [
        "AUTOMERGE": .automerge, "OPTIMISTIC_CONCURRENCY": .optimisticConcurrency,
    ]
}
