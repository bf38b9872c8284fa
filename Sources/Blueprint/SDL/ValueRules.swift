import GraphQL

/// The rule that the arguments of directives have values of their types. The texts are those of graphql-js.
struct ValueRules {
    private let known: KnownNames
    private(set) var log: DiagnosticLog

    /// Checks the directives of a schema, and returns the log with what is wrong added.
    static func check(_ definitions: [Definition], known: KnownNames, log: DiagnosticLog) -> DiagnosticLog {
        var rules = ValueRules(known: known, log: log)
        for definition in definitions { rules.check(definition) }
        return rules.log
    }

    private init(known: KnownNames, log: DiagnosticLog) {
        self.known = known
        self.log = log
    }

    private mutating func error(_ message: String, at position: Position) {
        log.error(message, at: position, step: .values)
    }

    private mutating func check(_ definition: Definition) {
        switch definition {
        case .schema(let schema), .schemaExtension(let schema): check(schema.directives)
        case .type(let type), .typeExtension(let type): check(type)
        case .directive(let directive): for argument in directive.arguments { check(argument.directives) }
        case .operation, .fragment: break
        }
    }

    private mutating func check(_ type: TypeDefinition) {
        check(type.directives)
        switch type {
        case .object(let object): for field in object.fields { check(field) }
        case .interface(let interface): for field in interface.fields { check(field) }
        case .enum(let enumeration): for value in enumeration.values { check(value.directives) }
        case .inputObject(let input): for field in input.fields { check(field.directives) }
        case .scalar, .union: break
        }
    }

    private mutating func check(_ field: FieldDefinition) {
        for argument in field.arguments { check(argument.directives) }
        check(field.directives)
    }

    private mutating func check(_ directives: [Directive]) {
        for directive in directives {
            guard let definition = known.directives[directive.name.text] else { continue }
            for argument in directive.arguments {
                guard let parameter = definition.arguments.first(where: { $0.name.text == argument.name.text })
                else { continue }
                check(argument.value, is: parameter.type)
            }
        }
    }

    private mutating func check(_ value: Value, is type: TypeReference) {
        switch value {
        case .null:
            if type.wrapping.isNonNull {
                error("Expected value of type \"\(type)\", found null.", at: value.position)
            }
        case .list(let list) where type.wrapping.isList:
            let item = TypeReference(type.name, wrapping: type.wrapping.item)
            for value in list.values { check(value, is: item) }
        case .object(let object):
            if let input = known.inputs[type.name.text] {
                check(object, is: input, at: value.position)
            } else {
                checkLeaf(value, is: type)
            }
        default: checkLeaf(value, is: type)
        }
    }

    private mutating func check(_ object: ObjectValue, is input: InputObjectTypeDefinition, at position: Position) {
        for field in input.fields
        where field.type.wrapping.isNonNull && field.defaultValue == nil && object.value(field.name.text) == nil {
            error(
                "Field \"\(input.name).\(field.name)\" of required type \"\(field.type)\" was not provided.",
                at: position)
        }
        for field in object.fields {
            guard let definition = input.fields.first(where: { $0.name.text == field.name.text }) else {
                let suggestion = Suggestions.didYouMean(field.name.text, among: input.fields.map(\.name.text))
                error(
                    "Field \"\(field.name)\" is not defined by type \"\(input.name)\".\(suggestion)",
                    at: field.position)
                continue
            }
            check(field.value, is: definition.type)
        }
    }

    private mutating func checkLeaf(_ value: Value, is type: TypeReference) {
        let name = type.name.text
        if let enumeration = known.enums[name] {
            check(value, isIn: enumeration)
        } else if let refusal = Self.refusal(of: value, as: name) {
            error(refusal, at: value.position)
        } else if known.inputs[name] != nil {
            error("Expected value of type \"\(type)\", found \(value.printed).", at: value.position)
        }
    }

    private mutating func check(_ value: Value, isIn enumeration: EnumTypeDefinition) {
        let names = enumeration.values.map(\.name.text)
        guard case .enum(let name) = value else {
            let text = value.printed
            let suggestion = Suggestions.didYouMean(text, among: names, kind: "the enum value")
            error(
                "Enum \"\(enumeration.name)\" cannot represent non-enum value: \(text).\(suggestion)",
                at: value.position)
            return
        }
        guard !names.contains(name.text) else { return }
        let suggestion = Suggestions.didYouMean(name.text, among: names, kind: "the enum value")
        error("Value \"\(name)\" does not exist in \"\(enumeration.name)\" enum.\(suggestion)", at: value.position)
    }

    /// Why a value is none of a scalar; nil when it is one, or the type is no scalar of the language.
    private static func refusal(of value: Value, as scalar: String) -> String? {
        switch (scalar, value) {
        case ("String", .string), ("Boolean", .boolean), ("ID", .string), ("ID", .int), ("Float", .int),
            ("Float", .float):
            nil
        case ("Int", .int(let number)):
            Int32(number.text) == nil ? "Int cannot represent non 32-bit signed integer value: \(number.text)" : nil
        case ("String", _): "String cannot represent a non string value: \(value.printed)"
        case ("Boolean", _): "Boolean cannot represent a non boolean value: \(value.printed)"
        case ("ID", _): "ID cannot represent a non-string and non-integer value: \(value.printed)"
        case ("Int", _): "Int cannot represent non-integer value: \(value.printed)"
        case ("Float", _): "Float cannot represent non numeric value: \(value.printed)"
        default: nil
        }
    }
}
