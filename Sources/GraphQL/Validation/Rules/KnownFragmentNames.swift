/// A spread names a fragment of the document. Specification: section 5.5.2.1.
enum KnownFragmentNames {
    static func check(_ spread: FragmentSpread, _ context: inout ValidationContext) {
        guard context.fragments[spread.name.text] == nil else { return }
        context.report(.undefinedFragment, "Undefined fragment \(spread.name)", at: spread.position)
    }
}
