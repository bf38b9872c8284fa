import Blueprint
import GraphQL
import Project

/// What a program left where a builder is expected.
enum Given {
    case builder(Builder)
    case text(String)
    /// Nothing is known of it: whoever needs it gets this error.
    case refused(TypeScriptError)
    case number(Double)
    /// Something else, as messages call it.
    case other(String)

    var builder: Builder? { if case .builder(let builder) = self { builder } else { nil } }

    /// How messages call it.
    var description: String {
        switch self {
        case .builder(let builder): builder.label
        case .text(let text): "the text \"\(text.prefix(80))\""
        case .refused: "a value that is not known here"
        case .number(let number): number.programText
        case .other(let description): description
        }
    }
}

/// The same with the place where it was written.
struct PlacedGiven {
    let value: Given
    let position: Position

    /// The builder of some kind that it is.
    func builder<Kind: Builder>(_ expected: String) throws(TypeScriptError) -> Kind {
        if case .refused(let error) = value { throw error }
        guard let builder = value.builder, let kind = builder as? Kind else {
            throw TypeScriptError("expected \(expected), found \(value.description)", at: position)
        }
        return kind
    }
}

/// A field, argument or schema entry: its name, and what stands behind it.
struct NamedPart {
    let name: String
    let position: Position
    let value: PlacedGiven

    var builder: Builder? { value.value.builder }
}

/// A text with the place where it was written.
struct PlacedText {
    let text: String
    let position: Position
}
