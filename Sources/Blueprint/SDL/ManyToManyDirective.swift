import GraphQL

/// One side of a relation by `@manyToMany`.
struct JoinSide {
    let model: ObjectTypeDefinition
    let field: FieldDefinition
    let directive: Directive
    let relationName: String

    var name: String { model.name.text }
    /// The field of the join model that leads to this side.
    var fieldName: String { Names.lower(name) }
}

/// `@manyToMany`: two lists that face each other get a model between them, whose records join the two.
extension SDLReading {
    mutating func readManyToMany() {
        let step = DiagnosticLog.Step.visit(.manyToMany)
        for use in uses(of: "manyToMany", step: step) {
            guard let field = use.field else { continue }
            if !settings.allowGen1Patterns {
                log.warning(
                    "@manyToMany is deprecated. Use a model of its own between \(use.typeName) and \(field.typeName), "
                        + "with a @belongsTo to each.", at: use.position, step: .visit(.model))
            }
            guard case .object(let object, _) = use.owner, use.owner.isModel else {
                log.error("@manyToMany must be on an @model object type field.", at: use.position, step: step)
                continue
            }
            guard field.isList else {
                log.error("@manyToMany must be used with a list.", at: use.position, step: step)
                continue
            }
            let relation = use.directive.text("relationName") ?? ""
            let name = Names.joinModel(relation)
            let side = JoinSide(model: object, field: field, directive: use.directive, relationName: relation)
            if joins[name] == nil { joinOrder.append(name) }
            guard (joins[name]?.count ?? 0) < 2 else {
                log.error(
                    "@manyToMany relation '\(relation)' must be used in exactly two locations.", at: use.position,
                    step: step)
                continue
            }
            joins[name, default: []].append(side)
        }
        checkJoins()
    }

    private mutating func checkJoins() {
        for name in joinOrder {
            guard let sides = joins[name], let first = sides.first else { continue }
            if let (message, side) = joinRefusal(name, sides) {
                log.error(message, at: (side ?? first).directive.position, step: .validate(.manyToMany))
                joins[name] = nil
            }
        }
    }

    private func joinRefusal(_ name: String, _ sides: [JoinSide]) -> (String, JoinSide?)? {
        guard sides.count == 2 else {
            return ("@manyToMany relation '\(name)' must be used in exactly two locations.", sides.first)
        }
        let (first, second) = (sides[0], sides[1])
        for (side, other) in [(first, second), (second, first)] where side.field.typeName != other.name {
            return (
                "@manyToMany relation '\(name)' expects '\(side.field.typeName)' but got '\(other.name)'.", side
            )
        }
        let isTaken = schema.definitions.contains { definition in
            if case .type(let type) = definition { return type.name.text == name }
            return false
        }
        guard !isTaken else {
            return (
                "@manyToMany relation name '\(name)' (derived from '\(first.relationName)') already exists as a type "
                    + "in the schema.", first
            )
        }
        return nil
    }

    /// Makes a model for each pair of sides: an id, the keys of both, and a relation to each.
    mutating func makeJoinModels() {
        for name in joinOrder {
            guard let sides = joins[name], sides.count == 2, !isRefused(join: name, sides) else { continue }
            let definition = joinDefinition(name, sides)
            var model = ModelDraft(
                definition, operations: ModelOperations(defaultsFor: name, isSynced: settings.isSynced),
                timestamps: Timestamps())
            model.isJoin = true
            models[name] = model
            modelOrder.append(name)
            for side in sides { addJoinRelation(to: side, join: name) }
            for side in sides { addJoinIndex(for: side, join: name, definition) }
            addJoinRules(name, sides)
        }
    }

