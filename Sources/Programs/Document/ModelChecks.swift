import Blueprint
import GraphQL
import Project

/// What Amplify's builder checks of a model, in its order, with its texts.
struct ModelChecks {
    let name: String
    let position: Position
    let model: ModelBuilder
    let schema: SchemaBuilder
    let entries: SchemaEntries

    /// A field that a rule implies: whether it is a list.
    private typealias Implied = [(name: String, isList: Bool)]

    func check(_ rules: [RuleBuilder]) throws(TypeScriptError) {
        if !schema.isSQL { try checkIndexReferences() }
        var implied: Implied = []
        try add(rules, to: &implied, at: position)
        if !schema.isSQL {
            guard !rules.isEmpty else {
                throw TypeScriptError(
                    "Model `\(name)` is missing authorization rules. Add global rules to the schema or ensure every model has its own rules.",
                    at: position)
            }
            for part in model.fields {
                guard let relation = part.builder as? RelationBuilder else { continue }
                try RelationChecks(name: name, model: model, entries: entries).check(part, relation)
            }
        }
        for part in model.fields { try add(fieldRules(of: part), to: &implied, at: part.position) }
        try checkImplied(implied)
        try checkGenerated()
        try checkIdentifier()
    }

    private func field(_ name: String) -> NamedPart? {
        model.fields.first { $0.name == name }
    }

    private func checkIndexReferences() throws(TypeScriptError) {
        for index in model.indexes {
            for used in [index.field] + index.sortFields {
                guard let reference = field(used.text)?.builder as? ReferenceBuilder else { continue }
                let target = try entries.target(reference.target, from: name, at: reference.position)
                guard target.kind == .enumeration else {
                    throw TypeScriptError(
                        "The ref field `\(used.text)` used in the secondary index of `\(name)` should refer to an enum type. `\(reference.target)` is not a enum type.",
                        at: used.position)
                }
            }
        }
    }

    private func fieldRules(of part: NamedPart) -> [RuleBuilder] {
        switch part.builder {
        case let field as FieldBuilder: field.rules
        case let reference as ReferenceBuilder: reference.rules
        case let relation as RelationBuilder: relation.rules
        default: []
        }
    }

    private func add(_ rules: [RuleBuilder], to implied: inout Implied, at place: Position) throws(TypeScriptError) {
        for rule in rules {
            guard let field = rule.field else { continue }
            if let known = implied.first(where: { $0.name == field }) {
                guard known.isList == rule.isFieldList else {
                    throw TypeScriptError("Field \(field) defined twice with conflicting definitions.", at: place)
                }
            } else {
                implied.append((field, rule.isFieldList))
            }
        }
    }

    private static let impliedTypes: Set = [
        "ID", "String", "AWSDate", "AWSTime", "AWSDateTime", "AWSEmail", "AWSPhone", "AWSURL", "AWSIPAddress",
    ]

    private func checkImplied(_ implied: Implied) throws(TypeScriptError) {
        for implied in implied {
            guard let part = field(implied.name) else {
                if schema.isSQL { throw TypeScriptError("Field \(implied.name) isn't defined.", at: position) }
                continue
            }
            if let scalar = part.builder as? FieldBuilder, scalar.isList == implied.isList,
                Self.impliedTypes.contains(scalar.typeName)
            {
                continue
            }
            throw TypeScriptError(
                schema.isSQL
                    ? "Field \(implied.name) defined twice with conflicting definitions."
                    : "Implicit field \(implied.name) conflicts with the explicit field definition.", at: part.position)
        }
    }

    private func checkGenerated() throws(TypeScriptError) {
        for part in model.fields {
            guard let field = part.builder as? FieldBuilder, case (.generated, let place)? = field.standard else {
                continue
            }
            guard schema.engine == .postgresql else {
                throw TypeScriptError(
                    "Invalid field definition for \(part.name). DB-generated fields are only supported with PostgreSQL data sources.",
                    at: place)
            }
            guard field.typeName == "Int" else {
                throw TypeScriptError(
                    "Incompatible field type. Field type \(field.typeName) in field \(part.name) cannot be configured as a DB-generated field.",
                    at: place)
            }
        }
    }

