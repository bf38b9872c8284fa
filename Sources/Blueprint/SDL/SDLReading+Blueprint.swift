import GraphQL

/// Puts together what was read.
extension SDLReading {
    func blueprint(isSandbox: Bool) -> Blueprint {
        let added = addedKeyFields()
        let models = modelOrder.compactMap { name in
            self.models[name].map { model(from: $0, keyFields: added[name] ?? []) }
        }
        return Blueprint(
            settings: settings, models: models, types: customTypes(), roots: schema.roots, isSandbox: isSandbox,
            handledSubscriptions: handledSubscriptions, conversations: conversations,
            overriddenOperations: overriddenOperations(of: models))
    }

    /// The operations of models for which the project has handlers of its own.
    private func overriddenOperations(of models: [Model]) -> [OperationType: [ModelField]] {
        guard !notes.resolvers.isEmpty else { return [:] }
        var overridden: [OperationType: [ModelField]] = [:]
        for model in models {
            let names = model.operations
            let queries = [names.get, names.list, names.sync, model.search?.name] + model.indexes.map(\.query)
            let mutations = [names.create, names.update, names.delete]
            for (operation, names) in [(OperationType.query, queries), (.mutation, mutations)] {
                let root = schema.roots.name(of: operation)
                for name in names.compactMap(\.self) {
                    let steps = notes.resolvers[FieldPath(type: root, field: name)]
                    guard let resolver = steps?.fitting(nil, version: settings.transformerVersion) else { continue }
                    overridden[operation, default: []].append(
                        ModelField(
                            name: name, type: TypeReference(named: model.name),
                            resolver: resolver.onTable(of: model.name)))
                }
            }
        }
        return overridden
    }

    /// The foreign keys that relations add to each model, in the order of the relations.
    private func addedKeyFields() -> [String: [KeyField]] {
        var added: [String: [KeyField]] = [:]
        for name in modelOrder {
            for relation in models[name]?.relations ?? [] {
                added[relation.keyOwner, default: []] += relation.keyFields
            }
        }
        return added
    }

    private func model(from draft: ModelDraft, keyFields: [KeyField]) -> Model {
        let definition = draft.definition
        let extensions = schema.extensionFields[draft.name] ?? []
        let head = schema.extensionHeads[draft.name]
        var directives = kept(definition.directives)
        if let head { directives.add(kept(head.directives)) }
        var names = Set((definition.fields + extensions).map(\.name.text))
        return Model(
            name: draft.name, description: definition.description?.value,
            fields: fields(definition.fields, of: draft.name)
                + fields(extensions, of: draft.name, isExtension: true),
            keyFields: keyFields.filter { names.insert($0.name).inserted },
            interfaces: (definition.interfaces + (head?.interfaces ?? [])).map(\.text), directives: directives,
            key: draft.key,
            indexes: draft.indexes, relationIndexes: draft.relationIndexes, relations: draft.relations,
            timestamps: draft.timestamps, operations: draft.operations, rules: draft.rules, matrix: draft.matrix,
            search: draft.search,
            conflictStrategy: settings.conflictStrategy(of: draft.name),
            storedName: draft.storedName, isJoin: draft.isJoin, isSQL: notes.sqlModels.contains(draft.name),
            versioning: draft.versioning,
            position: definition.name.position)
    }

    private func fields(_ fields: [FieldDefinition], of type: String, isExtension: Bool = false) -> [ModelField] {
        fields.map { field in
            let path = FieldPath(type: type, field: field.name.text)
            // What stands in the place of a relation works on the table that it leads to.
            let relation = models[type]?.relations.first { $0.field == field.name.text }
            let resolver = relation.map { resolvers[path]?.onTable(of: $0.target) } ?? resolvers[path]
            return ModelField(
                name: field.name.text, description: field.description?.value, type: field.type,
                arguments: field.arguments, directives: kept(field.directives), rules: fieldRules[path],
                defaultValue: defaults[path], validations: validations[path] ?? [], resolver: resolver,
                isGenerated: generated.contains(path), isExtension: isExtension, position: field.position)
        }
    }

    private func kept(_ directives: [Directive]) -> [Directive] {
        directives.filter { AmplifyDirectives.kept.contains($0.name.text) }
    }

    // The other types, each with what extensions add to it.

    private func customTypes() -> [CustomType] {
        var types: [String: CustomType] = [:]
        var order: [String] = []
        for definition in schema.definitions {
            guard case .type(let type) = definition, types[type.name.text] == nil,
                models[type.name.text] == nil, type.name.text != Sandbox.inputName
            else { continue }
            types[type.name.text] = customType(type, isExtension: false)
            order.append(type.name.text)
        }
        for definition in schema.definitions {
            guard case .typeExtension(let type) = definition, let base = types[type.name.text] else { continue }
            types[type.name.text] = base.extended(by: customType(type, isExtension: true))
        }
        return order.compactMap { types[$0] }
    }

    private func customType(_ type: TypeDefinition, isExtension: Bool) -> CustomType {
        let name = type.name.text
        var parts = CustomType.Parts()
        let kind: CustomType.Kind
        switch type {
        case .scalar: kind = .scalar
        case .object(let object):
            kind = .object
            parts.fields = fields(object.fields, of: name, isExtension: isExtension)
            parts.interfaces = object.interfaces.map(\.text)
        case .interface(let interface):
            kind = .interface
            parts.fields = fields(interface.fields, of: name, isExtension: isExtension)
            parts.interfaces = interface.interfaces.map(\.text)
        case .union(let union):
            kind = .union
            parts.members = union.members.map(\.text)
        case .enum(let enumeration):
            kind = .enumeration
            parts.values = enumeration.values
        case .inputObject(let input):
            kind = .input
            parts.inputFields = input.fields
        }
        return CustomType(
            kind: kind, name: name, description: type.description?.value, parts: parts,
            directives: kept(type.directives), position: type.name.position)
    }
}

extension CustomType {
    /// What a type of some kind consists of.
    fileprivate struct Parts {
        var fields: [ModelField] = []
        var inputFields: [InputValueDefinition] = []
        var values: [EnumValueDefinition] = []
        var members: [String] = []
        var interfaces: [String] = []
    }

    fileprivate init(
        kind: Kind, name: String, description: String?, parts: Parts, directives: [Directive], position: Position
    ) {
        self.init(
            kind: kind, name: name, description: description, fields: parts.fields, inputFields: parts.inputFields,
            values: parts.values, members: parts.members, interfaces: parts.interfaces, directives: directives,
            position: position)
    }

    /// The type with what an `extend` adds to it.
    fileprivate func extended(by other: CustomType) -> CustomType {
        let names = Set(directives.map(\.name.text))
        return CustomType(
            kind: kind, name: name, description: description, fields: fields + other.fields,
            inputFields: inputFields + other.inputFields, values: values + other.values,
            members: members + other.members, interfaces: interfaces + other.interfaces,
            directives: directives + other.directives.filter { !names.contains($0.name.text) }, position: position)
    }
}
