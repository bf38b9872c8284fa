/// Checks a schema by rules, each in a file of its own under `Rules`. Specification: section 3, "Type Validation".
package enum SchemaValidation {
    /// The rules about what is written, in the order in which their errors are listed.
    private static var documentRules: [any SchemaRule.Type] {
        [
            LoneSchemaDefinition.self, UniqueOperationTypes.self, UniqueTypeNames.self, UniqueMemberNames.self,
            UniqueDirectiveNames.self, DefinedTypes.self, DefinedDirectives.self, UniqueDirectivesPerLocation.self,
            PossibleTypeExtensions.self, DirectiveArguments.self,
        ]
    }

    /// The rules about what it means. What they say counts only of a document that keeps the first ones.
    private static var typeRules: [any SchemaRule.Type] {
        [
            RootTypes.self, ReservedNames.self, NonEmptyTypes.self, TypePositions.self, InterfaceImplementations.self,
            UnionMembers.self, InputObjectCycles.self, DirectiveCycles.self, DefaultValues.self,
        ]
    }

    /// Everything that is wrong with a schema.
    package static func errors(in document: SchemaDocument) -> [SchemaError] {
        let errors = documentErrors(in: document)
        return errors.isEmpty ? typeErrors(in: document) : errors
    }

    /// Everything that is wrong with what a document means. Of a document whose form is wrong it says things that nobody
    /// needs to know: for whoever asks both questions at the same time.
    package static func typeErrors(in document: SchemaDocument) -> [SchemaError] {
        var report = SchemaReport()
        for rule in typeRules { rule.check(document, &report) }
        return report.errors
    }

    /// Everything that is wrong with the form of a document that uses the directives and types of a prelude, whatever
    /// it may mean: for schemas in a dialect, which are translated before they can be served.
    package static func documentErrors(in document: SchemaDocument) -> [SchemaError] {
        var report = SchemaReport()
        for rule in documentRules { rule.check(document, &report) }
        return report.errors
    }
}

/// One rule that a schema must keep.
protocol SchemaRule {
    static func check(_ document: SchemaDocument, _ report: inout SchemaReport)
}

/// Collects what rules find.
struct SchemaReport {
    private(set) var errors: [SchemaError] = []
    /// Comparing with all names of a schema is for a person's eyes, and nobody reads more than this.
    private var suggestionsLeft = 100

    mutating func add(_ message: String, at positions: Position...) {
        add(message, at: positions)
    }

    /// What a writer may have meant, as a sentence with a space before it, or nothing.
    mutating func suggestion(for word: String, of candidates: [String], kind: String? = nil) -> String {
        guard suggestionsLeft > 0 else { return "" }
        suggestionsLeft -= 1
        return Suggestions.didYouMean(word, among: candidates, kind: kind ?? "")
    }

    mutating func add(_ message: String, at positions: [Position]) {
        errors.append(SchemaError(message, at: positions))
    }
}

extension SchemaDocument {
    /// Calls back with every place where directives are applied.
    func forEachDirectives(_ body: ([Directive], DirectiveLocation) -> Void) {
        for definition in definitions {
            switch definition {
            case .schema(let schema), .schemaExtension(let schema): body(schema.directives, .schema)
            case .type(let type), .typeExtension(let type): forEachDirectives(in: type, body)
            case .directive(let directive):
                for argument in directive.arguments { body(argument.directives, .argumentDefinition) }
            case .operation, .fragment: break
            }
        }
    }

    private func forEachDirectives(in type: TypeDefinition, _ body: ([Directive], DirectiveLocation) -> Void) {
        // Most fields and arguments have none, and there are thousands of them.
        let directives = type.directives
        if !directives.isEmpty { body(directives, type.directiveLocation) }
        let fields = type.fields
        for number in fields.indices {
            if !fields[number].directives.isEmpty { body(fields[number].directives, .fieldDefinition) }
            for place in fields[number].arguments.indices
            where !fields[number].arguments[place].directives.isEmpty {
                body(fields[number].arguments[place].directives, .argumentDefinition)
            }
        }
        switch type {
        case .enum(let type): for value in type.values { body(value.directives, .enumValue) }
        case .inputObject(let type):
            for number in type.fields.indices where !type.fields[number].directives.isEmpty {
                body(type.fields[number].directives, .inputFieldDefinition)
            }
        default: break
        }
    }
}
