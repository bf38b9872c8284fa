/// The fields that are selected from an object, those of fragments among them, by response name and in order.
/// Specification: section 6.3.2, CollectFields().
///
/// The specification collects for each request. Here it is done once for a document: what `@skip` and `@include` ask of
/// variables is kept beside each field as an `Inclusion`, and answered when a request comes.
package struct CollectFields {
    /// The fields that share a response name.
    package struct Group: Sendable {
        package let responseName: String
        package fileprivate(set) var fields: [CollectedField]

        /// Returns whether any of its fields is part of a request with those variables.
        package func isMet(_ variables: VariableValues) -> Bool { fields.contains { $0.inclusion.isMet(variables) } }

        /// The same fields, with another selection of their value.
        package func selecting(_ selectionSet: SelectionSet) -> Group {
            var group = self
            group.fields = fields.map { collected in
                var field = collected.field
                field.selectionSet = selectionSet
                return CollectedField(field: field, inclusion: collected.inclusion)
            }
            return group
        }

        /// What the fields select, to be collected together: MergeSelectionSets().
        package var selectionSets: [(selectionSet: SelectionSet, inclusion: Inclusion)] {
            fields.map { ($0.field.selectionSet, $0.inclusion) }
        }
    }

    /// A field, and when it is part of a request.
    package struct CollectedField: Sendable {
        package let field: Field
        package let inclusion: Inclusion
    }

    /// More fields than this are refused. Validation bounds the depth; only fragments that are spread again and again
    /// under different conditions come near.
    package static let fieldsMax = 100_000

    private let document: ExecutableDocument
    private let objectType: TypeID
    private var groups: [Group] = []
    private var places: [String: Int] = [:]
    /// The fragments that are there in any case, so that conditions do not matter any more.
    private var visitedFragments: Set<String> = []
    private var steps = 0

    /// The fields that are selected from an object of a type.
    package static func groups(
        of objectType: TypeID, _ selectionSet: SelectionSet, in document: ExecutableDocument
    ) throws(GraphQLError) -> [Group] {
        try groups(of: objectType, [(selectionSet, .always)], in: document)
    }

    /// The fields that several selection sets together select from an object of a type.
    package static func groups(
        of objectType: TypeID, _ selectionSets: [(selectionSet: SelectionSet, inclusion: Inclusion)],
        in document: ExecutableDocument
    ) throws(GraphQLError) -> [Group] {
        var collection = CollectFields(document: document, objectType: objectType)
        for (selectionSet, inclusion) in selectionSets {
            try collection.collect(selectionSet, inclusion)
        }
        return collection.groups
    }

    private init(document: ExecutableDocument, objectType: TypeID) {
        self.document = document
        self.objectType = objectType
    }

    private mutating func collect(_ selectionSet: SelectionSet, _ outer: Inclusion) throws(GraphQLError) {
        for selection in selectionSet {
            steps += 1
            guard steps <= Self.fieldsMax else {
                throw GraphQLError("The operation selects more than \(Self.fieldsMax) fields from one object")
            }
            let directives = selection.directives
            let inclusion = directives.isEmpty ? outer : outer.and(Inclusion(directives))
            if inclusion == .never { continue }
            switch selection {
            case .field(let field): add(CollectedField(field: field, inclusion: inclusion))
            case .inlineFragment(let fragment):
                guard applies(fragment.typeCondition) else { continue }
                try collect(fragment.selectionSet, inclusion)
            case .fragmentSpread(let spread):
                guard let fragment = document.fragments[spread.name.text], applies(fragment.typeCondition),
                    !visitedFragments.contains(spread.name.text)
                else { continue }
                if inclusion == .always { visitedFragments.insert(spread.name.text) }
                try collect(fragment.selectionSet, inclusion)
            }
        }
    }

    private mutating func add(_ field: CollectedField) {
        let name = field.field.responseName
        if let place = places[name] {
            groups[place].fields.append(field)
        } else {
            places[name] = groups.count
            groups.append(Group(responseName: name, fields: [field]))
        }
    }

    /// DoesFragmentTypeApply()
    private func applies(_ condition: Name?) -> Bool {
        guard let condition else { return true }
        guard let type = document.schema.id(named: condition.text) else { return false }
        return document.schema.isPossible(objectType, for: type)
    }
}
