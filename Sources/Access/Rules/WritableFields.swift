import Blueprint
import JSON

/// The fields of an input that a role may write: all of them, or some.
enum WritableFields: Sendable {
    case all
    case some(Set<ByteText>)
}

/// A role that may write, with what of an input it may write.
struct Writer: Sendable {
    let test: RoleTest
    let fields: WritableFields
    /// The fields that it may set to null. In an update that takes the right to delete.
    let nullable: Set<ByteText>

    /// A creator.
    init(creating model: Model, _ role: Int, _ test: RoleTest, _ matrix: AccessMatrix, _ settings: Settings) {
        self.test = test
        let allowed = matrix.fields(of: role, for: .create)
        nullable = []
        fields =
            allowed.count == matrix.fields.count
            ? .all : .some(Set(texts: allowed + model.fieldsBesideRules(isSynced: settings.isSynced)))
    }

    /// Who changes a record: everything, when they may also delete every field.
    init(updating model: Model, _ role: Int, _ test: RoleTest, _ matrix: AccessMatrix, _ settings: Settings) {
        self.test = test
        let allowed = matrix.fields(of: role, for: .update)
        let deletable = matrix.fields(of: role, for: .delete)
        nullable = Set(texts: deletable)
        let isAll = allowed.count == matrix.fields.count && deletable.count == matrix.fields.count
        fields =
            isAll
            ? .all
            : .some(
                Set(texts: allowed + model.key.fields + model.fieldsBesideRules(isSynced: settings.isSynced)))
    }
}

extension Model {
    /// The fields of an input that no rule is about: keys that relations add, and what tells versions apart.
    fileprivate func fieldsBesideRules(isSynced: Bool) -> [String] {
        keyFields.map(\.name) + (isSynced ? ["_version", "_deleted", "_lastChangedAt"] : [])
            + (versioning.map { [$0.input] } ?? [])
    }
}

/// What the roles found so far let a caller write.
struct WriteGrant {
    private(set) var isComplete = false
    private(set) var fields: Set<ByteText> = []
    private(set) var nullable: Set<ByteText> = []

    mutating func add(_ writer: Writer) {
        switch writer.fields {
        case .all: isComplete = true
        case .some(let names):
            fields.formUnion(names)
            nullable.formUnion(writer.nullable)
        }
    }

    var isEmpty: Bool { !isComplete && fields.isEmpty && nullable.isEmpty }
}
