import Blueprint
import GraphQL

/// What a builder function of `a` gives: an object that its modifiers change.
///
/// A modifier changes the object itself and gives it back, so `const r = s.required()` changes `s` too.
class Builder {
    /// Where it was made.
    var madeAt = Position.none
    /// How messages call it, such as `a.enum(...)`.
    var label: String { "a builder" }
    /// What programs can do with it.
    var surface: BuilderSurface { .none }
}
