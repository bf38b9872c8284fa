/// The fields that conflict detection adds to every model.
package enum SyncField: String, Sendable, CaseIterable {
    case version = "_version"
    case deleted = "_deleted"
    case lastChangedAt = "_lastChangedAt"

    var kind: ColumnKind {
        self == .deleted ? .boolean : .integer
    }
}
