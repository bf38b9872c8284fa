import Blueprint
import JSON

/// Who may do what with the records of a model: everything that plans ask about it, ready to be asked.
package final class ModelAccess: Sendable {
    package let get: ReadAccess
    package let list: ReadAccess
    package let sync: ReadAccess
    package let search: SearchAccess
    package let create: CreateAccess
    package let update: UpdateAccess
    package let delete: DeleteAccess
    package let listen: ListenAccess
    /// The owner fields that are shown without what stands before the last `::` (`OwnerText`).
    package let shortenedOwners: [String]

    private let indexes: [ByteText: ReadAccess]
    private let fields: [ByteText: FieldAccess]
    private let relations: [ByteText: RelationAccess]
    private let rights: FieldRights

    /// Decides which record the caller may read by its key. Hot path: a copy of the check costs more than its answer.
    package func decisionOfGet(for caller: Caller, argument: (String) -> KeyArgument) -> Decision {
        get.decision(for: caller, argument: argument)
    }

    /// The check of a query by an index, by the query's name.
    package func query(_ name: String) -> ReadAccess? { indexes[name] }

    /// The check of a field, when it has one of its own.
    package func field(_ name: String) -> FieldAccess? { fields[name] }

    /// Who is given a field, or may compare it.
    package func right(to field: String) -> FieldRight { rights[field] }

    /// The check of a relation, by its field.
    package func relation(_ field: String) -> RelationAccess? { relations[field] }

    /// The checks as version 2 means them: from the table of roles and fields.
    convenience init(
        granting model: Model, in blueprint: Blueprint, _ claims: inout ClaimTable, _ gates: GateTable
    ) {
        let standing = ModelStanding(model, in: blueprint)
        let matrix = model.matrix ?? AccessMatrix(fields: [])
        let name = model.name
        let tests = matrix.roles.map { RoleTest($0, &claims) }
        let having = { (operation: OperationSet) in matrix.roles(with: operation).map { tests[$0] } }

        let table = ReadAccess.Key(.table, model.key.partition, model.key.sort)
        let get = ReadAccess("get \(name)", standing, having(.get), among: tests, key: table)
        let list = ReadAccess("list \(name)", standing, having(.list), among: tests, key: table)
        let sync = ReadAccess("sync \(name)", standing, having(.sync), among: tests)
        let indexes = Dictionary(
            texts: model.indexes.compactMap { index in
                index.query.map { query in
                    let key = ReadAccess.Key(.index, index.partition, index.sort)
                    return (
                        query,
                        ReadAccess(
                            "query \(name) by \(index.name)", standing, having(.list), among: tests, key: key)
                    )
                }
            }, uniquingKeysWith: { first, _ in first })
        let settings = blueprint.settings
        let create = CreateAccess(
            "create \(name)", standing,
            matrix.roles(with: .create).map { WritingRole(creating: model, $0, tests[$0], matrix, in: blueprint) },
            among: tests,
            fillsOwnersOfStaticRoles: settings.populateOwnerFieldForStaticGroupAuth)
        let changing = matrix.roles(with: .update)
        let update = UpdateAccess(
            "update \(name)", standing,
            changing.map { WritingRole(updating: model, $0, tests[$0], matrix, in: blueprint) }, among: tests)
        let delete = DeleteAccess(
            "delete \(name)", standing, matrix.roles(withAll: .delete).map { tests[$0] }, among: tests)
        let listen = ListenAccess(
            "listen to \(name)", standing, having(.listen), among: tests, isPublic: model.operations.level == .public)

        let guarded = GuardedFields(matrix, isHeard: model.operations.level == .on)
        let fields = Dictionary(
            texts: guarded.fields.map { field, isNull in
                let readers = matrix.roles.indices.filter { matrix.mayRead($0, field: field) }
                // What mutations show of a relation its own check says.
                let isNulled = isNull && model.relation(named: field) == nil
                let access = FieldAccess(
                    "read \(name).\(field)", readers.map { tests[$0] }, among: tests, nullIn: isNulled ? .all : [],
                    hasOwnRules: matrix.hasOwnRules(field: field))
                return (field, access)
            }, uniquingKeysWith: { first, _ in first })
        let rights = FieldRights(model, gates, fields)
        let search = SearchAccess(
            records: ReadAccess("search \(name)", standing, having(.search), among: tests),
            sums: Dictionary(
                texts: matrix.fields.map { field in
                    let may = matrix.roles.indices.filter { matrix.allows($0, .search, field: field) }
                    return (field, SumAccess("aggregate \(name).\(field)", may.map { tests[$0] }, among: tests))
                }, uniquingKeysWith: { first, _ in first }), rights)
        let shortenedOwners = matrix.roles
            .filter { $0.strategy == .owner && $0.claim.map { OwnerClaim($0).parts.count > 1 } == true }
            .compactMap(\.entity).eachOnce()
        self.init(
            reads: Reads(get: get, list: list, sync: sync, indexes: indexes, search: search),
            writes: Writes(create: create, update: update, delete: delete), listen: listen,
            relations: Self.relations(of: model, in: blueprint, &claims), fields: fields, rights: rights,
            shortenedOwners: shortenedOwners)
    }

    /// The checks of what reads.
    struct Reads {
        let get: ReadAccess
        let list: ReadAccess
        let sync: ReadAccess
        /// By the name of the query.
        let indexes: [ByteText: ReadAccess]
        let search: SearchAccess
    }

    /// The checks of what writes.
    struct Writes {
        let create: CreateAccess
        let update: UpdateAccess
        let delete: DeleteAccess
    }

    init(
        reads: Reads, writes: Writes, listen: ListenAccess, relations: [ByteText: RelationAccess],
        fields: [ByteText: FieldAccess], rights: FieldRights, shortenedOwners: [String]
    ) {
        get = reads.get
        list = reads.list
        sync = reads.sync
        search = reads.search
        indexes = reads.indexes
        create = writes.create
        update = writes.update
        delete = writes.delete
        self.listen = listen
        self.relations = relations
        self.fields = fields
        self.rights = rights
        self.shortenedOwners = shortenedOwners
    }

    private static func relations(
        of model: Model, in blueprint: Blueprint, _ claims: inout ClaimTable
    ) -> [ByteText: RelationAccess] {
        var relations: [ByteText: RelationAccess] = [:]
        for relation in model.relations {
            guard let target = blueprint.target(of: relation) else { continue }
            let matrix = target.matrix ?? AccessMatrix(fields: [])
            // Any operation that reads lets through a relation.
            let readers = matrix.roles.indices.filter { role in
                matrix.fields.contains { matrix.mayRead(role, field: $0) }
            }
            let all = matrix.roles.map { RoleTest($0, &claims) }
            let tests = readers.map { all[$0] }
            let key: ReadAccess.Key =
                switch relation.lookup {
                case .primaryKey: ReadAccess.Key(.index, target.key.partition, target.key.sort)
                case .index(let name):
                    target.index(named: name).map { ReadAccess.Key(.index, $0.partition, $0.sort) } ?? .none
                }
            let isNamed = relation.link == .fields || relation.indexName != nil
            let access = ReadAccess(
                "follow \(model.name).\(relation.field)", ModelStanding(target, in: blueprint), tests, among: all,
                key: isNamed ? key : .none)
            relations[relation.field] = RelationAccess(
                relation, access, isEmptiedInMutations: blueprint.isRedacted(relation),
                isInherited: blueprint.settings.subscriptionsInheritPrimaryAuth || relation.isRequired)
        }
        return relations
    }
}

