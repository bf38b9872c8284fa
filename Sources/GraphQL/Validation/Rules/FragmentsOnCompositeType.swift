/// A fragment is on a type that can be selected from. Specification: section 5.5.1.3.
enum FragmentsOnCompositeType {
    static func check(_ fragment: InlineFragment, _ context: inout ValidationContext) {
        guard let condition = fragment.typeCondition, isLeaf(condition, context) else { return }
        context.report(
            .inlineFragmentTypeConditionInvalid,
            "Inline fragment type condition is invalid, must be on Object/Interface/Union", at: fragment.position)
    }

    static func check(_ fragment: FragmentDefinition, _ context: inout ValidationContext) {
        guard isLeaf(fragment.typeCondition, context) else { return }
        context.report(
            .inlineFragmentTypeConditionInvalid,
            "Fragment type condition is invalid, must be on Object/Interface/Union", at: fragment.position)
    }

    /// Returns whether the schema knows the type, as one that cannot be selected from.
    private static func isLeaf(_ name: Name, _ context: ValidationContext) -> Bool {
        context.schema.type(named: name.text).map { !$0.isComposite } ?? false
    }
}
