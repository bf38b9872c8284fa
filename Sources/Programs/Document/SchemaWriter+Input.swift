import Blueprint
import GraphQL
import Project

/// Arguments of operations, and the input types that they need.
extension SchemaWriter {
    mutating func argument(_ part: NamedPart, of operation: String) throws(TypeScriptError) -> InputValueDefinition {
        let place = part.position
        try checkName(part.name, at: place)
        let builder = try builder(of: part, expected: "an argument")
        let name = Name(part.name, at: place)
        let typeName = SchemaSyntax.upper(operation) + SchemaSyntax.upper(part.name)
        switch builder {
        case let scalar as FieldBuilder:
            return InputValueDefinition(
                name: name, type: type(of: scalar, at: place), directives: try values(of: scalar))
        case is EnumBuilder:
            implicit.append(Implicit(name: typeName, position: place, builder: builder))
            return InputValueDefinition(name: name, type: TypeReference(Name(typeName, at: place)))
        case let type as TypeBuilder:
            try addInput(typeName + "Input", base: typeName, of: type, declaresEnums: true, at: place, depth: 0)
            return InputValueDefinition(name: name, type: TypeReference(Name(typeName + "Input", at: place)))
        case let reference as ReferenceBuilder:
            let target = try entries.target(reference.target, from: operation, at: reference.position)
            guard target.kind == .type || target.kind == .enumeration else {
                throw TypeScriptError(
                    "Unsupported reference type '\(target.kind.rawValue)' for argument '\(part.name)' in '\(operation)'. Only references to CustomType and Enum are supported.",
                    at: reference.position)
            }
            return InputValueDefinition(name: name, type: try inputType(reference, at: place, depth: 0))
        default: throw TypeScriptError("Unsupported argument type for \(part.name)", at: part.value.position)
        }
    }

    private mutating func inputType(
        _ reference: ReferenceBuilder, at place: Position, depth: Int
    ) throws(TypeScriptError) -> TypeReference {
        guard let custom = entries.type(reference.target) else {
            return type(of: reference, named: reference.target, at: place)
        }
        let name = reference.target + "Input"
        try addInput(name, base: reference.target, of: custom, declaresEnums: false, at: place, depth: depth)
        return type(of: reference, named: name, at: place)
    }

    /// Adds an input once, behind those that it needs.
    private mutating func addInput(
        _ name: String, base: String, of type: TypeBuilder, declaresEnums: Bool, at place: Position, depth: Int
    ) throws(TypeScriptError) {
        guard inputNames.insert(name).inserted else { return }
        guard depth < limits.nestingMax else {
            throw TypeScriptError("more than \(limits.nestingMax) types contain each other here", at: place)
        }
        try checkIsFilled(type.fields.count, base, "give it a field.", at: place)
        var fields: [InputValueDefinition] = []
        for part in type.fields {
            try checkName(part.name, at: part.position)
            fields.append(try inputField(part, base: base, declaresEnums: declaresEnums, depth: depth))
        }
        try checkName(name, at: place)
        let input = InputObjectTypeDefinition(name: Name(name, at: place), fields: fields, position: place)
        inputs.append(.type(.inputObject(input)))
    }

    private mutating func inputField(
        _ part: NamedPart, base: String, declaresEnums: Bool, depth: Int
    ) throws(TypeScriptError) -> InputValueDefinition {
        let place = part.position
        let name = Name(part.name, at: place)
        let builder = try builder(of: part, expected: "a field of a type")
        let inner = SchemaSyntax.upper(base) + SchemaSyntax.upper(part.name)
        switch builder {
        case let scalar as FieldBuilder:
            return InputValueDefinition(
                name: name, type: type(of: scalar, at: place), directives: try values(of: scalar))
        case is EnumBuilder:
            if declaresEnums { implicit.append(Implicit(name: inner, position: place, builder: builder)) }
            return InputValueDefinition(name: name, type: TypeReference(Name(inner, at: place)))
        case let type as TypeBuilder:
            try addInput(
                inner + "Input", base: inner, of: type, declaresEnums: declaresEnums, at: place, depth: depth + 1)
            return InputValueDefinition(name: name, type: TypeReference(Name(inner + "Input", at: place)))
        case let reference as ReferenceBuilder:
            let target = try entries.target(reference.target, from: base, at: reference.position)
            guard target.kind == .type || target.kind == .enumeration else {
                throw TypeScriptError(
                    "Unsupported reference type '\(target.kind.rawValue)' for field '\(part.name)'. Only references to CustomType and Enum are supported.",
                    at: reference.position)
            }
            return InputValueDefinition(name: name, type: try inputType(reference, at: place, depth: depth + 1))
        default:
            throw TypeScriptError("\"\(part.name)\" is \(builder.label), and not a field", at: part.value.position)
        }
    }
}
