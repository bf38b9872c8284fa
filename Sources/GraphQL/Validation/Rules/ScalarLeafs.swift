/// A field of a composite type has a selection set, one of a leaf type has none. Specification: section 5.3.3.
enum ScalarLeafs {
    static func check(_ field: Field, _ definition: SchemaField?, _ context: inout ValidationContext) {
        guard let definition else { return }
        let isLeaf = context.schema[definition.type.named].isLeaf
        guard isLeaf != field.selectionSet.isEmpty else { return }
        let type = context.schema.text(of: definition.type)
        if isLeaf {
            context.report(
                .subSelectionNotAllowed, "Sub selection not allowed on leaf type \(type) of field \(field.name)",
                at: field.position)
        } else {
            context.report(
                .subSelectionRequired, "Sub selection required for type \(type) of field \(field.name)",
                at: field.position)
        }
    }
}
