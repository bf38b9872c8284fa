/// A fragment is spread where some value can be of its type. Specification: section 5.5.2.3.
enum PossibleFragmentSpreads {
    static func check(_ spread: FragmentSpread, _ context: inout ValidationContext) {
        guard let fragment = context.fragments[spread.name.text] else { return }
        check(fragment.typeCondition, "Fragment \(spread.name)", at: spread.position, &context)
    }

    static func check(_ fragment: InlineFragment, _ context: inout ValidationContext) {
        guard let condition = fragment.typeCondition else { return }
        check(condition, "Fragment", at: fragment.position, &context)
    }

    private static func check(
        _ condition: Name, _ fragment: String, at position: Position, _ context: inout ValidationContext
    ) {
        guard let parent = context.parentType, let type = context.schema.compositeType(named: condition.text),
            !context.schema.doTypesOverlap(parent, type)
        else { return }
        context.report(
            .invalidFragmentType,
            "\(fragment) cannot be spread here as objects of type \(context.schema[parent].name) can never be of type \(condition)",
            at: position)
    }
}
