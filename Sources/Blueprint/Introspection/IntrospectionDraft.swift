import GraphQL
import JSON

/// A schema on its way to its introspection.
struct IntrospectionDraft {
    /// True if the schema is for version 1 of the transformer.
    let isLegacy: Bool
    /// The models in the order of the schema, then the join models.
    var models: [IntrospectedModel] = []
    /// The other object types, but for the root types.
    private(set) var objects: [IntrospectedModel] = []
    private(set) var enums: [(name: String, values: [String])] = []
    private(set) var inputs: [(name: String, fields: [IntrospectedField])] = []
    /// Interfaces and unions, of which clients know nothing.
    private(set) var abstractTypes: Set<String> = []
    private(set) var operations: [OperationType: [IntrospectedField]] = [:]
    private var numbers: [String: Int] = [:]

    /// An input that is a setting rather than a type.
    private static let setting = "AMPLIFY"

    init(_ document: Document, transformerVersion: Int) {
        isLegacy = transformerVersion == 1
        let roots = AmplifyDocument(document.definitions).roots
        for type in Self.merged(document.definitions) { add(type, roots) }
    }

    func number(ofModel name: String) -> Int? { numbers[name] }

    func model(_ name: String) -> IntrospectedModel? { numbers[name].map { models[$0] } }

    mutating func add(_ model: IntrospectedModel) {
        // A join model goes before a declared one of its name, which no schema has.
        if let number = numbers[model.name] {
            models[number] = model
        } else {
            numbers[model.name] = models.count
            models.append(model)
        }
    }

    // MARK: The types of the schema

    /// The types in their order, each with what extensions add to it.
    private static func merged(_ definitions: [Definition]) -> [TypeDefinition] {
        var types: [TypeDefinition] = []
        var numbers: [String: Int] = [:]
        for definition in definitions {
            switch definition {
            case .type(let type), .typeExtension(let type):
                if let number = numbers[type.name.text] {
                    types[number].append(type)
                } else {
                    numbers[type.name.text] = types.count
                    types.append(type)
                }
            default: break
            }
        }
        return types
    }

    private mutating func add(_ type: TypeDefinition, _ roots: RootTypes) {
        switch type {
        case .object(let object): add(object, roots)
        case .enum(let type): enums.append((type.name.text, Self.values(of: type)))
        case .inputObject(let input) where input.name.text != Self.setting:
            inputs.append((input.name.text, input.fields.map(IntrospectedField.init)))
        case .interface(let type): abstractTypes.insert(type.name.text)
        case .union(let type): abstractTypes.insert(type.name.text)
        case .inputObject, .scalar: break
        }
    }

    private mutating func add(_ object: ObjectTypeDefinition, _ roots: RootTypes) {
        let type = IntrospectedModel(
            name: object.name.text, directives: object.directives.map(IntrospectedDirective.init),
            fields: object.fields.map(IntrospectedField.init))
        if let operation = [OperationType.query, .mutation, .subscription].first(where: {
            roots.name(of: $0) == type.name
        }) {
            operations[operation, default: []] += type.fields
        } else if type.directives.contains(where: { $0.name == "model" }) {
            add(completed(type))
        } else {
            objects.append(type)
        }
    }

    /// The values of an enum, of which those that differ in their case alone are one.
    private static func values(of type: EnumTypeDefinition) -> [String] {
        var values = JSONObject()
        for value in type.values { values[WordCase.constant(value.name.text)] = .string(value.name.text) }
        // JavaScript lists names that are numbers first.
        let numbers = values.members.compactMap { member in
            UInt32(member.key).flatMap { String($0) == member.key && $0 < .max ? ($0, member.value) : nil }
        }
        let others = values.members.filter { member in
            UInt32(member.key).map { String($0) != member.key || $0 == .max } ?? true
        }
        return (numbers.sorted { $0.0 < $1.0 }.map(\.1) + others.map(\.value)).compactMap(\.string)
    }

    // MARK: Models

    /// A model with its key, its timestamps, and `id` in front.
    func completed(_ model: IntrospectedModel) -> IntrospectedModel {
        var model = model
        model.key = isLegacy ? Self.version1Key(of: model) : Self.key(of: model)
        if model.key.isEmpty {
            model.key = ["id"]
            if let place = model.fields.firstIndex(where: { $0.name == "id" }) {
                model.fields[place].type.isNullable = false
            } else {
                model.fields.insert(IntrospectedField("id", IntrospectedUse("ID", isNullable: false)), at: 0)
            }
        } else {
            model.hasOwnKey = model.key != ["id"]
        }
        Self.addTimestamps(to: &model)
        model.fields = model.fields.filter { $0.name == "id" } + model.fields.filter { $0.name != "id" }
        return model
    }

    /// What `@primaryKey` says; empty when there is none.
    private static func key(of model: IntrospectedModel) -> [String] {
        guard let (field, directive) = model.uses(of: "primaryKey").first else { return [] }
        return [field.name] + (directive.texts("sortKeyFields") ?? [])
    }

    private static func addTimestamps(to model: inout IntrospectedModel) {
        let written = model.directives.first { $0.name == "model" }?.arguments["timestamps"]
        guard written?.isNull != true else { return }
        for name in ["createdAt", "updatedAt"] {
            let given = written?[name]?.string ?? ""
            model.add(IntrospectedField(given.isEmpty ? name : given, IntrospectedUse("AWSDateTime"), isReadOnly: true))
        }
    }
}

extension TypeDefinition {
    /// Adds what an extension of this type says.
    fileprivate mutating func append(_ other: TypeDefinition) {
        switch (self, other) {
        case (.object(var type), .object(let other)):
            type.fields += other.fields
            type.directives += other.directives
            self = .object(type)
        case (.enum(var type), .enum(let other)):
            // Amplify's generator puts what comes later in front, of values alone.
            type.values = other.values + type.values
            self = .enum(type)
        case (.inputObject(var type), .inputObject(let other)):
            type.fields += other.fields
            self = .inputObject(type)
        default: break
        }
    }
}
