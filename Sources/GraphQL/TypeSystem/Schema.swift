/// What a service can be asked: types, directives, and the types that operations start at. Specification: section 3.
///
/// Immutable. Types refer to each other by their number, so a schema has no cycles and can be shared between threads.
package final class Schema: Sendable {
    package let description: String?
    /// All types by their number: those of the documents in their order, the standard ones, then those of introspection.
    package let types: [NamedType]
    package let directives: [SchemaDirective]
    package let queryType: TypeID?
    package let mutationType: TypeID?
    package let subscriptionType: TypeID?
    /// True if clients may ask for `__schema` and `__type`.
    package let allowsIntrospection: Bool

    /// The field that every type which can be selected from has.
    package let typenameField: SchemaField
    /// The fields of the query type that answer questions about the schema.
    let schemaField: SchemaField
    let typeField: SchemaField

    private let typeNumbers: NameTable
    private let directivesByName: [String: SchemaDirective]
    private let possible: PossibleTypes

    init(_ parts: SchemaParts) {
        description = parts.description
        types = parts.types
        directives = parts.directives
        queryType = parts.rootTypes[.query]
        mutationType = parts.rootTypes[.mutation]
        subscriptionType = parts.rootTypes[.subscription]
        allowsIntrospection = parts.allowsIntrospection
        typenameField = parts.metaFields.typename
        schemaField = parts.metaFields.schema
        typeField = parts.metaFields.type
        typeNumbers = parts.typeNumbers
        directivesByName = Dictionary(directives.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        possible = PossibleTypes(of: types)
    }

    /// The types that introspection shows, in its order. They are looked for each time: few ask, and a start need not wait.
    var visibleTypes: [TypeID] {
        let roots = [queryType, mutationType, subscriptionType, schemaField.type.named]
        return ReachableTypes(from: roots.compactMap(\.self), types: types, possible: possible).order
    }

    package subscript(id: TypeID) -> NamedType { types[id.index] }

    package func id(named name: String) -> TypeID? { typeNumbers[name].map(TypeID.init) }

    package func type(named name: String) -> NamedType? { typeNumbers[name].map { types[$0] } }

    package func directive(named name: String) -> SchemaDirective? { directivesByName[name] }

    /// The type that operations of a kind start at.
    package func rootType(of operation: OperationType) -> TypeID? {
        switch operation {
        case .query: queryType
        case .mutation: mutationType
        case .subscription: subscriptionType
        }
    }

    /// The field of that name of a type, one of those that start with `__` included.
    package func field(named name: String, of type: TypeID) -> SchemaField? {
        if let field = self[type].fields?[name] { return field }
        guard name.utf8.first == UInt8(ascii: "_") else { return nil }
        switch name {
        case "__typename": return self[type].isComposite ? typenameField : nil
        case "__schema": return type == queryType && allowsIntrospection ? schemaField : nil
        case "__type": return type == queryType && allowsIntrospection ? typeField : nil
        default: return nil
        }
    }

    /// The object types that a value of a type can have, in the order of the schema.
    package func possibleTypes(of type: TypeID) -> [TypeID] { possible.types(of: type) }

    /// Returns whether a value of one type can also be of the other.
    package func doTypesOverlap(_ left: TypeID, _ right: TypeID) -> Bool { possible.overlap(left, right) }

    /// Returns whether an object type is one of those that a type allows.
    package func isPossible(_ object: TypeID, for type: TypeID) -> Bool {
        object == type || possible.overlap(object, type)
    }

    /// A type as a document writes it.
    package func text(of type: TypeUse) -> String { type.wrapping.text(around: self[type.named].name) }

    /// The type that a document writes, or nil when the schema has no such name.
    package func typeUse(_ reference: TypeReference) -> TypeUse? {
        id(named: reference.name.text).map { TypeUse(named: $0, wrapping: reference.wrapping) }
    }
}

/// What a schema is made of.
struct SchemaParts {
    var description: String?
    var types: [NamedType] = []
    var directives: [SchemaDirective] = []
    var rootTypes: [OperationType: TypeID] = [:]
    var metaFields: (typename: SchemaField, schema: SchemaField, type: SchemaField)
    /// The numbers of the types by their names.
    var typeNumbers: NameTable
    var allowsIntrospection = true
}

/// Which object types each interface and union stands for, as sets of bits.
struct PossibleTypes: Sendable {
    private var sets: [Int: TypeSet] = [:]
    private let count: Int

    init(of types: [NamedType]) {
        count = types.count
        for type in types {
            switch type {
            case .object(let object):
                for interface in object.interfaces { insert(object.id, into: interface) }
            case .union(let union):
                for member in union.members { insert(member, into: union.id) }
            case .interface(let interface):
                sets[interface.id.index, default: TypeSet(count: count)].touch()
            case .scalar, .enum, .inputObject: break
            }
        }
    }

    private mutating func insert(_ object: TypeID, into type: TypeID) {
        sets[type.index, default: TypeSet(count: count)].insert(object.index)
    }

    func types(of type: TypeID) -> [TypeID] {
        guard let set = sets[type.index] else { return [type] }
        return (0..<count).filter(set.contains).map(TypeID.init)
    }

    func overlap(_ left: TypeID, _ right: TypeID) -> Bool {
        if left == right { return true }
        return switch (sets[left.index], sets[right.index]) {
        case (nil, nil): false
        case (let set?, nil): set.contains(right.index)
        case (nil, let set?): set.contains(left.index)
        case (let leftSet?, let rightSet?): leftSet.overlaps(rightSet)
        }
    }
}

/// A set of types, a bit each.
struct TypeSet: Sendable {
    private var words: [UInt64]

    init(count: Int) {
        words = Array(repeating: 0, count: count / 64 + 1)
    }

    /// Makes sure that an empty set exists too.
    mutating func touch() {}

    mutating func insert(_ index: Int) { words[index / 64] |= 1 << UInt64(index % 64) }

    func contains(_ index: Int) -> Bool { words[index / 64] & (1 << UInt64(index % 64)) != 0 }

    func overlaps(_ other: TypeSet) -> Bool { zip(words, other.words).contains { $0 & $1 != 0 } }
}
