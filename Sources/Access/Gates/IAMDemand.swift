import Blueprint
import GraphQL
import JSON

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
    /// What functions need whose rule says what they may do (`allow.resource(fn).to([...])`).
    package static let query = IAMDemand(rawValue: 4)
    package static let mutate = IAMDemand(rawValue: 8)
    package static let listen = IAMDemand(rawValue: 16)

    private var operations: DataOperations {
        var operations: DataOperations = []
        if contains(.query) { operations.formUnion(.query) }
        if contains(.mutate) { operations.formUnion(.mutate) }
        if contains(.listen) { operations.formUnion(.listen) }
        return operations
    }

    /// Returns whether the caller's policy covers the operation. Callers of other modes need none.
    package func isMet(by caller: Caller) -> Bool {
        let isMet =
            switch caller.identity.principal?.role {
            case nil: true
            case .administrator?: caller.identity.principal?.operations?.isSuperset(of: operations) ?? true
            case .authenticated?:
                caller.identity.principal?.isInGroupRole == false && !contains(.signedInLackPolicy)
            case .unauthenticated?: !contains(.guestsLackPolicy)
            }
        if !isMet {
            caller.trace?.begin("the whole request")
            caller.trace?.note(
                "the role's IAM policy", isMet: false,
                caller.isAdministrator
                    ? "allow.resource lets \(caller.identity.name) do something else"
                    : "something that is selected has no rule for the identity pool and \(caller.identity.name)")
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
final class IAMDemands: Sendable {
    /// The fields of a root type, and their demands by the number of the field.
    private struct Root: Sendable {
        let type: String
        let operation: IAMDemand
        var fields = NameTable()
        var demands: [IAMDemand] = []

        mutating func set(_ demand: IAMDemand, of field: String) {
            let (isNew, number) = fields.insert(field)
            if isNew { demands.append(demand) } else { demands[number] = demand }
        }
    }

    private let roots: [Root]
    private let types: [ByteText: IAMDemand]

    init(_ blueprint: Blueprint, _ version: RuleVersion) {
        var types: [ByteText: IAMDemand] = [:]
        var roots = OperationType.allCases.map { operation in
            let demand: IAMDemand =
                switch operation {
                case .query: .query
                case .mutation: .mutate
                case .subscription: .listen
                }
            return Root(type: blueprint.roots.name(of: operation), operation: demand)
        }
        func set(_ demand: IAMDemand, of field: String?, in type: String) {
            guard let field, let place = roots.firstIndex(where: { $0.type == type }) else { return }
            roots[place].set(demand, of: field)
        }
        let admits: ([Directive]) -> Bool = { $0.contains(named: AuthMode.iam.directiveName) }
        for model in blueprint.models where !admits(model.directives) {
            let demand = version.demand(ofType: model)
            // Only what some principal has a policy for carries permissions at all.
            types[model.name] = demand == .guestsLackPolicy ? demand : []
            let operations = model.operations
            let demands = version.demands(of: model)
            for (name, operation) in [(operations.get, OperationSet.get), (operations.list, .list)] {
                set(demands(operation), of: name, in: blueprint.roots.query)
            }
            let read = demands(.indirectRead)
            for name in [operations.sync, model.search?.name] { set(read, of: name, in: blueprint.roots.query) }
            for index in model.indexes { set(read, of: index.query, in: blueprint.roots.query) }
            for (name, operation) in [
                (operations.create, OperationSet.create), (operations.update, .update), (operations.delete, .delete),
            ] {
                set(demands(operation), of: name, in: blueprint.roots.mutation)
            }
            for (name, _) in operations.subscriptions { set(read, of: name, in: blueprint.roots.subscription) }
        }
        for operation in OperationType.allCases {
            let root = blueprint.roots.name(of: operation)
            for field in blueprint.customOperations(operation) {
                guard let rules = field.rules, !admits(field.directives) else { continue }
                set(IAMDemand(rules), of: field.name, in: root)
            }
        }
        self.roots = roots
        self.types = types
    }

    func demand(type: String, field: String) -> IAMDemand {
        if let root = roots.first(where: { $0.type == type }) {
            return root.operation.union(root.fields[field].map { root.demands[$0] } ?? [])
        }
        return types[type] ?? []
    }
}
