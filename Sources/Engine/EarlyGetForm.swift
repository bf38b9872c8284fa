import Blueprint
import GraphQL
import JSON

/// The form in which an early client library asks for one record, and Amplify's guide still does:
///
///     query getPost($input: GetPostInput!) { getPost(input: $input) { title } }       { "input": { "id": "1" } }
///     query getPost($id: ID!)              { getPost(id: $id)       { title } }       { "id": "1" }
///
/// The first is read as the second. The schema has neither the argument nor the type, so introspection does not show them.
/// A document in which the variable is used for anything else is left as it is, and refused for the unknown type.
struct EarlyGetForm: Sendable {
    private struct Get: Sendable {
        let inputName: String
        let key: [KeyPart]
    }

    /// A document in the form that the schema knows, and the variables whose fields are variables in it.
    struct Rewriting {
        var document: Document
        var variables: [EarlyGetVariable] = []
    }

    private static let argumentName = "input"

    /// By the name of the query.
    private let gets: [ByteText: Get]
    /// The keys of models by the names of the types.
    private let keys: [ByteText: [KeyPart]]
    private let queryName: String

    init(_ blueprint: Blueprint) {
        queryName = blueprint.roots.query
        var gets: [ByteText: Get] = [:]
        var keys: [ByteText: [KeyPart]] = [:]
        for model in blueprint.models {
            // A key that has such a field has the argument, with a meaning of its own.
            guard let get = model.operations.get, !model.key.fields.contains(Self.argumentName) else { continue }
            let inputName = "Get\(model.name)Input"
            gets[get] = Get(inputName: inputName, key: model.key.parts)
            if blueprint.type(named: inputName) == nil, !blueprint.hasModel(named: inputName) {
                keys[inputName] = model.key.parts
            }
        }
        self.gets = gets
        self.keys = keys
    }

