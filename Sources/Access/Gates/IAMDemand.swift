import Blueprint
import GraphQL

/// Which principals lack the IAM policy for what an operation names.
///
/// Amplify gives the two roles of the identity pool a policy for all operations of the models that have a rule for
/// them, whatever the rule's operations. Who selects anything else gets the whole request refused. A plan unites the
/// demands of its fields and asks once.
package struct IAMDemand: OptionSet, Sendable, Hashable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    package static let guestsLackPolicy = IAMDemand(rawValue: 1)
    package static let signedInLackPolicy = IAMDemand(rawValue: 2)

    /// Whether the caller's policy covers the operation. Callers of other modes need none.
    package func isMet(by caller: Caller) -> Bool {
        let isMet =
            switch caller.identity.principal?.role {
            case nil, .administrator?: true
            case .authenticated?: !contains(.signedInLackPolicy)
            case .unauthenticated?: !contains(.guestsLackPolicy)
            }
        if !isMet {
            caller.trace?.note(
                "the role's IAM policy", isMet: false,
                "something that is selected has no rule for the identity pool and \(caller.identity.name)")
        }
        return isMet
    }

    /// What rules with these strategies for the identity pool leave out.
    private init(isPublic: Bool, isPrivate: Bool) {
        self = isPublic ? [] : isPrivate ? .guestsLackPolicy : [.guestsLackPolicy, .signedInLackPolicy]
    }

    init(_ roles: [Role]) {
        let strategies = roles.filter { $0.provider.mode == .iam }.map(\.strategy)
        self.init(isPublic: strategies.contains(.public), isPrivate: strategies.contains(.private))
    }

    init(_ rules: [AccessRule]) {
        let strategies = rules.filter { $0.provider.mode == .iam }.map(\.strategy)
        self.init(isPublic: strategies.contains(.public), isPrivate: strategies.contains(.private))
    }
}

/// The demands of the fields of a schema.
struct IAMDemands: Sendable {
    private var rootFields: [String: IAMDemand] = [:]
    private var types: [String: IAMDemand] = [:]

    init(_ blueprint: Blueprint) {
        let admits: ([Directive]) -> Bool = { $0.contains(named: AuthMode.iam.directiveName) }
        for model in blueprint.models where !admits(model.directives) {
            let demand = IAMDemand(model.matrix?.roles ?? [])
            // Only what some principal has a policy for carries permissions at all.
            types[model.name] = demand == .guestsLackPolicy ? demand : []
            for name in model.rootFields(of: blueprint.roots) { rootFields[name] = demand }
        }
        for operation in OperationType.allCases {
            let root = blueprint.roots.name(of: operation)
            for field in blueprint.customOperations(operation) {
                guard let rules = field.rules, !admits(field.directives) else { continue }
                rootFields["\(root).\(field.name)"] = IAMDemand(rules)
            }
        }
    }

    func demand(type: String, field: String) -> IAMDemand {
        rootFields["\(type).\(field)"] ?? types[type] ?? []
    }
}

extension Model {
    /// The fields of the root types that are its operations, as `Query.getPost`.
    fileprivate func rootFields(of roots: RootTypes) -> [String] {
        let queries = [operations.get, operations.list, operations.sync, search?.name] + indexes.map(\.query)
        let mutations = [operations.create, operations.update, operations.delete]
        return queries.compactMap { $0.map { "\(roots.query).\($0)" } }
            + mutations.compactMap { $0.map { "\(roots.mutation).\($0)" } }
            + operations.subscriptions.map { "\(roots.subscription).\($0.name)" }
    }
}
