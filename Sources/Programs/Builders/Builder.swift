import Blueprint
import GraphQL
import Project

/// What a builder function of `a` gives: an object that its modifiers change.
///
/// A modifier changes the object itself and gives it back, so `const r = s.required()` changes `s` too. The lists and objects
/// that calls were given are read at the end, see `Late`.
class Builder {
    /// Where it was made.
    var madeAt = Position.none
    /// How messages call it, such as `a.enum(...)`.
    var label: String { "a builder" }
    /// What programs can do with it.
    var surface: BuilderSurface { .none }
    /// The values of the properties that programs can read: what the calls were given, itself.
    var shown: [String: ProgramValue] = [:]

    /// Reads what its calls were given, and gives the builders that it leads to.
    func read() throws(TypeScriptError) -> [Builder] { [] }
}
