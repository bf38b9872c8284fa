/// The limits of the room.
package enum JSONataLimits {
    /// An expression's text in bytes, how deep its parts are in each other, and how many there are.
    package static let textBytesMax = 256 << 10
    package static let nestingMax = 120
    package static let chainMax = 400
    package static let nodesMax = 100_000
    /// How many parts are under evaluation within each other: recursion that is no tail call.
    package static let depthMax = 500
    /// How much of a thread's stack reading and evaluating take, well below what threads have: 8 MiB on Linux.
    #if canImport(Glibc)
        package static let stackBytesMax = 2 << 20
    #else
        package static let stackBytesMax = 320 << 10
    #endif
    /// How deep values are nested, and functions in the variables of others.
    package static let valueNestingMax = 200
    /// What one evaluation may cost. See `JSONataBudget`.
    package static let stepsMax = 5_000_000
    package static let bytesMax = 128 << 20
    /// The longest list that `[a..b]` makes.
    package static let rangeMax = 10_000_000
    /// The longest text that a function makes.
    package static let madeTextBytesMax = 8 << 20
}
