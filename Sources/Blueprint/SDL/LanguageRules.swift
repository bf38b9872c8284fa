import GraphQL

/// The rules of the language for schema documents: what is defined is defined once, what is used is defined.
///
/// All rules run in one walk through the definitions, in the order in which graphql-js applies them, so that the
/// first error is the one that Amplify shows. The texts are those of graphql-js.
struct LanguageRules {
    private let known: KnownNames
    /// The plug-ins of the project's transformer: an unknown directive may be theirs.
    private let plugIns: [String]
    /// How many unknown types were looked for among the known ones.
    private var suggestions = 0
    private(set) var log: DiagnosticLog

    private var hasSchema = false
    private var operationTypes: Set<OperationType> = []
    private var typeNames: Set<String> = []
    private var directiveNames: Set<String> = []
    private var enumValues: [String: Set<String>] = [:]
    private var fieldNames: [String: NameTable] = [:]
    /// The directives that may stand once, applied to each type and its extensions.
    private var typeDirectives: [String: Set<String>] = [:]
    private var schemaDirectives: Set<String> = []

    /// Checks a schema, and returns the log with what is wrong added.
    static func check(
        _ definitions: [Definition], known: KnownNames, plugIns: [String] = [], log: DiagnosticLog
    ) -> DiagnosticLog {
        var rules = LanguageRules(known: known, plugIns: plugIns, log: log)
        rules.directiveNames = Set(AmplifyDirectives.definitions(AmplifyDirectives.service).keys)
        for definition in definitions { rules.check(definition) }
        rules.checkAmplifyNames(definitions)
        return rules.log
    }

    private init(known: KnownNames, plugIns: [String], log: DiagnosticLog) {
        self.known = known
        self.plugIns = plugIns
        self.log = log
    }

    private mutating func error(_ message: String, at position: Position, hint: String? = nil) {
        log.error(message, at: position, step: .language, hint: hint)
    }

    private mutating func check(_ definition: Definition) {
        switch definition {
        case .schema(let schema):
            if hasSchema { error("Must provide only one schema definition.", at: schema.position) }
            hasSchema = true
            check(schema)
        case .schemaExtension(let schema): check(schema)
        case .type(let type):
            if !typeNames.insert(type.name.text).inserted {
                error("There can be only one type named \"\(type.name)\".", at: type.name.position)
            }
            check(type, isExtension: false)
        case .typeExtension(let type): check(type, isExtension: true)
        case .directive(let directive): check(directive)
        case .operation, .fragment: break
        }
    }

    private mutating func check(_ schema: SchemaDefinition) {
        for operation in schema.operationTypes where !operationTypes.insert(operation.operation).inserted {
            error("There can be only one \(operation.operation.rawValue) type in schema.", at: operation.position)
        }
        var seen = schemaDirectives
        checkUnique(schema.directives, seen: &seen)
        schemaDirectives = seen
        checkDirectives(schema.directives, at: .schema)
        for operation in schema.operationTypes { checkType(operation.type) }
    }

    private mutating func check(_ directive: DirectiveDefinition) {
        if !directiveNames.insert(directive.name.text).inserted {
            error("There can be only one directive named \"@\(directive.name)\".", at: directive.name.position)
        }
        for argument in directive.arguments { check(argument, at: .argumentDefinition) }
    }

    private mutating func check(_ type: TypeDefinition, isExtension: Bool) {
        let name = type.name.text
        checkMemberNames(of: type, isExtension: isExtension)
        var seen = typeDirectives.removeValue(forKey: name) ?? []
        checkUnique(type.directives, seen: &seen)
        typeDirectives[name] = seen
        if isExtension { checkExtension(type) }
        switch type {
        case .scalar: checkDirectives(type.directives, at: .scalar)
        case .object(let object):
            for interface in object.interfaces { checkType(interface) }
            checkDirectives(type.directives, at: .object)
            for field in object.fields { check(field) }
        case .interface(let interface):
            for implemented in interface.interfaces { checkType(implemented) }
            checkDirectives(type.directives, at: .interface)
            for field in interface.fields { check(field) }
        case .union(let union):
            checkDirectives(type.directives, at: .union)
            for member in union.members { checkType(member) }
        case .enum(let enumeration):
            checkDirectives(type.directives, at: .enum)
            for value in enumeration.values {
                checkUnique(value.directives)
                checkDirectives(value.directives, at: .enumValue)
            }
        case .inputObject(let input):
            checkDirectives(type.directives, at: .inputObject)
            for field in input.fields { check(field, at: .inputFieldDefinition) }
        }
    }

    /// What an extension adds is compared with what is there by `ExtensionRules`; here it must only not repeat itself.
    private mutating func checkMemberNames(of type: TypeDefinition, isExtension: Bool) {
        let name = type.name.text
        switch type {
        case .enum(let enumeration):
            var values = isExtension ? [] : enumValues.removeValue(forKey: name) ?? []
            for value in enumeration.values where !values.insert(value.name.text).inserted {
                error("Enum value \"\(name).\(value.name)\" can only be defined once.", at: value.position)
            }
            if !isExtension { enumValues[name] = values }
        case .object(let object): checkFieldNames(object.fields.map(\.name), of: name, isExtension: isExtension)
        case .interface(let interface):
            checkFieldNames(interface.fields.map(\.name), of: name, isExtension: isExtension)
        case .inputObject(let input): checkFieldNames(input.fields.map(\.name), of: name, isExtension: isExtension)
        case .scalar, .union: break
        }
    }

    private mutating func checkFieldNames(_ fields: [Name], of type: String, isExtension: Bool) {
        // Taken out while it grows, so that it is not looked for, nor copied, with each field.
        let known = isExtension ? nil : fieldNames.removeValue(forKey: type)
        var names = known ?? NameTable(capacity: fields.count)
        for field in fields where !names.insert(field.text).isNew {
            error("Field \"\(type).\(field)\" can only be defined once.", at: field.position)
        }
        if !isExtension { fieldNames[type] = names }
    }

