import GraphQL

/// Short ways to write the nodes of a document, each with the place in the source that it stands for.
package enum SchemaSyntax {
    package static func name(_ text: String, _ place: Position) -> Name { Name(text, at: place) }

    package static func string(_ text: String, _ place: Position) -> Value {
        .string(StringValue(text, position: place))
    }

    package static func word(_ text: String, _ place: Position) -> Value { .enum(Name(text, at: place)) }

    package static func strings(_ texts: [String], _ place: Position) -> Value {
        .list(ListValue(texts.map { string($0, place) }, position: place))
    }

    package static func words(_ texts: [String], _ place: Position) -> Value {
        .list(ListValue(texts.map { word($0, place) }, position: place))
    }

    package static func null(_ place: Position) -> Value { .null(NullValue(position: place)) }

    package static func object(_ fields: [(String, Value)], _ place: Position) -> Value {
        .object(
            ObjectValue(fields.map { ObjectField(name: Name($0.0, at: place), value: $0.1) }, position: place))
    }

    package static func directive(_ name: String, _ place: Position) -> Directive { directive(name, [], place) }

    package static func directive(_ name: String, _ arguments: [(String, Value)], _ place: Position) -> Directive {
        Directive(
            name: Name(name, at: place),
            arguments: arguments.map { Argument(name: Name($0.0, at: place), value: $0.1) }, position: place)
    }

    /// A type in a list, or never null, or both.
    package static func type(
        _ name: String, _ place: Position, isRequired: Bool, isList: Bool, isListRequired: Bool
    ) -> TypeReference {
        var type = TypeReference(Name(name, at: place))
        if isRequired { type = type.nonNull }
        if isList { type = isListRequired ? type.list.nonNull : type.list }
        return type
    }

    /// A text with its first letter in upper case.
    package static func upper(_ text: String) -> String {
        text.prefix(1).uppercased() + text.dropFirst()
    }
}
