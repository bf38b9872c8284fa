/// The limits of expressions: the one table of what DynamoDB refuses to read.
package enum ExpressionLimits {
    /// The longest expression.
    package static let bytesMax = 4_096
    /// The most operators and functions in one expression.
    package static let operatorsMax = 300
    /// The most operands behind one `IN`.
    package static let operandsMax = 100
    /// The longest path, in its parts.
    package static let pathPartsMax = 32
    /// The largest index of an element.
    package static let indexMax = Int(Int32.max)
    /// The longest name of a substitution, such as `#name` or `:value`, with its first character.
    package static let substitutionBytesMax = 255
    /// How deeply parentheses, functions and `NOT` may contain each other. It bounds the stack that reading needs.
    package static let nestingMax = 300
}
