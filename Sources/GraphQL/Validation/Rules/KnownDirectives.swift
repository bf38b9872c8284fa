/// A directive is one that the schema knows, in a place where it may stand. Specification: sections 5.7.1 and 5.7.2.
enum KnownDirectives {
    static func check(
        _ directive: Directive, _ definition: SchemaDirective?, at location: DirectiveLocation,
        _ context: inout ValidationContext
    ) {
        guard let definition else {
            return context.report(.unknownDirective, "Unknown directive \(directive.name)", at: directive.position)
        }
        if !definition.locations.contains(location) {
            context.report(
                .misplacedDirective, "Directive \(directive.name) not allowed here", at: directive.position)
        }
    }
}
