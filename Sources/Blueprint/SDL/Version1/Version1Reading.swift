import GraphQL

/// Reading a schema as version 1 of the transformer does.
extension SDLReading {
    /// The places where a directive is applied. Version 1 does not look at extensions, and those of root types alone are
    /// taken here all the same.
    mutating func version1Uses(of directive: String) -> [DirectiveUse] {
        var uses: [DirectiveUse] = []
        for use in schema.uses[directive] ?? [] {
            guard use.owner.isExtension, !schema.roots.contains(use.typeName) else {
                uses.append(use)
                continue
            }
            log.warning(
                "@\(directive) has no effect in an extension of \(use.typeName)", at: use.position,
                step: .visit(.model), hint: "Move it to the definition of \(use.typeName).")
        }
        return uses
    }
}
