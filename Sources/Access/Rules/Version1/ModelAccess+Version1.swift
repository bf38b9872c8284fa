import Blueprint
import JSON

extension ModelAccess {
    /// The checks as version 1 means them: each operation is guarded by the rules that name it, and a field's rules guard
    /// that field beside them.
    convenience init(
        guarding model: Model, in blueprint: Blueprint, open: OpenOperations, _ claims: inout ClaimTable,
        _ gates: GateTable
    ) {
        let usual = blueprint.settings.defaultMode
        let rules = NamedRules(model, open: open, defaultMode: usual)
        let name = model.name
        let all = rules.ofModel(&claims)
        func read(_ question: String, _ operation: OperationSet) -> ReadAccess {
            ReadAccess(
                question, .protected, rules.tests(for: operation, &claims), among: all, hidesFromStrangers: true)
        }
        func change(_ verb: String, _ operation: OperationSet) -> ChangeGuard {
            ChangeGuard("\(verb) \(name)", rules.tests(for: operation, &claims), among: all)
        }

        let fields = Self.guardedFields(of: model, rules, &claims)
        let rights = FieldRights(model, gates, fields.reads)
        let reads = Reads(
            get: read("get \(name)", .get), list: read("list \(name)", .list),
            sync: read("sync \(name)", .indirectRead),
            indexes: Dictionary(
                texts: model.indexes.compactMap { index in
                    index.query.map { ($0, read("query \(name) by \(index.name)", .indirectRead)) }
                }, uniquingKeysWith: { first, _ in first }),
            search: SearchAccess(
                records: read("search \(name)", .indirectRead),
                sums: Dictionary(
                    texts: fields.readers.map { field, tests in
                        (field, SumAccess("aggregate \(name).\(field)", tests, among: tests))
                    }, uniquingKeysWith: { first, _ in first }), rights))
        let creation = CreationGuard("create \(name)", rules.tests(for: .create, &claims), among: all)
        let writes = Writes(
            create: CreateAccess(CreationGuards(creation, fields: fields.creations)),
            update: UpdateAccess(
                UpdateGuards(change("update", .update), fields: fields.updates, removals: fields.removals)),
            delete: DeleteAccess(change("delete", .delete)))
        let listen = ListenAccess(
            "listen to \(name)", .protected, rules.tests(for: .indirectRead, &claims), among: all,
            isPublic: model.operations.level == .public, asksOwners: true)
        self.init(
            reads: reads, writes: writes, listen: listen,
            relations: Self.followed(of: model, in: blueprint, open: open, &claims), fields: fields.reads,
            rights: rights, shortenedOwners: [])
    }

    /// Relations are judged by the rules of the other side, in the results of mutations and in events as anywhere else.
    private static func followed(
        of model: Model, in blueprint: Blueprint, open: OpenOperations, _ claims: inout ClaimTable
    ) -> [ByteText: RelationAccess] {
        var relations: [ByteText: RelationAccess] = [:]
        for relation in model.relations {
            guard let target = blueprint.target(of: relation) else { continue }
            let rules = NamedRules(target, open: open, defaultMode: blueprint.settings.defaultMode)
            let access = ReadAccess(
                "follow \(model.name).\(relation.field)", .protected, rules.tests(for: .indirectRead, &claims),
                among: rules.ofModel(&claims), hidesFromStrangers: true)
            relations[relation.field] = RelationAccess(
                relation, access, isEmptiedInMutations: false,
                isInherited: blueprint.settings.subscriptionsInheritPrimaryAuth || relation.isRequired)
        }
        return relations
    }

    /// What rules on fields guard, by field.
    private struct GuardedFields {
        var reads: [ByteText: FieldAccess] = [:]
        var readers: [(String, [RoleTest])] = []
        var creations: [ByteText: CreationGuard] = [:]
        var updates: [ByteText: ChangeGuard] = [:]
        var removals: [ByteText: ChangeGuard] = [:]
    }

    private static func guardedFields(
        of model: Model, _ rules: NamedRules, _ claims: inout ClaimTable
    ) -> GuardedFields {
        var guarded = GuardedFields()
        let ruled = model.fields.filter { $0.rules != nil }
        guard !ruled.isEmpty else { return guarded }
        let nulls = nulls(of: model, ruled)
        for field in ruled {
            let (name, place) = (field.name, "\(model.name).\(field.name)")
            func tests(_ operation: OperationSet) -> [RoleTest]? { rules.tests(of: field, for: operation, &claims) }
            if let tests = tests(.read) {
                guarded.reads[name] = FieldAccess("read \(place)", tests, among: tests, nullIn: nulls)
                guarded.readers.append((name, tests))
            }
            if let tests = tests(.create) {
                guarded.creations[name] = CreationGuard("create \(place)", tests, among: tests)
            }
            if let tests = tests(.update) {
                guarded.updates[name] = ChangeGuard("update \(place)", tests, among: tests)
            }
            if let tests = tests(.delete) {
                guarded.removals[name] = ChangeGuard("set \(place) to null", tests, among: tests)
            }
        }
        return guarded
    }

    /// The results in which fields are null that have a rule for reading: those of each mutation that a rule on a field
    /// names and somebody may hear of.
    private static func nulls(of model: Model, _ ruled: [ModelField]) -> MutationResults {
        let operations = model.operations
        guard operations.level == .on else { return [] }
        func isNamed(_ operation: OperationSet) -> Bool {
            ruled.contains { !($0.rules ?? []).naming(operation).isEmpty }
        }
        var nulls: MutationResults = []
        if !operations.onCreate.isEmpty, isNamed(.create) { nulls.insert(.created) }
        if !operations.onUpdate.isEmpty, isNamed(.update) { nulls.insert(.updated) }
        if !operations.onDelete.isEmpty, isNamed(.delete) { nulls.insert(.deleted) }
        return nulls
    }
}
