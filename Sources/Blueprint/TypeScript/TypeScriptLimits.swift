/// The limits of reading a schema in TypeScript, in one table. What goes beyond one gets an error that names it.
package struct TypeScriptLimits: Sendable, Equatable {
    /// The longest module, in bytes.
    package var bytesMax = 2 << 20
    /// The most tokens of one module.
    package var tokensMax = 400_000
    /// How deeply expressions, types and blocks of one module may contain each other. Everything that walks a tree
    /// goes as deep as the tree, so this also bounds the stack that it needs.
    package var nestingMax = 100
    /// The most modules of a schema.
    package var modulesMax = 500
    /// How much is evaluated: expressions, and the elements and characters that are copied.
    package var stepsMax = 2_000_000
    /// How deeply evaluations may be under way in each other, calls included.
    package var depthMax = 300
    /// The longest text that is put together, in bytes.
    package var textBytesMax = 1 << 20
    /// The most elements of a list, or members of an object.
    package var elementsMax = 50_000

    package static let standard = TypeScriptLimits()

    package init() {}
}
