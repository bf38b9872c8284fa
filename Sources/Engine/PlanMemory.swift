import Access
import GraphQL
import JSON
import Store

/// What one loop remembers of a plan from one request to the next: work that comes out the same for the same caller or
/// the same arguments. A part of the loop's `PlanCache`, and gone with the plan.
final class PlanMemory {
    let plan: OperationPlan
    /// The operation's number among the schema's root fields.
    let number: Int
    /// Variables of the early form of a query by key; mostly none.
    private let earlyVariables: [EarlyGetVariable]
    private var lastVerdicts: (caller: Caller, verdicts: Verdicts)?
    private var pages: [Page?]
    /// True if it asks so much about the schema that only what was prepared beside the loop says how much.
    let isLongIntrospection: Bool
    /// The size of the last response, which the next one is likely to have.
    var responseBytes = PlanMemory.responseBytesMin

    private static let responseBytesMin = 512
    /// The most that is taken for a response before any of it is written.
    static let responseBytesMax = 1 << 20

    /// The text of a page, and what it was made for.
    private struct Page {
        let prepared: PreparedList
        let access: Predicate
        /// The fields that were compared, and what that asked of the records for that caller.
        let compared: (fields: [FieldRight], asks: Predicate)
        let arguments: [UInt8]
        let hasKey: Bool
        let isDescending: Bool
    }

    /// `isLong` says that the operation was planned beside the loop.
    init(
        _ plan: OperationPlan, _ rootFields: RootFields, earlyVariables: [EarlyGetVariable] = [], isLong: Bool = false
    ) {
        self.plan = plan
        isLongIntrospection = isLong && plan.asksOfSchema
        number = rootFields.number(of: plan.operation.operation, plan.fields.lazy.map(\.name))
        self.earlyVariables = earlyVariables
        pages = Array(repeating: nil, count: plan.listCount * 2)
    }

    /// What the plan's checks say to a caller. Hot path: the same one often asks again.
    func verdicts(for caller: Caller) -> Verdicts {
        if let lastVerdicts, lastVerdicts.caller === caller { return lastVerdicts.verdicts }
        let verdicts = Verdicts(plan.checks, for: caller)
        lastVerdicts = (caller, verdicts)
        return verdicts
    }

    /// What the operation sees of the values that a client sent.
    func variables(_ sent: JSONObject) throws(GraphQLError) -> VariableValues {
        guard !earlyVariables.isEmpty else {
            return try Phases.coerceVariables(sent, of: plan.variables)
        }
        var values = sent
        for variable in earlyVariables { try variable.expand(in: &values, of: plan.operation, in: plan.document) }
        return try Phases.coerceVariables(values, of: plan.variables)
    }

    // MARK: Pages

    /// A page of a list as it was made for the last request, when nothing differs but the partition and where it goes on.
    /// `access` is what the caller may see of it. Who may not compare what that one did gets nothing from here.
    func page(
        of list: ListPlan, _ arguments: JSONObject, _ choice: KeyArguments.Choice, _ access: Predicate,
        for caller: Caller, isFirst: Bool
    ) -> PreparedList? {
        guard let page = pages[Self.place(of: list, isFirst: isFirst)], choice.key?.sort == nil,
            page.hasKey == (choice.key != nil),
            page.isDescending == choice.isDescending,
            page.access == access, page.arguments == Self.bytes(of: arguments),
            let asks = try? FilterRights.predicate(page.compared.fields, for: caller), asks == page.compared.asks
        else { return nil }
        var prepared = page.prepared
        if let key = choice.key { prepared.move(to: key.partition) }
        return prepared
    }

    func remember(
        _ prepared: PreparedList, of list: ListPlan, _ arguments: JSONObject, _ choice: KeyArguments.Choice,
        _ access: Predicate, _ compared: (fields: [FieldRight], asks: Predicate), isFirst: Bool
    ) {
        guard choice.key?.sort == nil else { return }
        pages[Self.place(of: list, isFirst: isFirst)] = Page(
            prepared: prepared, access: access, compared: compared, arguments: Self.bytes(of: arguments),
            hasKey: choice.key != nil,
            isDescending: choice.isDescending)
    }

    /// The first page of a list and those that go on have a text each.
    private static func place(of list: ListPlan, isFirst: Bool) -> Int { list.number * 2 + (isFirst ? 0 : 1) }

    /// What a page depends on beside its key. As bytes: two texts that mean the same to Unicode are two to a database.
    private static func bytes(of arguments: JSONObject) -> [UInt8] {
        var bytes: [UInt8] = []
        JSONWriter.write(arguments["filter"] ?? .null, to: &bytes)
        JSONWriter.write(arguments["limit"] ?? .null, to: &bytes)
        return bytes
    }
}