/// The fields of a model that are checked by themselves.
///
/// Amplify checks a field when somebody who has `get` may not read it. We also do when somebody who has any other
/// reading operation may not, or a field has rules of its own and somebody who changes records may not read it: with
/// Amplify they read it all the same, in lists or in the result of what they change.
private struct GuardedFields {
    /// With whether each is null in the results of mutations.
    let fields: [(name: String, isNullInMutations: Bool)]

    init(_ matrix: AccessMatrix, isHeard: Bool) {
        let readers = matrix.roles.indices.filter { role in
            matrix.fields.contains { matrix.mayRead(role, field: $0) }
        }
        let listeners = Set(matrix.roles(with: .listen))
        fields = matrix.fields.compactMap { field in
            let seeing = matrix.hasOwnRules(field: field) ? Array(matrix.roles.indices) : readers
            let excluded = Self.undominated(seeing, matrix, field).filter { !matrix.mayRead($0, field: field) }
            let isRestricted = matrix.isRestricted(field: field)
            guard isRestricted || !excluded.isEmpty else { return nil }
            return (field, isHeard && (isRestricted || excluded.contains(where: listeners.contains)))
        }
    }

    /// The roles without those whose owners all have a private role that may read the field.
    private static func undominated(_ roles: [Int], _ matrix: AccessMatrix, _ field: String) -> [Int] {
        let dominant = roles.filter {
            matrix.roles[$0].strategy == .private && matrix.allows($0, .read, field: field)
        }
        let providers = Set(dominant.map { matrix.roles[$0].provider }).intersection([.userPools, .oidc])
        return roles.filter { matrix.roles[$0].strategy == .private || !providers.contains(matrix.roles[$0].provider) }
    }
}
