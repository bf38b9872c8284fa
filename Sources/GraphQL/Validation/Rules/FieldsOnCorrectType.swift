/// A field is one of the type that it is selected from. Specification: section 5.3.1.
enum FieldsOnCorrectType {
    static func check(_ field: Field, _ definition: SchemaField?, _ context: inout ValidationContext) {
        guard definition == nil, let parent = context.parentType else { return }
        context.report(
            .fieldUndefined, "Field '\(field.name)' in type '\(context.schema[parent].name)' is undefined",
            at: field.position)
    }
}
