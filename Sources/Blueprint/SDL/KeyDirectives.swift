import GraphQL

/// `@primaryKey` and `@index`: by which fields records are found, and in which order.
extension SDLReading {
    mutating func readPrimaryKeys() {
        let step = DiagnosticLog.Step.visit(.primaryKey)
        for use in uses(of: "primaryKey", step: step) {
            guard let field = use.field else { continue }
            let type = use.typeName
            func fail(_ message: String, hint: String? = nil) {
                log.error(message, at: use.position, step: step, hint: hint)
            }
            let sortFields = use.directive.names("sortKeyFields") ?? []
            guard !sortFields.contains(field.name.text) else {
                fail("@primaryKey field '\(field.name)' cannot reference itself.")
                continue
            }
            guard use.owner.isModel else {
                fail("The @primaryKey directive may only be added to object definitions annotated with @model.")
                continue
            }
            let others = use.owner.fields.filter { $0.name.text != field.name.text }
            guard !others.contains(where: { $0.directives.contains(named: "primaryKey") }) else {
                fail("You may only supply one primary key on type '\(type)'.")
                continue
            }
            guard field.isRequired else {
                fail(
                    "The primary key on type '\(type)' must reference non-null fields.",
                    hint: "Write \(field.name): \(field.type)!.")
                continue
            }
            guard schema.isScalarOrEnum(field.type), !field.isList else {
                fail("The primary key on type '\(type).\(field.name)' cannot be a non-scalar.")
                continue
            }
            guard let sort = primarySortParts(sortFields, of: use) else { continue }
            models[type]?.key = ModelKey(
                partition: KeyPart(field: field.name.text, typeName: field.typeName), sort: sort, isCustom: true)
            models[type]?.keyPosition = use.position
        }
    }

    private mutating func primarySortParts(_ names: [String], of use: DirectiveUse) -> [KeyPart]? {
        var parts: [KeyPart] = []
        for name in names {
            guard let message = primarySortRefusal(name, of: use) else {
                if let field = use.owner.fields.first(where: { $0.name.text == name }) {
                    parts.append(KeyPart(field: name, typeName: field.typeName))
                }
                continue
            }
            log.error(message, at: use.position, step: .visit(.primaryKey))
            return nil
        }
        return parts
    }

    private func primarySortRefusal(_ name: String, of use: DirectiveUse) -> String? {
        let type = use.typeName
        guard let field = use.owner.fields.first(where: { $0.name.text == name }) else {
            return "Can't find field '\(name)' in \(type), but it was specified in the primary key."
        }
        guard schema.isScalarOrEnum(field.type), !field.isList else {
            return "The primary key's sort key on type '\(type).\(name)' cannot be a non-scalar."
        }
        guard field.isRequired else { return "The primary key on type '\(type)' must reference non-null fields." }
        guard !ownerFields(of: use.owner).contains(name) else {
            return "The primary key's sort key type '\(name)' cannot be used as an owner @auth field too. "
                + "Please use another field for the sort key."
        }
        return nil
    }

    /// The fields that owner rules of a type fill with an identity of several parts. It is not shown as it is
    /// stored, so it cannot be part of a sort key.
    private func ownerFields(of owner: DirectiveUse.Owner) -> [String] {
        guard settings.useSubUsernameForDefaultIdentityClaim,
            case .list(let rules)? = owner.directives.first(named: "auth")?.argument("rules")
        else { return [] }
        return rules.values.compactMap(\.object).compactMap { rule in
            let claim = rule.value("identityClaim")?.text ?? settings.defaultIdentityClaim
            guard rule.value("allow")?.text == AccessRule.Strategy.owner.rawValue,
                claim.contains(bytesOf: AccessRule.claimSeparator)
            else { return nil }
            return rule.value("ownerField")?.text ?? AccessRule.defaultOwnerField
        }
    }

    mutating func readIndexes() {
        for use in uses(of: "index", step: .visit(.index)) {
            guard let field = use.field else { continue }
            let sortFields = use.directive.names("sortKeyFields") ?? []
            guard !use.directive.isNull("name") else {
                log.error(
                    "Explicit null value not allowed for name field on @index", at: use.position, step: .visit(.index))
                continue
            }
            func generated() -> String {
                Names.indexQuery(use.typeName, fields: [field.name.text] + sortFields)
            }
            let written = use.directive.text("name").flatMap { $0.isEmpty ? nil : $0 }
            let name = written ?? generated()
            if let message = indexRefusal(name, field: field, sortFields: sortFields, use: use) {
                log.error(message, at: use.position, step: .visit(.index))
                continue
            }
            let sort = sortFields.compactMap { name in
                use.owner.fields.first { $0.name.text == name }
                    .map { KeyPart(field: name, typeName: $0.typeName) }
            }
            addIndex(
                ModelIndex(
                    name: name, partition: KeyPart(field: field.name.text, typeName: field.typeName), sort: sort,
                    query: indexQuery(use.directive, generated: generated()), projection: projection(use, index: name),
                    isNameGenerated: written == nil), to: use.typeName, at: use.position)
        }
    }

    mutating func addIndex(_ index: ModelIndex, to model: String, at position: Position) {
        if index.query != nil, index.sort.count > 1 { checkTypeNames(of: index, on: model, at: position) }
        models[model]?.indexes.append(index)
        models[model]?.indexPositions[index.name] = position
    }

