import Access
import Crypto
import GraphQL
import JSON
import Resolvers

/// Steps around an operation of a model, or in its place.
///
///     before   Amplify's own first step: the stash
///     init, preAuth
///     rules    of the schema, which steps can narrow and never widen
///     auth, postAuth, preDataLoad or preUpdate
///     main     what Amplify makes, with what steps have left for it; or the app's own
///     postDataLoad or postUpdate, finish
extension ResolverRun {
    mutating func outcome(of operation: ChangedOperation) async throws(CallFailure) -> FieldOutcome {
        guard let planned = call.operation else {
            throw CallFailure(
                "\(program.fieldName) on type \(program.typeName) is no operation that runs here",
                type: "NotImplemented")
        }
        begin(operation)
        var change = OperationChange()
        var ownFilter: JSONValue?
        var value = context.previous ?? .null
        for part in program.parts {
            switch part {
            case .rules:
                do throws(FieldFailure) {
                    let input = context.arguments["input"]?.object
                    let permission = try await planned.permission(arguments, isReplaced: program.isReplaced)
                    change.checkedInput = input
                    ownFilter = take(permission)
                } catch {
                    return .value(.null, errors: errors + [planned.error(error)])
                }
            case .operation:
                take(into: &change, leaving: ownFilter)
                let outcome = await planned.outcome(change, isWhole: program.readsWholeRecords)
                guard program.readsWholeRecords else { return outcome.beside(errors) }
                guard let whole = whole(outcome) else { return .value(.null, errors: errors + outcome.errors) }
                value = whole
            case .before(let step):
                switch try await run(try step.code.get(), .request) {
                case .value(let before): value = before
                case .early(let early, _): return .value(early, errors: errors)
                case .failed(let error): return .value(.null, errors: errors + [self.error(error)])
                }
            case .step(let step):
                let isAnswer = !step.hasRequest && step.role == .main
                switch try await isAnswer ? answering(step, value) : run(step) {
                case .goesOn(let result): value = result
                case .ends(let result): return .value(result, errors: errors)
                case .failed(let error): return .value(.null, errors: errors + [self.error(error)])
                }
            }
            context.previous = value
        }
        return .value(value, errors: errors)
    }

    private var arguments: JSONObject { context.arguments.object ?? JSONObject() }

    private mutating func begin(_ operation: ChangedOperation) {
        let isFirst = program.steps.contains { $0.role == .slot(.initial, number: 1) }
        context.stash = operation.stash(
            program.typeName, program.fieldName, table: tableName, apiID: place.directory.services?.apiID ?? "",
            fillsDefaults: !isFirst, arguments, now: Timestamp.now.text
        ) { RecordID.make(milliseconds: Timestamp.now.millisecondsSince1970) }
        context.previous = .object(JSONObject())
    }

    private var tableName: String {
        for step in program.steps { if case .table(let name, _) = step.source { return name } }
        return ""
    }

    /// Takes what the rules say to where Amplify's own step leaves it. Gives the filter that it leaves.
    private mutating func take(_ permission: OperationPermission) -> JSONValue? {
        context.stash.set("hasAuth", to: true)
        if !permission.filling.isEmpty {
            var arguments = arguments
            var input = arguments["input"]?.object ?? JSONObject()
            for member in permission.filling { input.set(member.key, to: member.value) }
            arguments.set("input", to: .object(input))
            context.arguments = .object(arguments)
        }
        guard let filter = permission.filter?.authFilter else { return nil }
        context.stash.set("authFilter", to: filter)
        return filter
    }

    /// What steps have left for the operation. The rules hold in any case: their own filter need not be asked twice.
    private func take(into change: inout OperationChange, leaving own: JSONValue?) {
        change.arguments = arguments
        change.defaults = context.stash["defaultValues"]?.object ?? JSONObject()
        change.conditions = (context.stash["conditions"]?.array ?? []).filter { !$0.isEmptyCondition }
        if let filter = context.stash["authFilter"], filter != own, !filter.isEmptyCondition {
            // A list of them is an alternative, as in Amplify's own.
            change.filters = [filter.array.map { ["or": .array($0)] } ?? filter]
        }
    }

    /// The value of an operation as steps behind it get it; nil where it failed. What the caller may not see of it is null: that is
    /// no failure of what they have not asked for.
    private func whole(_ outcome: FieldOutcome) -> JSONValue? {
        let value: JSONValue
        switch outcome {
        case .value(let given, _): value = given
        case .written(let bytes, _):
            guard let bytes, let read = try? JSONReader.value(of: bytes) else { return nil }
            value = read
        }
        if value.isNull, outcome.errors.contains(where: { $0.path == call.path }) { return nil }
        return value
    }

    /// A template for the answer of what Amplify's own request gives.
    private mutating func answering(
        _ step: ResolverProgram.Step, _ value: JSONValue
    ) async throws(CallFailure) -> StepEnd {
        context.result = value
        context.error = nil
        switch try await run(try step.code.get(), .response) {
        case .failed(let error): return .failed(error)
        case .early(let value, let skipsToEnd): return skipsToEnd ? .ends(value) : .goesOn(value)
        case .value(let value): return .goesOn(value)
        }
    }
}

extension JSONValue {
    /// True if it asks for nothing.
    fileprivate var isEmptyCondition: Bool {
        switch self {
        case .null: true
        case .object(let object): object.isEmpty
        case .array(let elements): elements.isEmpty
        default: false
        }
    }
}