    /// What is found out only when the model is made.
    private mutating func isRefused(join name: String, _ sides: [JoinSide]) -> Bool {
        if schema.roots.contains(name), let first = sides.first {
            log.error(
                "'\(name)' is a reserved type name and currently in use within the default schema element.",
                at: first.directive.position, step: .prepare(.manyToMany), hint: "Give the relation another name.")
            return true
        }
        for side in sides where storedFieldName(of: side) != side.fieldName {
            // The sort fields of the join model have the name of the model, its keys that of its data.
            guard let sort = joinedKeyFields(of: side.name).dropFirst().first else { continue }
            log.error(
                "\(storedFieldName(of: side))\(sort.field) is not a field in \(name)", at: side.directive.position,
                step: .prepare(.manyToMany),
                hint:
                    "A model with @mapsTo and a key of several fields cannot be in a @manyToMany: write a model with two "
                    + "@belongsTo.")
            return true
        }
        return false
    }

    private func joinDefinition(_ name: String, _ sides: [JoinSide]) -> ObjectTypeDefinition {
        func required(_ name: String, _ type: String) -> FieldDefinition {
            FieldDefinition(name: Name(name), type: TypeReference(Name(type)).nonNull)
        }
        var fields = [required("id", "ID")]
        for side in sides { fields += joinKey(of: side).map { required($0.field, $0.typeName) } }
        for side in sides { fields.append(required(side.fieldName, side.name)) }
        return ObjectTypeDefinition(name: Name(name), directives: [Directive(name: "model")], fields: fields)
    }

    /// The fields of the join model that repeat the key of a side.
    private func joinKey(of side: JoinSide) -> [KeyPart] {
        joinKey(of: side, named: side.fieldName)
    }

    private func joinKey(of side: JoinSide, named name: String) -> [KeyPart] {
        joinedKeyFields(of: side.name).enumerated().map { number, part in
            let isPartition = number == 0
            let suffix =
                !isPartition
                ? part.field : settings.respectPrimaryKeyAttributesOnConnectionField ? Names.upper(part.field) : "ID"
            return KeyPart(field: name + suffix, typeName: part.typeName)
        }
    }

    /// What the field that leads to a side would be called if the model had the name of its stored data.
    private func storedFieldName(of side: JoinSide) -> String {
        Names.lower(models[side.name]?.storedName ?? side.name)
    }

    private mutating func addJoinRelation(to side: JoinSide, join: String) {
        let key = joinKey(of: side).map(\.field)
        let own = joinedKeyFields(of: side.name).map(\.field)
        add(
            Relation(
                kind: .hasOne, model: join, field: side.fieldName, target: side.name, lookup: .primaryKey,
                link: .fields, sourceFields: key, targetFields: own, isRequired: true))
        add(
            Relation(
                kind: .manyToMany, model: side.name, field: side.field.name.text, target: join,
                lookup: .index(joinIndexName(side)), link: .fields, sourceFields: own, targetFields: key,
                limit: side.directive.integer("limit") ?? Relation.limitDefault))
    }

    /// Indexes keep the name under which the data was stored first.
    private func joinIndexName(_ side: JoinSide) -> String { "by\(models[side.name]?.storedName ?? side.name)" }

    private mutating func addJoinIndex(for side: JoinSide, join: String, _ definition: ObjectTypeDefinition) {
        let name = joinIndexName(side)
        let key = joinKey(of: side)
        guard let partition = key.first else { return }
        guard models[join]?.indexes.contains(where: { $0.name == name }) == false else {
            log.error(
                "You may only supply one @index with the name '\(name)' on type '\(join)'.",
                at: side.directive.position, step: .prepare(.manyToMany),
                hint: "A model cannot be joined with itself: use a model of its own with two @belongsTo.")
            return
        }
        // The query keeps the names under which the data was stored first, as the index does.
        let stored = joinKey(of: side, named: storedFieldName(of: side)).map(\.field)
        let query = settings.enableAutoIndexQueryNames ? Names.indexQuery(join, fields: stored) : nil
        addIndex(
            ModelIndex(
                name: name, partition: partition, sort: Array(key.dropFirst()), query: query,
                argument: stored.first), to: join, at: side.directive.position)
    }
}
