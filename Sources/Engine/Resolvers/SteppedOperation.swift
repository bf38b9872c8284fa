import Access
import GraphQL
import JSON

/// What the app's own steps stand around: an operation of a model, a relation, what a directive says of a field.
protocol SteppedOperation: Sendable {
    /// What the rules of the schema say to the caller before it runs.
    ///
    /// - Parameter isReplaced: whether it does not run itself, so that nobody asks them again.
    func permission(_ arguments: JSONObject, isReplaced: Bool) async throws(FieldFailure) -> OperationPermission

    /// Runs it as steps have changed it.
    ///
    /// - Parameter isWhole: whether steps behind it want all of the records.
    func outcome(_ change: OperationChange, isWhole: Bool) async -> FieldOutcome

    /// A failure as an error at its place.
    func error(_ failure: FieldFailure) -> GraphQLError
}

/// What rules say before a record is looked at.
struct OperationPermission: Sendable {
    /// What becomes of the input: the owners.
    var filling = JSONObject()
    /// What records must meet that are shown.
    var filter: AccessPredicate?

    /// Of a decision about records.
    init(_ decision: Decision, isReplaced: Bool, refusal: FieldFailure) throws(FieldFailure) {
        switch decision {
        case .allow: break
        case .deny: throw refusal
        case .filter(let predicate) where isReplaced && predicate.isOfNothing: throw refusal
        case .filter(let predicate): filter = predicate
        case .narrow(let conditions):
            guard isReplaced else { return }
            guard conditions.count == 1, let condition = conditions.first else { throw refusal }
            filter = AccessPredicate(anyOf: [
                .init(field: condition.field, values: [condition.value], isList: false)
            ])
        }
    }

    init(filling: JSONObject = JSONObject()) { self.filling = filling }
}

/// A relation that steps stand around, of one record.
struct PlannedRelation: SteppedOperation {
    private let values: HoleValues
    private let asked: Int
    private let whole: Int?
    private let source: JSONObject
    private let path: ResponsePath
    private let locations: [SourceLocation]?

    init(
        _ values: HoleValues, asked: Int, whole: Int?, of source: JSONObject, at path: ResponsePath,
        _ locations: [SourceLocation]?
    ) {
        self.values = values
        self.asked = asked
        self.whole = whole
        self.source = source
        self.path = path
        self.locations = locations
    }

    func permission(_ arguments: JSONObject, isReplaced: Bool) async throws(FieldFailure) -> OperationPermission {
        guard let check = values.relation(asked).source.relationCheck else { return OperationPermission() }
        let refusal = FieldFailure.unauthorized(check.field, on: check.model)
        // What mutations do not show of it nobody else shows either.
        if isReplaced, values.isMutation, check.access.isEmptiedInMutations { throw refusal }
        let decision = check.access.decision(for: values.caller) { source[$0]?.string }
        return try OperationPermission(decision, isReplaced: isReplaced, refusal: refusal)
    }

    func outcome(_ change: OperationChange, isWhole: Bool) async -> FieldOutcome {
        await values.followRelation(isWhole ? whole ?? asked : asked, of: source, at: path, changedBy: change)
    }

    func error(_ failure: FieldFailure) -> GraphQLError {
        GraphQLError(
            failure.message, type: failure.type, info: failure.info, data: failure.data, at: path, locations: locations)
    }
}

extension FieldPlan.Source {
    /// What it asks of a caller, where it is a relation.
    fileprivate var relationCheck: RelationCheck? {
        switch self {
        case .toOne(let plan): plan.check
        case .toMany(let plan): plan.check
        default: nil
        }
    }
}

/// What a directive says of a field, where steps stand around it: a function, say.
struct PlannedCall: SteppedOperation {
    private let program: FieldProgram
    private let call: FieldCall
    private let place: CallPlace

    init(_ program: FieldProgram, _ call: FieldCall, _ place: CallPlace) {
        self.program = program
        self.call = call
        self.place = place
    }

    /// The rules of the schema have been asked before any step.
    func permission(_ arguments: JSONObject, isReplaced: Bool) async throws(FieldFailure) -> OperationPermission {
        OperationPermission()
    }

    func outcome(_ change: OperationChange, isWhole: Bool) async -> FieldOutcome {
        var call = call
        call.arguments = change.arguments
        return await program.outcome(of: call, over: place)
    }

    func error(_ failure: FieldFailure) -> GraphQLError {
        GraphQLError(
            failure.message, type: failure.type, info: failure.info, data: failure.data, at: call.path,
            locations: call.locations)
    }
}