    private mutating func checkExtension(_ type: TypeDefinition) {
        let name = type.name
        guard let kind = known.kinds[name.text] else {
            // Whatever else is not there has been found missing when extensions were folded in.
            guard case .scalar = type else { return }
            let suggestion = Suggestions.didYouMean(name.text, among: known.declaredTypes)
            error("Cannot extend type \"\(name)\" because it is not defined.\(suggestion)", at: name.position)
            return
        }
        guard kind != type.kindName else { return }
        if case .object = type { return }
        error("Cannot extend non-\(type.kindName) type \"\(name)\".", at: name.position)
    }

    private mutating func check(_ field: FieldDefinition) {
        checkUnique(field.directives)
        // The graphql-js of the transformer lets it pass; AppSync does not.
        if field.arguments.count > 1 {
            var seen: Set<String> = []
            for name in field.arguments.map(\.name) where !seen.insert(name.text).inserted {
                error("Argument \"\(field.name)(\(name):)\" can only be defined once.", at: name.position)
            }
        }
        for argument in field.arguments { check(argument, at: .argumentDefinition) }
        checkType(field.type.name)
        checkDirectives(field.directives, at: .fieldDefinition)
    }

    private mutating func check(_ input: InputValueDefinition, at location: DirectiveLocation) {
        checkUnique(input.directives)
        checkType(input.type.name)
        if let value = input.defaultValue { checkFieldNames(in: value) }
        checkDirectives(input.directives, at: location)
    }

    private mutating func checkType(_ name: Name) {
        guard !known.hasType(name.text) else { return }
        suggestions += 1
        let suggestion =
            suggestions > BlueprintLimits.suggestionsMax
            ? "" : Suggestions.didYouMean(name.text, among: KnownNames.languageScalars + known.declaredTypes)
        error("Unknown type \"\(name)\".\(suggestion)", at: name.position)
    }

    private mutating func checkUnique(_ directives: [Directive]) {
        guard directives.count > 1 else { return }
        var seen: Set<String> = []
        checkUnique(directives, seen: &seen)
    }

    private mutating func checkUnique(_ directives: [Directive], seen: inout Set<String>) {
        for directive in directives where known.directives[directive.name.text]?.isRepeatable == false {
            if !seen.insert(directive.name.text).inserted {
                error(
                    "The directive \"@\(directive.name)\" can only be used once at this location.",
                    at: directive.position)
            }
        }
    }

    private mutating func checkDirectives(_ directives: [Directive], at location: DirectiveLocation) {
        for directive in directives {
            guard let definition = known.directives[directive.name.text] else {
                unknownDirective(directive)
                continue
            }
            if !definition.locations.contains(location) {
                error(
                    "Directive \"@\(directive.name)\" may not be used on \(location.rawValue).",
                    at: directive.position)
            }
            check(directive, against: definition)
        }
    }

    private mutating func unknownDirective(_ directive: Directive) {
        let name = directive.name.text
        guard !known.set.othersNames.contains(name) else { return }
        guard plugIns.isEmpty else {
            log.warning(
                "@\(name) is left out: it is a directive of a plug-in (\(plugIns.joined(separator: ", "))), and plug-ins do not "
                    + "run here", at: directive.position, step: .language,
                hint: "The plug-ins are those that transform.conf.json names. What they add to the API is not there.")
            return
        }
        let near = Suggestions.list(for: name, among: known.directives.keys).first
        error(
            "Unknown directive \"@\(name)\".", at: directive.position, hint: near.map { "Did you mean @\($0)?" })
    }

    private mutating func check(_ directive: Directive, against definition: DirectiveDefinition) {
        let names = definition.arguments.map(\.name.text)
        for argument in directive.arguments where !names.contains(argument.name.text) {
            let suggestion = Suggestions.didYouMean(argument.name.text, among: names)
            error(
                "Unknown argument \"\(argument.name)\" on directive \"@\(directive.name)\".\(suggestion)",
                at: argument.position)
        }
        var seen: Set<String> = []
        for argument in directive.arguments {
            if !seen.insert(argument.name.text).inserted {
                error("There can be only one argument named \"\(argument.name)\".", at: argument.position)
            }
            checkFieldNames(in: argument.value)
        }
        for argument in definition.arguments
        where argument.type.wrapping.isNonNull && argument.defaultValue == nil && !seen.contains(argument.name.text) {
            error(
                "Directive \"@\(directive.name)\" argument \"\(argument.name)\" of type \"\(argument.type)\" "
                    + "is required, but it was not provided.", at: directive.position)
        }
    }

    private mutating func checkFieldNames(in value: Value) {
        switch value {
        case .list(let list): for item in list.values { checkFieldNames(in: item) }
        case .object(let object):
            var seen: Set<String> = []
            for field in object.fields {
                if !seen.insert(field.name.text).inserted {
                    error("There can be only one input field named \"\(field.name)\".", at: field.position)
                }
                checkFieldNames(in: field.value)
            }
        default: break
        }
    }

    /// A schema may not define what Amplify defines for the arguments of its directives.
    private mutating func checkAmplifyNames(_ definitions: [Definition]) {
        for definition in definitions {
            switch definition {
            case .type(let type) where known.reservedTypes.contains(type.name.text):
                error("There can be only one type named \"\(type.name)\".", at: type.name.position)
            case .directive(let directive) where known.set.definitions[directive.name.text] != nil:
                error("There can be only one directive named \"@\(directive.name)\".", at: directive.name.position)
            default: break
            }
        }
    }
}
