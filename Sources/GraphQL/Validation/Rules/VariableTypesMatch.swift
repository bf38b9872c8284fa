/// A variable is used where its type fits. Specification: section 5.8.5, IsVariableUsageAllowed().
enum VariableTypesMatch {
    static func check(_ variable: Name, _ expected: TypeUse?, hasDefault: Bool, _ context: inout ValidationContext) {
        guard let expected, let definition = context.variables[variable.text],
            let declared = context.schema.typeUse(definition.type)
        else { return }
        var wrapping = declared.wrapping
        // A variable with a default value is never null, nor is a place with one that gets nothing.
        if let value = definition.defaultValue, !value.isNull { wrapping = wrapping.nonNull }
        let wanted = hasDefault ? expected.wrapping.nullable : expected.wrapping
        if declared.named == expected.named, fits(wrapping, wanted) { return }
        let type = wrapping.text(around: context.schema[declared.named].name)
        context.report(
            .variableTypeMismatch,
            "Variable type '\(type)' doesn't match expected type '\(context.schema.text(of: expected))'",
            at: variable.position)
    }

    /// AreTypesCompatible(), for the same named type.
    private static func fits(_ given: TypeWrapping, _ wanted: TypeWrapping) -> Bool {
        var (given, wanted) = (given, wanted)
        while true {
            if wanted.isNonNull, !given.isNonNull { return false }
            (given, wanted) = (given.nullable, wanted.nullable)
            guard given.isList == wanted.isList else { return false }
            guard given.isList else { return true }
            (given, wanted) = (given.item, wanted.item)
        }
    }
}

extension Value {
    /// True if it is the word `null`.
    package var isNull: Bool {
        if case .null = self { true } else { false }
    }
}
