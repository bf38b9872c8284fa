import GraphQL
import JSON

/// Types of an API as JSON Schema, in which models are told what they may say.
struct TypeSchema {
    private let schema: Schema

    /// How deep the fields of a type are told.
    private static let depthMax = 8

    init(_ schema: Schema) { self.schema = schema }

    // MARK: What is given back

    /// What a field of that type may be; nil for what cannot be told.
    func output(_ type: TypeUse, depth: Int = 0) -> JSONValue? {
        guard depth < Self.depthMax else { return nil }
        if type.isList {
            return output(type.item, depth: depth + 1).map { ["type": "array", "items": $0] }
        }
        switch schema[type.named] {
        case .scalar(let scalar): return Self.scalar(scalar.name)
        case .enum(let type): return Self.choice(type)
        case .object(let object):
            var properties = JSONObject()
            var required: [JSONValue] = []
            for field in object.fields.fields {
                guard let value = output(field.type, depth: depth + 1) else { continue }
                properties[field.name] = value
                if field.type.isNonNull { required.append(.string(field.name)) }
            }
            return ["type": "object", "properties": .object(properties), "required": .array(required)]
        case .interface, .union, .inputObject: return nil
        }
    }

    // MARK: What is asked

    /// What the arguments of a query may be: input types stand once, and are referred to.
    func input(_ arguments: [InputValue]) -> JSONValue {
        var definitions = JSONObject()
        let whole = object(arguments, &definitions)
        guard !definitions.isEmpty, var object = whole.object else { return whole }
        object["$defs"] = .object(definitions)
        return .object(object)
    }

    private func object(_ values: [InputValue], _ definitions: inout JSONObject) -> JSONValue {
        var properties = JSONObject()
        var required: [JSONValue] = []
        for value in values {
            properties[value.name] = input(value.type, &definitions)
            if value.isRequired { required.append(.string(value.name)) }
        }
        return ["type": "object", "properties": .object(properties), "required": .array(required)]
    }

    private func input(_ type: TypeUse, _ definitions: inout JSONObject) -> JSONValue {
        if type.isList { return ["type": "array", "items": input(type.item, &definitions)] }
        switch schema[type.named] {
        case .enum(let type): return Self.choice(type)
        case .inputObject(let object):
            if definitions[object.name] == nil {
                // It may be a part of itself.
                definitions[object.name] = .null
                definitions[object.name] = self.object(object.fields.values, &definitions)
            }
            return ["$ref": .string("#/$defs/\(object.name)")]
        case let other: return Self.scalar(other.name)
        }
    }

    private static func choice(_ type: EnumType) -> JSONValue {
        ["type": "string", "enum": .array(type.values.map { .string($0.name) })]
    }

    private static func scalar(_ name: String) -> JSONValue {
        switch ByteText(name) {
        case "Int": return ["type": "integer"]
        case "Float": return ["type": "number"]
        case "Boolean": return ["type": "boolean"]
        case "AWSTimestamp": return ["type": "integer", "description": "Seconds since 1970-01-01T00:00Z."]
        case "AWSJSON": return ["type": "string", "description": "JSON, written as text."]
        case "AWSDate": return pattern("A date: YYYY-MM-DD.", #"^\d{4}-\d{2}-\d{2}$"#)
        case "AWSTime": return pattern("A time: hh:mm:ss.sss.", #"^\d{2}:\d{2}:\d{2}\.\d{3}$"#)
        case "AWSDateTime":
            return pattern(
                "A time of a day: YYYY-MM-DDThh:mm:ss.sssZ.", #"^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$"#)
        case "AWSEmail": return pattern("An address of mail.", #"^[^@\s]+@[^@\s]+$"#)
        case "AWSURL": return pattern("A URL.", #"^[a-z][a-z0-9+.-]*:\S+$"#)
        case "AWSPhone": return pattern("A telephone number.", #"^\+?[0-9 -]+$"#)
        case "AWSIPAddress": return pattern("An IP address.", #"^[0-9a-fA-F:.]+(/\d+)?$"#)
        default: return ["type": "string"]
        }
    }

    private static func pattern(_ words: JSONValue, _ pattern: JSONValue) -> JSONValue {
        ["type": "string", "description": words, "pattern": pattern]
    }

    // MARK: What is selected

    /// All leaves of a type and of what it leads to, each type once on a way; empty for a leaf.
    func selection(_ type: TypeUse) -> String {
        var left = Self.selectedMax
        return selection(type.named, [], &left)
    }

    /// The fields that such a selection may have: relations lead from nearly every model to nearly every other.
    private static let selectedMax = 500

    private func selection(_ type: TypeID, _ seen: Set<TypeID>, _ left: inout Int) -> String {
        guard case .object(let object) = schema[type], !seen.contains(type), seen.count < Self.depthMax else {
            return ""
        }
        var parts: [String] = []
        for field in object.fields.fields {
            guard left > 0, !field.arguments.values.contains(where: \.isRequired) else { continue }
            if schema[field.type.named].isLeaf {
                left -= 1
                parts.append(field.name)
            } else {
                let inner = selection(field.type.named, seen.union([type]), &left)
                if !inner.isEmpty { parts.append("\(field.name) { \(inner) }") }
            }
        }
        return parts.joined(separator: " ")
    }
}
