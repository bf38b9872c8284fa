/// Why a native function or a running program stops: a value that the program threw, which it may catch, or an end that no
/// `catch` and no `finally` sees.
///
/// Unchecked: it stays on the thread of the realm that its value is of.
package enum Thrown: Error, @unchecked Sendable {
    case value(Value)
    case ended(ScriptEnd)
}

/// An end that a program cannot stop.
package enum ScriptEnd: Error, Sendable {
    /// A bound of `ScriptLimits` is reached.
    case limit(ScriptLimits.Kind)
    /// The value of something was needed that only exists outside: `origin` says where it came from, `use` what for.
    case opaque(origin: String, use: String)
    /// The program asks for something that this host does not have.
    case unsupported(message: String, hint: String?)
    /// The host says no, in its own words.
    case host(message: String, hint: String?)
}
