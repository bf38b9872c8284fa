/// The fields of one or several selection sets and of the fragments in them, by response name, in their order.
struct FieldMerge {
    /// A field, and what it is selected from.
    struct Member {
        let field: Field
        /// The type of its value, where that is known.
        let type: TypeUse?
        /// The object type that it is selected from, or nil for an interface, a union or an unknown type.
        let object: TypeID?
        /// Which of the merged selection sets it comes from; nil when there is only one.
        let origin: Int?

        /// Returns whether both come from the same selection set, where they were compared before.
        func isSameOrigin(as other: Member) -> Bool { origin != nil && origin == other.origin }
    }

    /// The fields of one response name.
    struct Group {
        let responseName: String
        var members: [Member]
    }

    private(set) var groups: [Group] = []
    private var places: [String: Int] = [:]
    /// The fields of each name by their place in the document: one that comes through two fragments is there once.
    private var seen: Set<Int> = []

    /// Adds the fields of a selection set. False when the limit of work is reached.
    mutating func gather(
        _ selectionSet: SelectionSet, _ parent: TypeID?, origin: Int?, _ context: inout ValidationContext
    ) -> Bool {
        var fragments: Set<String> = []
        return gather(selectionSet, parent, origin, &fragments, &context)
    }

    private mutating func gather(
        _ selectionSet: SelectionSet, _ parent: TypeID?, _ origin: Int?, _ fragments: inout Set<String>,
        _ context: inout ValidationContext
    ) -> Bool {
        guard context.spendWork(selectionSet.count), context.enter() else { return false }
        defer { context.leave() }
        for selection in selectionSet {
            switch selection {
            case .field(let field): add(field, parent, origin, context.schema)
            case .inlineFragment(let fragment):
                let type = fragment.typeCondition.map { context.schema.compositeType(named: $0.text) } ?? parent
                guard gather(fragment.selectionSet, type, origin, &fragments, &context) else { return false }
            case .fragmentSpread(let spread):
                guard let fragment = context.fragments[spread.name.text],
                    fragments.insert(spread.name.text).inserted
                else { continue }
                let type = context.schema.compositeType(named: fragment.typeCondition.text)
                guard gather(fragment.selectionSet, type, origin, &fragments, &context) else { return false }
            }
        }
        return true
    }

    private mutating func add(_ field: Field, _ parent: TypeID?, _ origin: Int?, _ schema: Schema) {
        if field.position.isKnown, !seen.insert(field.position.offset).inserted { return }
        var object: TypeID?
        if let parent, case .object = schema[parent] { object = parent }
        let name = field.responseName
        let type = parent.flatMap { schema.field(named: field.name.text, of: $0)?.type }
        let member = Member(field: field, type: type, object: object, origin: origin)
        if let place = place(of: name) {
            groups[place].members.append(member)
        } else {
            groups.append(Group(responseName: name, members: [member]))
            if groups.count > Self.comparedMax { rememberPlaces() }
        }
    }

    /// Up to so many names are compared one by one, which is faster than hashing them. Nearly no selection set has more.
    private static let comparedMax = 16

    private func place(of name: String) -> Int? {
        if groups.count > Self.comparedMax { return places[name] }
        for place in groups.indices where groups[place].responseName == name { return place }
        return nil
    }

    private mutating func rememberPlaces() {
        for place in places.count..<groups.count { places[groups[place].responseName] = place }
    }
}

/// Which sets of fields were merged before, while one document is validated.
struct OverlapMemory {
    private var merged: Set<[Int]> = []

    /// Returns whether the fields at those places are merged for the first time.
    mutating func isNew(_ positions: [Position], isShapeOnly: Bool) -> Bool {
        guard positions.allSatisfy(\.isKnown) else { return true }
        return merged.insert(positions.map(\.offset).sorted() + [isShapeOnly ? 1 : 0]).inserted
    }
}