    /// A query by more than one sort field has types of its own, whose names have the index's name in them.
    private mutating func checkTypeNames(of index: ModelIndex, on model: String, at position: Position) {
        let name = Names.compositeKeyCondition(model, index: index.name)
        guard index.name.utf8.contains(where: { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-") }) else { return }
        log.error(
            "Names must match /^[_a-zA-Z][_a-zA-Z0-9]*$/ but \"\(name)\" does not.", at: position,
            step: .visit(.index),
            hint: "Name the index '\(index.name)' with letters, digits and underscores, or give it no query.")
    }

    private func indexQuery(_ directive: Directive, generated: @autoclosure () -> String) -> String? {
        if directive.isNull("queryField") { return nil }
        if let query = directive.text("queryField"), !query.isEmpty { return query }
        return settings.enableAutoIndexQueryNames ? generated() : nil
    }

    private mutating func projection(_ use: DirectiveUse, index: String) -> ModelIndex.Projection {
        guard let projection = use.directive.object("projection") else { return .all }
        switch projection.value("type")?.text {
        case "KEYS_ONLY": return .keysOnly
        case "INCLUDE":
            let attributes = projection.value("nonKeyAttributes")?.texts ?? []
            if attributes.isEmpty {
                log.error(
                    "@index '\(index)': nonKeyAttributes must be specified when projection type is INCLUDE",
                    at: use.position, step: .resolvers(.index))
            }
            return .include(attributes)
        default: return .all
        }
    }

    private func indexRefusal(
        _ name: String, field: FieldDefinition, sortFields: [String], use: DirectiveUse
    ) -> String? {
        let type = use.typeName
        guard Self.isIndexName(name) else {
            return "The indexName is invalid. It should be between 3 and 255 characters. "
                + "Only A–Z, a–z, 0–9, underscore characters, hyphens, and periods allowed."
        }
        guard !sortFields.contains(field.name.text) else {
            return "@index field '\(field.name)' cannot reference itself."
        }
        guard use.owner.isModel else {
            return "The @index directive may only be added to object definitions annotated with @model."
        }
        if let message = indexPeerRefusal(name, field: field, sortFields: sortFields, use: use) { return message }
        guard schema.isScalarOrEnum(field.type), !field.isList else {
            return "Index '\(name)' on type '\(type).\(field.name)' cannot be a non-scalar."
        }
        for sortName in sortFields {
            guard let sort = use.owner.fields.first(where: { $0.name.text == sortName }) else {
                return "Can't find field '\(sortName)' in \(type), but it was specified in index '\(name)'."
            }
            guard schema.isScalarOrEnum(sort.type), !sort.isList else {
                return "The sort key of index '\(name)' on type '\(type).\(sortName)' cannot be a non-scalar."
            }
        }
        return nil
    }

    /// What an index may not have in common with the primary key and with other indexes.
    private func indexPeerRefusal(
        _ name: String, field: FieldDefinition, sortFields: [String], use: DirectiveUse
    ) -> String? {
        var start: String {
            "Invalid @index '\(name)'. You may not create an index where the partition key is the same as "
                + "that of the primary key unless "
        }
        for peer in use.owner.fields where !peer.directives.isEmpty {
            for directive in peer.directives where directive.position.offset != use.position.offset {
                let isSameField = peer.name.text == field.name.text
                if directive.name.text == "primaryKey", isSameField {
                    guard !(directive.names("sortKeyFields") ?? []).isEmpty else {
                        return start + "the primary key has a sort field. "
                            + "You cannot have a local secondary index without a sort key in the primary key."
                    }
                    guard settings.secondaryKeyAsGSI || !sortFields.isEmpty else {
                        return start + "the index has a sort field. "
                            + "You cannot have a local secondary index without a sort key in the index."
                    }
                }
                if directive.name.text == "index", directive.text("name") == name {
                    return "You may only supply one @index with the name '\(name)' on type '\(use.typeName)'."
                }
            }
        }
        return nil
    }

    private static func isIndexName(_ name: String) -> Bool {
        (3...255).contains(name.utf8.count)
            && name.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."):
                    true
                default: false
                }
            }
    }

    /// Checks that keys have types that can be compared, which Amplify finds out only when it makes tables and queries.
    mutating func checkKeyTypes() {
        for name in modelOrder {
            guard let model = models[name] else { continue }
            if model.key.isCustom {
                checkKeyTypes(
                    model.key.parts, isQueried: model.operations.list != nil, at: model.keyPosition,
                    transformer: .primaryKey)
            }
            for index in model.indexes {
                let position = model.indexPositions[index.name] ?? .none
                checkKeyTypes(index.parts, isQueried: index.query != nil, at: position, transformer: .index)
            }
        }
    }

    private mutating func checkKeyTypes(
        _ parts: [KeyPart], isQueried: Bool, at position: Position, transformer: DiagnosticLog.Transformer
    ) {
        func isBoolean(_ part: KeyPart) -> Bool { ScalarKind(scalar: part.typeName) == .boolean }
        guard let partition = parts.first else { return }
        // Several sort fields are stored as one text, but a query looks at each.
        let isComposite = parts.count > 2 && isQueried
        if let part = isBoolean(partition) ? partition : isComposite ? parts.first(where: isBoolean) : nil {
            log.error(
                "Boolean values cannot be used as sort keys.", at: position, step: .resolvers(transformer),
                hint: "Use an enum or an Int for \(part.field).")
        }
        if parts.count == 2, isBoolean(parts[1]) {
            log.error(
                "Sort Key Condition could not be constructed for field '\(parts[1].field)'", at: position,
                step: .schema(transformer), hint: "Use an enum or an Int for \(parts[1].field).")
        }
    }
}
