/// Checks a schema by rules, each in a file of its own under `Rules`. Specification: section 3, "Type Validation".
package enum SchemaValidation {
    /// The rules about names: what is defined is defined once, what is used is defined. In the order in which they are asked
    /// at one place of a document.
    package static var nameRules: [any SchemaRule.Type] {
        [
            LoneSchemaDefinition.self, UniqueOperationTypes.self, UniqueTypeNames.self, UniqueMemberNames.self,
            UniqueDirectiveNames.self, UniqueDirectivesPerLocation.self, PossibleTypeExtensions.self,
            UniqueArgumentNames.self, DefinedTypes.self, DefinedDirectives.self, DirectiveArguments.self,
            UniqueInputFieldNames.self,
        ]
    }

    /// The rules about values. What they say counts only of a document whose names are right.
    package static var valueRules: [any SchemaRule.Type] { [DirectiveValues.self] }

    /// The rules about what it means. What they say counts only of a document that keeps the first ones.
    private static var typeRules: [any SchemaRule.Type] {
        [
            RootOperationTypes.self, ReservedNames.self, NonEmptyTypes.self, TypePositions.self,
            InterfaceImplementations.self,
            UnionMembers.self, InputObjectCycles.self, DirectiveCycles.self, DefaultValues.self,
        ]
    }

    /// Everything that is wrong with a schema.
    package static func errors(in document: SchemaDocument) -> [SchemaError] {
        let errors = documentErrors(in: document)
        return errors.isEmpty ? typeErrors(in: document) : errors
    }

    /// Everything that is wrong with what a document means. Of a document whose form is wrong it says things that nobody
    /// needs to know.
    package static func typeErrors(in document: SchemaDocument) -> [SchemaError] {
        var report = SchemaReport()
        report.check(document, by: typeRules)
        return report.findings.map(\.error)
    }

    /// Everything that is wrong with the form of a document, whatever it may mean.
    package static func documentErrors(in document: SchemaDocument) -> [SchemaError] {
        findings(in: document, by: nameRules + [UniqueDirectiveArgumentNames.self] + valueRules).map(\.error)
    }

    /// What some rules find: for schemas in a dialect, which has rules of its own beside these, and is translated before it
    /// can be served.
    package static func findings(in document: SchemaDocument, by rules: [any SchemaRule.Type]) -> [SchemaFinding] {
        var report = SchemaReport()
        report.check(document, by: rules)
        return report.findingsInOrder
    }
}

/// One rule that a schema must keep.
package protocol SchemaRule {
    static func check(_ document: SchemaDocument, _ report: inout SchemaReport)
}

extension SchemaDocument {
    /// Calls back with every place where directives are applied: with them, what kind of place it is, and where that begins
    /// which they are applied to.
    func forEachDirectives(_ body: ([Directive], DirectiveLocation, Position) -> Void) {
        guard !checksGenerated else { return forEachDirectives(alsoGenerated: body) }
        forEachDirectives(alsoGenerated: { directives, location, position in
            guard directives.indices.contains(where: { directives[$0].position.isKnown }) else { return }
            body(directives, location, position)
        })
    }

    private func forEachDirectives(alsoGenerated body: ([Directive], DirectiveLocation, Position) -> Void) {
        for place in definitions.indices {
            // Nearly all are types, of which no definition is copied.
            if let type = definitions[place].type {
                forEachDirectives(in: type, body)
                continue
            }
            switch definitions[place] {
            case .schema(let schema), .schemaExtension(let schema): body(schema.directives, .schema, schema.position)
            case .directive(let directive):
                forEachDirectives(in: directive.arguments, .argumentDefinition, body)
            case .type, .typeExtension, .operation, .fragment: break
            }
        }
    }

    private func forEachDirectives(
        in type: TypeDefinition, _ body: ([Directive], DirectiveLocation, Position) -> Void
    ) {
        // Most fields and arguments have none, and there are thousands of them.
        let directives = type.directives
        if !directives.isEmpty { body(directives, type.directiveLocation, type.position) }
        let fields = type.fields
        for number in fields.indices {
            if !fields[number].directives.isEmpty {
                body(fields[number].directives, .fieldDefinition, fields[number].position)
            }
            forEachDirectives(in: fields[number].arguments, .argumentDefinition, body)
        }
        switch type {
        case .enum(let type): for value in type.values { body(value.directives, .enumValue, value.position) }
        case .inputObject(let type): forEachDirectives(in: type.fields, .inputFieldDefinition, body)
        default: break
        }
    }

    private func forEachDirectives(
        in values: [InputValueDefinition], _ location: DirectiveLocation,
        _ body: ([Directive], DirectiveLocation, Position) -> Void
    ) {
        for number in values.indices where !values[number].directives.isEmpty {
            body(values[number].directives, location, values[number].position)
        }
    }
}
