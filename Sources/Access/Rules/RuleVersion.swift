import Blueprint

/// What the rules of a schema mean: which version of Amplify's transformer they are written for. Both read the same
/// `@auth`, and mean different things by it. What differs is asked here, and nowhere else.
///
///     version 2: rules grant                          version 1: rules guard
///     what no rule allows is denied                   an operation that no rule names is open to the default mode
///     a list that nothing is admitted to is denied    it is empty
///     somebody else's record is denied to writers     writing it is a failed condition
///     a rule on a field takes the model's place       it is asked beside the model's, about that field alone
///     owners by `sub::username`                       owners by the user name; a claim is one, whatever its name
///     an owner in the key is compared with arguments  records are compared
///     relations are emptied in mutations              they are not
///     on fields of no record only static rules count  only named groups are asked; the others admit their mode
enum RuleVersion: Sendable {
    /// Version 2.
    case granting
    /// Version 1, with the operations that it leaves open where no rule names them.
    case guarding(OpenOperations)

    init(_ settings: Settings) {
        self = settings.transformerVersion == 1 ? .guarding(settings.version1OpenOperations) : .granting
    }

    /// How a claim names an owner.
    func ownerClaim(_ name: String) -> OwnerClaim {
        switch self {
        case .granting: OwnerClaim(name)
        case .guarding: OwnerClaim(whole: name)
        }
    }

    /// Gives every claim its number that rules of a model compare.
    func number(claimsOf model: Model, in claims: inout ClaimTable) {
        switch self {
        case .granting: for role in model.matrix?.roles ?? [] { _ = RoleTest(role, &claims) }
        case .guarding(let open): _ = NamedRules(model, open: open, defaultMode: nil).all(&claims)
        }
    }

    /// The checks of a model.
    func access(
        to model: Model, in blueprint: Blueprint, _ claims: inout ClaimTable, _ gates: GateTable
    ) -> ModelAccess {
        switch self {
        case .granting: ModelAccess(granting: model, in: blueprint, &claims, gates)
        case .guarding(let open): ModelAccess(guarding: model, in: blueprint, open: open, &claims, gates)
        }
    }

    /// Who meets the rules of a field that belongs to no record: of a custom type, or of a root type.
    func tests(ofFieldWithoutRecord rules: [AccessRule], _ claims: inout ClaimTable) -> [RoleTest] {
        switch self {
        case .granting: rules.flatMap { RoleTest.tests($0, &claims) }
        case .guarding: NamedRules.tests(ofFieldWithoutRecord: rules, &claims)
        }
    }

    /// What each operation of a model demands of principals.
    func demands(of model: Model) -> (OperationSet) -> IAMDemand {
        switch self {
        case .granting:
            let demand = IAMDemand(model.matrix?.roles ?? [])
            return { _ in demand }
        case .guarding:
            return { operation in
                let ofField: OperationSet? =
                    operation.isSubset(of: [.get, .list]) ? .read : operation == .indirectRead ? nil : operation
                let fieldRules = model.fields.flatMap { field in
                    ofField.map { (field.rules ?? []).naming($0) } ?? []
                }
                return IAMDemand((model.rules ?? []).naming(operation) + fieldRules)
            }
        }
    }

    /// What the type of a model demands of them.
    func demand(ofType model: Model) -> IAMDemand {
        switch self {
        case .granting: IAMDemand(model.matrix?.roles ?? [])
        case .guarding: IAMDemand((model.rules ?? []) + model.fields.flatMap { $0.rules ?? [] })
        }
    }
}
