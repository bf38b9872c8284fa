/// An argument is one that its field or directive takes. Specification: section 5.4.1.
enum KnownArgumentNames {
    static func check(
        _ argument: Argument, _ definition: InputValue?, isOnDirective: Bool, _ context: inout ValidationContext
    ) {
        guard definition == nil else { return }
        if isOnDirective {
            // The type is not a slip here: it is how AppSync says it.
            context.report(
                .unknownDirective, "Unknown directive argument \(argument.name)", at: argument.position)
        } else {
            context.report(.unknownArgument, "Unknown field argument \(argument.name)", at: argument.position)
        }
    }
}