    private func checkIdentifier() throws(TypeScriptError) {
        let names = Set(model.keyNames)
        for part in model.fields where names.contains(part.name) {
            if let scalar = part.builder as? FieldBuilder {
                if scalar.typeName == "ID" || scalar.isElementRequired { continue }
                if case (.generated, _)? = scalar.standard { continue }
            }
            let place = model.identifier?.first { $0.text == part.name }?.position ?? part.position
            throw TypeScriptError(
                "Invalid identifier definition. Field \(part.name) cannot be used in the identifier. Identifiers must reference required or DB-generated fields)",
                at: place)
        }
    }

    /// Names that only TypeScript's own checker would refuse; Amplify's builder drops them without a word.
    func checkNames() throws(TypeScriptError) {
        for key in model.identifier ?? [] where field(key.text) == nil && key.text != "id" {
            throw TypeScriptError(
                "the identifier of \(name) names \"\(key.text)\", which is no field of it", at: key.position)
        }
        for index in model.indexes {
            for used in [index.field] + index.sortFields where field(used.text) == nil {
                throw TypeScriptError(
                    "an index of \(name) names \"\(used.text)\", which is no field of it", at: used.position)
            }
        }
    }
}

/// What Amplify's builder checks of a relation: it is declared on both sides, by the same fields.
struct RelationChecks {
    let name: String
    let model: ModelBuilder
    let entries: SchemaEntries

    func check(_ part: NamedPart, _ relation: RelationBuilder) throws(TypeScriptError) {
        let place = part.position
        let target = try entries.target(relation.target, from: name, at: relation.position)
        guard let other = target.builder as? ModelBuilder else {
            throw TypeScriptError("Expected to find model type with name \(relation.target)", at: relation.position)
        }
        let counterparts = other.fields.filter { candidate in
            guard let back = candidate.builder as? RelationBuilder else { return false }
            return back.target == name && back.references == relation.references
                && (back.kind == .belongsTo) != (relation.kind == .belongsTo)
        }
        guard counterparts.count == 1, let counterpart = counterparts.first,
            let back = counterpart.builder as? RelationBuilder
        else {
            let found = counterparts.map { "\(relation.target).\($0.name)" }.joined(separator: ", ")
            let start =
                counterparts.isEmpty
                ? "Unable to find associated relationship definition in \(relation.target)"
                : "Found multiple relationship associations with \(found)"
            throw TypeScriptError("\(start) for \(Self.text(name, part, relation))", at: place)
        }
        let isParent = relation.kind != .belongsTo
        let here = Self.text(name, part, relation)
        let there = Self.text(relation.target, counterpart, back)
        let (parent, child) = isParent ? (name, relation.target) : (relation.target, name)
        let pair = isParent ? "\(here) <-> \(there)" : "\(there) <-> \(here)"
        try checkFields(
            relation.references, parent: (parent, isParent ? model : other), child: (child, isParent ? other : model),
            pair: pair, at: place)
    }

    private func checkFields(
        _ references: [String], parent: (name: String, model: ModelBuilder), child: (name: String, model: ModelBuilder),
        pair: String, at place: Position
    ) throws(TypeScriptError) {
        var types: [String] = []
        for reference in references {
            guard let field = child.model.fields.first(where: { $0.name == reference })?.builder as? FieldBuilder else {
                throw TypeScriptError(
                    "reference field '\(reference)' must be defined on \(child.name). \(pair)", at: place)
            }
            types.append(field.typeName)
        }
        let keys = parent.model.keyNames
        guard keys.count == references.count else {
            throw TypeScriptError(
                "The identifiers defined on \(parent.name) must match the reference fields defined on \(child.name).\n\(keys.count) identifiers defined on \(parent.name).\n\(references.count) reference fields found on \(child.name)",
                at: place)
        }
        for (key, type) in zip(keys, types) {
            let field = parent.model.fields.first { $0.name == key }?.builder as? FieldBuilder
            guard Self.keyType(field?.typeName ?? "ID") == Self.keyType(type) else {
                throw TypeScriptError("Validate Error: types do not match", at: place)
            }
        }
    }

    private static func keyType(_ type: String) -> String { type == "String" ? "ID" : type }

    private static func text(_ model: String, _ part: NamedPart, _ relation: RelationBuilder) -> String {
        let type = relation.kind == .hasMany ? "[\(relation.target)]" : relation.target
        let references = relation.references.map { "'\($0)'" }.joined(separator: ", ")
        return "\(model).\(part.name): \(type) @\(relation.kind.rawValue)(references: [\(references)])"
    }
}
