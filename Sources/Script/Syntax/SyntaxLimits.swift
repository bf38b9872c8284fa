/// What bounds the reading of a file.
package enum SyntaxLimits {
    /// Longest text of a file, in UTF-16 units.
    package static let textUnitsMax = 4 << 20
    /// Deepest nesting of statements, expressions, patterns and types. Chosen by what a debug build does with a stack of
    /// 512 KiB, which a test holds it to.
    package static let nestingMax = 80
    /// Greatest height of the tree. It grows without nesting too: each `+` of a long sum, each member and call of a chain,
    /// each `else if` is one level over what is left of it.
    package static let heightMax = 1000
}
