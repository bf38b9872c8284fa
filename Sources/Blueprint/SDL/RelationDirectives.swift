import GraphQL

/// A relation as it is written, before anything is looked up on its other side.
struct RelationDraft {
    let kind: Relation.Kind
    let model: String
    let field: FieldDefinition
    let directive: Directive
    let fields: [String]
    let references: [String]

    var target: String { field.typeName }
    var position: Position { directive.position }
    /// `Post.comments`
    var path: String { "\(model).\(field.name)" }

    var transformer: DiagnosticLog.Transformer {
        switch kind {
        case .hasMany: .hasMany
        case .hasOne: .hasOne
        case .belongsTo: .belongsTo
        case .manyToMany: .manyToMany
        }
    }
}

/// `@hasMany`, `@hasOne` and `@belongsTo`: fields that lead to other models. Here they are checked where they stand;
/// `RelationResolving` finds out what they look up.
extension SDLReading {
    mutating func readRelations(_ kind: Relation.Kind) {
        for use in uses(of: kind.rawValue, step: visitStep(of: kind)) {
            guard let field = use.field else { continue }
            warnOfGen1Pattern(use, field)
            do throws(DirectiveRefusal) {
                relationDrafts.append(try relation(kind, field, use))
            } catch {
                log.error(error.message, at: use.position, step: visitStep(of: kind), hint: error.hint)
            }
        }
    }

    private func visitStep(of kind: Relation.Kind) -> DiagnosticLog.Step {
        switch kind {
        case .hasMany: .visit(.hasMany)
        case .hasOne: .visit(.hasOne)
        case .belongsTo: .visit(.belongsTo)
        case .manyToMany: .visit(.manyToMany)
        }
    }

    private mutating func warnOfGen1Pattern(_ use: DirectiveUse, _ field: FieldDefinition) {
        guard !settings.allowGen1Patterns else { return }
        let name = use.directive.name
        if use.directive.has("fields") || !use.directive.has("references") {
            log.warning(
                "@\(name) without references is deprecated. Modify \(use.typeName).\(field.name) to use references.",
                at: use.position, step: .visit(.model))
        }
    }

    private func relation(
        _ kind: Relation.Kind, _ field: FieldDefinition, _ use: DirectiveUse
    ) throws(DirectiveRefusal) -> RelationDraft {
        let directive = use.directive
        let name = kind.rawValue
        guard schema.isModel(field.typeName) else {
            throw DirectiveRefusal("Object type \(field.typeName) must be annotated with @model.")
        }
        let fields = directive.names("fields")
        let references = directive.texts("references")
        let draft = RelationDraft(
            kind: kind, model: use.typeName, field: field, directive: directive, fields: fields ?? [],
            references: references ?? [])
        if directive.text("overrideIndexName") != nil, (references ?? []).isEmpty {
            throw DirectiveRefusal(
                "overrideIndexName cannot be used on @\(name) without references. "
                    + "Modify \(draft.path) to use references or remove overrideIndexName.")
        }
        if let references {
            guard (fields ?? []).isEmpty else {
                throw DirectiveRefusal("fields and references cannot be defined in the same \(name). Use 'references'")
            }
            guard !references.isEmpty else {
                throw DirectiveRefusal("Invalid @\(name) directive on \(field.name) - empty references list")
            }
            try checkReferences(draft, owner: use.owner)
        } else {
            try checkFields(fields, of: draft, owner: use.owner)
        }
        guard use.owner.isModel else { throw DirectiveRefusal("@\(name) must be on an @model object type field.") }
        try checkShape(of: draft)
        return draft
    }

    private func checkShape(of draft: RelationDraft) throws(DirectiveRefusal) {
        switch draft.kind {
        case .hasMany where !draft.field.isList:
            throw DirectiveRefusal("@hasMany must be used with a list. Use @hasOne for non-list types.")
        case .hasOne where draft.field.isList:
            throw DirectiveRefusal("@hasOne cannot be used with lists. Use @hasMany instead.")
        case .belongsTo where draft.field.isList: throw DirectiveRefusal("@belongsTo cannot be used with lists.")
        default: break
        }
        if draft.kind == .belongsTo {
            guard counterpart(of: draft) != nil else {
                throw DirectiveRefusal(
                    "\(draft.target) must have a relationship with \(draft.model) in order to use @belongsTo.",
                    hint: "Add a @hasOne or @hasMany field of type \(draft.model) to \(draft.target), or use @hasOne.")
            }
        } else if settings.isSynced, draft.model != draft.target, hasOwningRelation(draft.target, to: draft.model) {
            throw DirectiveRefusal(
                "\(draft.model) and \(draft.target) cannot refer to each other via @hasOne or @hasMany when DataStore "
                    + "is in use. Use @belongsTo instead. See "
                    + "https://docs.amplify.aws/cli/graphql/data-modeling/#belongs-to-relationship")
        }
    }

    private func hasOwningRelation(_ type: String, to other: String) -> Bool {
        (schema.objects[type]?.fields ?? []).contains { field in
            field.typeName == other
                && (field.directives.contains(named: "hasOne") || field.directives.contains(named: "hasMany"))
        }
    }

    /// The first field of the other type that owns the relation that a `@belongsTo` belongs to.
    func counterpart(of draft: RelationDraft) -> FieldDefinition? {
        (schema.objects[draft.target]?.fields ?? []).first { field in
            field.typeName == draft.model
                && (field.directives.contains(named: "hasOne") || field.directives.contains(named: "hasMany"))
        }
    }

    private func checkFields(
        _ fields: [String]?, of draft: RelationDraft, owner: DirectiveUse.Owner
    ) throws(DirectiveRefusal) {
        let name = draft.kind.rawValue
        guard let fields else { return }
        guard !fields.isEmpty else { throw DirectiveRefusal("No fields passed to @\(name) directive.") }
        for fieldName in fields {
            guard let field = owner.fields.first(where: { $0.name.text == fieldName }) else {
                throw DirectiveRefusal(
                    "\(fieldName) is not a field in \(draft.model)",
                    hint: fieldName == "id" ? "Declare it: write id: ID! in type \(draft.model)." : nil)
            }
            guard schema.isScalarOrEnum(field.type) else {
                throw DirectiveRefusal("All fields provided to @\(name) must be scalar or enum fields.")
            }
        }
    }
}

/// Why a directive is refused.
struct DirectiveRefusal: Error {
    let message: String
    let hint: String?
    /// The authorization mode that the project lacks.
    let missingMode: AuthMode?

    init(_ message: String, hint: String? = nil, missingMode: AuthMode? = nil) {
        self.message = message
        self.hint = hint
        self.missingMode = missingMode
    }
}
