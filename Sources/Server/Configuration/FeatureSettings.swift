import Blueprint

/// The project's settings that change its API: feature flags and transformer parameters of an Amplify project.
package struct FeatureSettings: Sendable, Equatable {
    /// Which transformer the schema is written for: 1 knows `@connection`, `@key` and `@versioned`.
    package var transformerVersion: Int
    package var version1OpenOperations: OpenOperations
    package var subscriptionsInheritPrimaryAuth: Bool
    package var conflictDetection: ConflictDetection?
    /// For single models, over the project's.
    package var conflictDetectionModels: [String: ConflictDetection]
    package var listSemantics: ListSemantics
    package var secondaryKeyAsGSI: Bool
    package var enableAutoIndexQueryNames: Bool
    package var respectPrimaryKeyAttributesOnConnectionField: Bool
    package var populateOwnerFieldForStaticGroupAuth: Bool
    package var useSubUsernameForDefaultIdentityClaim: Bool
    package var allowGen1Patterns: Bool
    package var enableIamAccess: Bool
}

/// How two changes of one record are brought together.
package enum ConflictDetection: Sendable, Equatable {
    case automerge
    case optimisticConcurrency
    /// A function at that URL decides.
    case lambda(url: String)

    static let names = ["AUTOMERGE", "OPTIMISTIC_CONCURRENCY"]
}

/// What a page of a list holds.
package enum ListSemantics: String, Sendable, CaseIterable {
    /// `limit` records are read, then filtered, as AppSync does over DynamoDB: a page can be short.
    case appsync
    /// A page holds `limit` records that match and may be seen.
    case filled
}