    func rewritten(_ document: Document) -> Rewriting {
        var rewriting = Rewriting(document: document)
        guard document.definitions.contains(where: { selections(of: $0)?.contains(where: isEarly) ?? false }) else {
            return rewriting
        }
        rewriting.variables = variables(of: document)
        let names = Dictionary(
            texts: rewriting.variables.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        rewriting.document.definitions = document.definitions.map { definition in
            switch definition {
            case .operation(var operation) where operation.operation == .query:
                operation.selectionSet = rewritten(operation.selectionSet, names)
                operation.variableDefinitions = operation.variableDefinitions.flatMap { definition in
                    names[definition.variable.text].map { $0.definitions(in: definition) } ?? [definition]
                }
                return .operation(operation)
            case .fragment(var fragment) where fragment.typeCondition.text == queryName:
                fragment.selectionSet = rewritten(fragment.selectionSet, names)
                return .fragment(fragment)
            default: return definition
            }
        }
        return rewriting
    }

    // MARK: Fields of the query type

    /// What a definition selects of the query type itself.
    private func selections(of definition: Definition) -> SelectionSet? {
        switch definition {
        case .operation(let operation) where operation.operation == .query: operation.selectionSet
        case .fragment(let fragment) where fragment.typeCondition.text == queryName: fragment.selectionSet
        default: nil
        }
    }

    private func isOfQuery(_ fragment: InlineFragment) -> Bool {
        fragment.typeCondition.map { $0.text == queryName } ?? true
    }

    private func isEarly(_ selection: Selection) -> Bool {
        switch selection {
        case .field(let field): get(of: field) != nil
        case .inlineFragment(let fragment): isOfQuery(fragment) && fragment.selectionSet.contains(where: isEarly)
        case .fragmentSpread: false
        }
    }

    /// The query of a field whose one argument is the early one.
    private func get(of field: Field) -> Get? {
        guard field.arguments.count == 1, field.arguments.first?.name.text == Self.argumentName else { return nil }
        return gets[field.name.text]
    }

    private func rewritten(_ selections: SelectionSet, _ names: [ByteText: EarlyGetVariable]) -> SelectionSet {
        guard selections.contains(where: isEarly) else { return selections }
        return SelectionSet(
            selections.map { selection in
                switch selection {
                case .field(var field):
                    guard let get = get(of: field), let value = field.arguments.first?.value else { return selection }
                    if case .object(let input) = value {
                        field.arguments = input.fields.map { Argument(name: $0.name, value: $0.value) }
                    } else if case .variable(let name) = value, let variable = names[name.text],
                        variable.typeName == get.inputName
                    {
                        field.arguments = variable.arguments(at: name.position)
                    }
                    return .field(field)
                case .inlineFragment(var fragment) where isOfQuery(fragment):
                    fragment.selectionSet = rewritten(fragment.selectionSet, names)
                    return .inlineFragment(fragment)
                default: return selection
                }
            })
    }

    // MARK: Variables

    /// The variables of such types that stand for such inputs, wherever they are used.
    private func variables(of document: Document) -> [EarlyGetVariable] {
        var types: [ByteText: Set<ByteText>] = [:]
        var order: [(name: String, typeName: String)] = []
        for case .operation(let operation) in document.definitions {
            for definition in operation.variableDefinitions {
                let (name, type) = (definition.variable.text, definition.type)
                if types[name] == nil, type.wrapping.isNamed, keys[type.name.text] != nil {
                    order.append((name, type.name.text))
                }
                types[name, default: []].add(type.wrapping.isNamed ? type.name.text : "\(type)")
            }
        }
        guard !order.isEmpty else { return [] }
        var uses = VariableUses(of: document)
        for definition in document.definitions {
            if let selections = selections(of: definition) { takeEarlyUses(in: selections, from: &uses) }
        }
        var taken = Set(types.keys)
        return order.compactMap { name, typeName in
            guard types[name]?.count == 1, uses.others(of: name, asType: typeName) == 0, let key = keys[typeName] else {
                return nil
            }
            return EarlyGetVariable(name: name, typeName: typeName, key: key, avoiding: &taken)
        }
    }

    private func takeEarlyUses(in selections: SelectionSet, from uses: inout VariableUses) {
        for selection in selections {
            switch selection {
            case .field(let field):
                guard let get = get(of: field), case .variable(let name)? = field.arguments.first?.value else {
                    continue
                }
                uses.take(name.text, asType: get.inputName)
            case .inlineFragment(let fragment) where isOfQuery(fragment):
                takeEarlyUses(in: fragment.selectionSet, from: &uses)
            default: continue
            }
        }
    }
}

/// How often a document uses its variables, and as what.
private struct VariableUses {
    private var counts: [ByteText: Int] = [:]
    private var early: [ByteText: [ByteText: Int]] = [:]

    init(of document: Document) {
        for definition in document.definitions {
            switch definition {
            case .operation(let operation):
                add(operation.directives)
                add(operation.selectionSet)
            case .fragment(let fragment):
                add(fragment.directives)
                add(fragment.selectionSet)
            default: break
            }
        }
    }

    /// One of the uses is as the input of a query.
    mutating func take(_ name: String, asType type: String) { early[name, default: [:]][type, default: 0] += 1 }

    /// The uses as anything else.
    func others(of name: String, asType type: String) -> Int { (counts[name] ?? 0) - (early[name]?[type] ?? 0) }

    private mutating func add(_ selections: SelectionSet) {
        for selection in selections {
            add(selection.directives)
            switch selection {
            case .field(let field):
                field.arguments.forEach { add($0.value) }
                add(field.selectionSet)
            case .inlineFragment(let fragment): add(fragment.selectionSet)
            case .fragmentSpread: break
            }
        }
    }

    private mutating func add(_ directives: [Directive]) {
        for directive in directives { directive.arguments.forEach { add($0.value) } }
    }

    private mutating func add(_ value: Value) {
        switch value {
        case .variable(let name): counts[name.text, default: 0] += 1
        case .list(let list): list.values.forEach { add($0) }
        case .object(let object): object.fields.forEach { add($0.value) }
        default: break
        }
    }
}
