/// A type that a document names is one of the schema. Specification: section 5.5.1.2.
enum KnownTypeNames {
    static func check(_ name: Name, _ context: inout ValidationContext) {
        guard context.schema.id(named: name.text) == nil else { return }
        context.report(.unknownType, "Unknown type \(name)", at: name.position)
    }
}
