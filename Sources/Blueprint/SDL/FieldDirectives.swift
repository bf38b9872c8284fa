import GraphQL

/// `@default` and `@validate`: what a field's value is when none is given, and what it must be.
extension SDLReading {
    mutating func readDefaults() {
        let step = DiagnosticLog.Step.visit(.defaultValue)
        for use in uses(of: "default", step: step) {
            guard let field = use.field else { continue }
            let path = FieldPath(type: use.typeName, field: field.name.text)
            if notes.sqlModels.contains(use.typeName), use.directive.arguments.isEmpty {
                generated.insert(path)
            } else if let message = defaultRefusal(use, field) {
                log.error(message, at: use.position, step: step)
            } else if let value = use.directive.text("value") {
                defaults[path] = value
            }
        }
    }

    private func defaultRefusal(_ use: DirectiveUse, _ field: FieldDefinition) -> String? {
        guard use.owner.isModel else {
            return "The @default directive may only be added to object definitions annotated with @model."
        }
        guard !field.isList, schema.isScalarOrEnum(field.type) else {
            return "The @default directive may only be added to scalar or enum field types."
        }
        guard let argument = use.directive.arguments.first else {
            return "The @default directive requires a value property on non-Postgres datasources."
        }
        guard use.directive.arguments.count == 1 else { return "The @default directive only takes a value property" }
        guard let value = argument.value.text else { return "The @default directive does not support null values." }
        if let values = schema.enums[field.typeName] {
            return values.contains(value)
                ? nil : "Default value \"\(value)\" is not a member of \(field.typeName) enum."
        }
        return DefaultValue.isValid(value, for: field.typeName)
            ? nil : "Default value \"\(value)\" is not a valid \(field.typeName)."
    }

    mutating func readValidations() {
        let step = DiagnosticLog.Step.visit(.validate)
        for use in uses(of: "validate", step: step) {
            guard let field = use.field, let kind = use.directive.text("type").flatMap(FieldValidation.Kind.init)
            else { continue }
            let value = use.directive.text("value") ?? ""
            if let message = validationRefusal(kind, value, use, field) {
                log.error(message, at: use.position, step: step)
                continue
            }
            let path = FieldPath(type: use.typeName, field: field.name.text)
            validations[path, default: []].append(
                FieldValidation(
                    kind: kind, value: value,
                    errorMessage: use.directive.text("errorMessage").flatMap { $0.isEmpty ? nil : $0 }))
        }
    }

    private func validationRefusal(
        _ kind: FieldValidation.Kind, _ value: String, _ use: DirectiveUse, _ field: FieldDefinition
    ) -> String? {
        let name = field.name
        guard use.owner.isModel else { return "@validate directive can only be used on fields within @model types." }
        guard !field.isList else { return "@validate directive cannot be used on list field '\(name)'" }
        if let own = field.directives.firstIndex(where: { $0.position.offset == use.position.offset }),
            field.directives[own...].contains(where: { $0.name.text == "default" })
        {
            return "@validate directive must be specified after @default directive"
        }
        let same = field.directives.filter { $0.name.text == "validate" && $0.text("type") == kind.rawValue }
        guard same.count < 2 else {
            return "Duplicate @validate directive with type '\(kind.rawValue)' on field '\(name)'. "
                + "Each validation type can only be used once per field."
        }
        let type = field.typeName
        if kind.isNumeric, type != "Int", type != "Float" {
            return "Validation type '\(kind.rawValue)' can only be used with numeric fields (Int, Float). "
                + "Field '\(name)' is of type '\(type)'"
        }
        if !kind.isNumeric, type != "String" {
            return "Validation type '\(kind.rawValue)' can only be used with 'String' fields. "
                + "Field '\(name)' is of type '\(type)'"
        }
        if kind.isLength, !DefaultValue.startsWithInteger(value) || DefaultValue.isNegative(value) {
            return "\(kind.rawValue) value must be a non-negative integer. Received '\(value)' for field '\(name)'"
        }
        if kind.isNumeric, !DefaultValue.startsWithNumber(value) {
            return "\(kind.rawValue) value must be a number. Received '\(value)' for field '\(name)'"
        }
        return nil
    }
}
