import Blueprint
import Project

/// The limits of reading a schema in TypeScript, in one table. What goes beyond one gets an error that names it.
package struct TypeScriptLimits: Sendable, Equatable {
    /// The longest module, in bytes.
    package var bytesMax = 2 << 20
    /// How deeply types may contain each other.
    package var nestingMax = 100
    /// The most modules of a schema.
    package var modulesMax = 500
    /// Turns of loops, and calls.
    package var stepsMax = 2_000_000
    /// The longest text that is put together, in UTF-16 units.
    package var textLengthMax = 1 << 20
    /// The most elements of a list, or members of an object.
    package var elementsMax = 50_000

    package static let standard = TypeScriptLimits()

    package init() {}
}
