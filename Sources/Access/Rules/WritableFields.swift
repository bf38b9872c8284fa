import Blueprint
import JSON

/// The fields of an input that a role may write: all of them, or some.
enum WritableFields: Sendable {
    case all
    case some(Set<ByteText>)
}

/// A role that may write, with what of an input it may write.
struct WritingRole: Sendable {
    let test: RoleTest
    let fields: WritableFields
    /// The fields that it may set to null. In an update that takes the right to delete.
    let nullable: Set<ByteText>

    /// A creator.
    init(creating model: Model, _ role: Int, _ test: RoleTest, _ matrix: AccessMatrix, in blueprint: Blueprint) {
        self.test = test
        let allowed = matrix.fields(of: role, for: .create)
        nullable = []
        fields =
            allowed.count == matrix.fields.count
            ? .all
            : .some(
                Set(
                    texts: allowed + model.keys(of: matrix.roles[role], for: .create, writing: allowed, in: blueprint)
                        + model.fieldsBesideRules))
    }

    /// Who changes a record: everything, when they may also delete every field.
    init(updating model: Model, _ role: Int, _ test: RoleTest, _ matrix: AccessMatrix, in blueprint: Blueprint) {
        self.test = test
        let allowed = matrix.fields(of: role, for: .update)
        let deletable = matrix.fields(of: role, for: .delete)
        nullable = Set(texts: deletable)
        let isAll = allowed.count == matrix.fields.count && deletable.count == matrix.fields.count
        fields =
            isAll
            ? .all
            : .some(
                Set(
                    texts: allowed + model.key.fields
                        + model.keys(of: matrix.roles[role], for: .update, writing: allowed, in: blueprint)
                        + model.fieldsBesideRules))
    }
}

extension Model {
    /// The foreign keys that a role may write: they are no columns of the rules, but say what a relation leads to. The
    /// relation's own field decides, of this model or, where only the other side has one, of that.
    fileprivate func keys(
        of role: Role, for operation: OperationSet, writing allowed: [String], in blueprint: Blueprint
    ) -> [String] {
        keyFields.map(\.name).filter { key in
            let own = relations.filter { !$0.kind.isMany && $0.sourceFields.contains(key) }
            guard own.isEmpty else { return own.contains { allowed.contains($0.field) } }
            return blueprint.models.contains { other in
                guard let matrix = other.matrix,
                    let number = matrix.roles.firstIndex(where: { $0.isHeldBy(thoseOf: role) })
                else { return false }
                return other.relations.contains { relation in
                    relation.target == name && relation.kind.isMany && relation.targetFields.contains(key)
                        && matrix.allows(number, operation, field: relation.field)
                }
            }
        }
    }

    /// What tells versions apart: no rule is about it.
    fileprivate var fieldsBesideRules: [String] {
        (isSynced ? ["_version", "_deleted", "_lastChangedAt"] : []) + (versioning.map { [$0.input] } ?? [])
    }
}

/// What the roles found so far let a caller write.
struct WriteGrant {
    private(set) var isComplete = false
    private(set) var fields: Set<ByteText> = []
    private(set) var nullable: Set<ByteText> = []

    mutating func add(_ writer: WritingRole) {
        switch writer.fields {
        case .all: isComplete = true
        case .some(let names):
            fields.formUnion(names)
            nullable.formUnion(writer.nullable)
        }
    }

    var isEmpty: Bool { !isComplete && fields.isEmpty && nullable.isEmpty }
}

extension Role {
    /// Returns whether a role of another model is held by the same callers.
    fileprivate func isHeldBy(thoseOf other: Role) -> Bool {
        provider == other.provider && strategy == other.strategy && isStatic == other.isStatic
            && entity == other.entity && claim == other.claim
    }
}
