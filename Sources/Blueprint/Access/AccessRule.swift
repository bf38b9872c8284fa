import GraphQL

/// One rule of `@auth`: somebody may do something. Rules only ever allow; what no rule allows is denied.
package struct AccessRule: Sendable, Hashable {
    /// Who is meant.
    package enum Strategy: String, Sendable, CaseIterable {
        case owner, groups, `private`, `public`, custom

        /// The provider when a rule names none.
        package var defaultProvider: Provider {
            switch self {
            case .owner, .groups, .private: .userPools
            case .public: .apiKey
            case .custom: .function
            }
        }
    }

    /// How the caller proves who they are.
    package enum Provider: String, Sendable, CaseIterable {
        case apiKey, iam, identityPool, oidc, userPools, function

        /// The mode of the API that admits such callers.
        package var mode: AuthMode {
            switch self {
            case .apiKey: .apiKey
            case .iam, .identityPool: .iam
            case .oidc: .oidc
            case .userPools: .userPools
            case .function: .lambda
            }
        }
    }

    package let strategy: Strategy
    /// As the rule spells it: `iam` is the old name of `identityPool`, and redaction tells them apart.
    package let provider: Provider
    package let ownerField: String?
    package let groupsField: String?
    /// The groups of a static rule; nil for a rule that reads them from a field.
    package let groups: [String]?
    package let identityClaim: String?
    package let groupClaim: String?
    package let operations: OperationSet
    package let position: Position

    package static let defaultOwnerField = "owner"
    package static let defaultGroupsField = "groups"
    package static let defaultGroupClaim = "cognito:groups"
    package static let claimSeparator = "::"

    package init(
        strategy: Strategy, provider: Provider? = nil, ownerField: String? = nil, groupsField: String? = nil,
        groups: [String]? = nil, identityClaim: String? = nil, groupClaim: String? = nil,
        operations: OperationSet = .all, position: Position = .none
    ) {
        self.strategy = strategy
        self.provider = provider ?? strategy.defaultProvider
        self.ownerField = ownerField
        self.groupsField = groupsField
        self.groups = groups
        self.identityClaim = identityClaim
        self.groupClaim = groupClaim
        self.operations = operations
        self.position = position
    }

    /// True if it compares the caller with a field of the record. Version 1 of the transformer lets a rule for groups name
    /// neither them nor a field: then it is the default field.
    package var isDynamic: Bool { strategy == .owner || (strategy == .groups && groups == nil) }
}

/// What can be done to a model, as a set.
package struct OperationSet: OptionSet, Sendable, Hashable {
    package let rawValue: UInt16

    package init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    package static let create = OperationSet(rawValue: 1 << 0)
    package static let update = OperationSet(rawValue: 1 << 1)
    package static let delete = OperationSet(rawValue: 1 << 2)
    package static let get = OperationSet(rawValue: 1 << 3)
    package static let list = OperationSet(rawValue: 1 << 4)
    package static let listen = OperationSet(rawValue: 1 << 5)
    package static let search = OperationSet(rawValue: 1 << 6)
    package static let sync = OperationSet(rawValue: 1 << 7)

    /// What `read` stands for.
    package static let read: OperationSet = [.get, .list, .listen, .search, .sync]
    package static let all: OperationSet = [.create, .update, .delete, .read]
    /// What version 1 of the transformer means by reading, besides get and list: queries by a key, relations, search, sync
    /// and subscriptions. A rule has all of it or nothing.
    package static let indirectRead: OperationSet = [.listen, .search, .sync]

    /// The operations of that name in `operations:`; nil for a name that is none.
    package init?(name: String) {
        switch name {
        case "create": self = .create
        case "update": self = .update
        case "delete": self = .delete
        case "get": self = .get
        case "list": self = .list
        case "listen": self = .listen
        case "search": self = .search
        case "sync": self = .sync
        case "read": self = .read
        default: return nil
        }
    }
}
