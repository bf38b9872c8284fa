import GraphQL

/// Short ways to write the nodes of a document, each with the place in the TypeScript that it stands for.
enum SchemaSyntax {
    static func name(_ text: String, _ place: Position) -> Name { Name(text, at: place) }

    static func string(_ text: String, _ place: Position) -> Value {
        .string(StringValue(text, position: place))
    }

    static func word(_ text: String, _ place: Position) -> Value { .enum(Name(text, at: place)) }

    static func strings(_ texts: [String], _ place: Position) -> Value {
        .list(ListValue(texts.map { string($0, place) }, position: place))
    }

    static func words(_ texts: [String], _ place: Position) -> Value {
        .list(ListValue(texts.map { word($0, place) }, position: place))
    }

    static func null(_ place: Position) -> Value { .null(NullValue(position: place)) }

    static func object(_ fields: [(String, Value)], _ place: Position) -> Value {
        .object(
            ObjectValue(fields.map { ObjectField(name: Name($0.0, at: place), value: $0.1) }, position: place))
    }

    static func directive(_ name: String, _ place: Position) -> Directive { directive(name, [], place) }

    static func directive(_ name: String, _ arguments: [(String, Value)], _ place: Position) -> Directive {
        Directive(
            name: Name(name, at: place),
            arguments: arguments.map { Argument(name: Name($0.0, at: place), value: $0.1) }, position: place)
    }

    /// A type in a list, or never null, or both.
    static func type(
        _ name: String, _ place: Position, isRequired: Bool, isList: Bool, isListRequired: Bool
    ) -> TypeReference {
        var type = TypeReference(Name(name, at: place))
        if isRequired { type = type.nonNull }
        if isList { type = isListRequired ? type.list.nonNull : type.list }
        return type
    }

    /// A text with its first letter in upper case.
    static func upper(_ text: String) -> String {
        text.prefix(1).uppercased() + text.dropFirst()
    }

    static func number(_ number: Double, _ place: Position) -> Value {
        let text = number.programText
        let isWhole = text.utf8.allSatisfy { $0 == UInt8(ascii: "-") || ($0 >= 0x30 && $0 <= 0x39) }
        return isWhole ? .int(NumberValue(text, position: place)) : .float(NumberValue(text, position: place))
    }
}
