import JSON

extension IntrospectionDraft {
    /// The place of one side of a `@manyToMany`.
    private struct Side {
        let model: Int
        let field: Int
    }

    /// Makes the join model of each `@manyToMany`, and turns its two sides into relations to it.
    mutating func makeJoins() {
        var sides: [String: [Side]] = [:]
        var order: [String] = []
        for (model, declared) in models.enumerated() {
            for (field, use) in declared.fields.enumerated() {
                guard let relation = use.directive("manyToMany")?.text("relationName") else { continue }
                let name = Names.joinModel(relation)
                if sides[name] == nil { order.append(name) }
                sides[name, default: []].append(Side(model: model, field: field))
            }
        }
        for name in order {
            guard let pair = sides[name], pair.count == 2 else { continue }
            add(joinModel(name, models[pair[0].model], models[pair[1].model]))
            for side in pair { turn(side, to: name) }
        }
    }

    private func joinModel(_ name: String, _ first: IntrospectedModel, _ second: IntrospectedModel) -> IntrospectedModel
    {
        var model = IntrospectedModel(
            name: name, directives: [IntrospectedDirective(name: "model")],
            fields: [IntrospectedField("id", IntrospectedUse("ID", isNullable: false))])
        for side in [first, second] { model.fields += Self.links(to: side) }
        for side in [first, second] {
            var belongs = IntrospectedDirective(name: "belongsTo")
            belongs.arguments["fields"] = .array(Self.links(to: side).map { .string($0.name) })
            model.fields.append(
                IntrospectedField(
                    WordCase.camel(side.name), IntrospectedUse(side.name, isNullable: false), directives: [belongs]))
        }
        for rule in (first.directives + second.directives) where rule.name == "auth" && !model.directives.contains(rule)
        {
            model.directives.append(rule)
        }
        Self.addKeys(to: &model)
        // The rules come behind the keys in any case.
        return completed(model)
    }

    /// The fields that hold the key of one side, the first with the index by which that side finds its records.
    private static func links(to model: IntrospectedModel) -> [IntrospectedField] {
        let sortFields = sortFields(of: model)
        let sortNames = sortFields.map { Names.lower(model.name) + $0.name }
        var index = IntrospectedDirective(name: "index")
        index.arguments["name"] = .string("by\(model.name)")
        index.arguments["sortKeyFields"] = .array(sortNames.map { .string($0) })
        let key = Names.camel([model.name, model.key.first ?? "id"])
        return [IntrospectedField(key, IntrospectedUse("ID"), directives: [index])]
            + zip(sortNames, sortFields).map { name, field in
                IntrospectedField(name, IntrospectedUse(field.type.name, isList: field.type.isList))
            }
    }

    private static func sortFields(of model: IntrospectedModel) -> [IntrospectedField] {
        model.key.dropFirst().compactMap(model.field)
    }

    private mutating func turn(_ side: Side, to join: String) {
        let model = models[side.model]
        var many = IntrospectedDirective(name: "hasMany")
        many.arguments["indexName"] = .string("by\(model.name)")
        many.arguments["fields"] = .array(model.key.map { .string($0) })
        models[side.model].fields[side.field].directives.removeAll { $0.name == "manyToMany" }
        models[side.model].fields[side.field].directives.append(many)
        models[side.model].fields[side.field].type.name = join
    }
}
