/// What an update does to the parts of one list or map, or to the attributes of the item: they are changed in one go, so that
/// an update of hundreds of parts does not move all others hundreds of times.
struct UpdateGroup {
    /// A part and its new value; nil where it is removed.
    typealias Change = (part: DocumentPath.Step, value: ItemValue?)

    /// The way to the list or map; nil for the item itself.
    let parent: DocumentPath?
    /// In the order of the names or of the indexes.
    let changes: [Change]

    var depth: Int { parent.map { $0.steps.count + 1 } ?? 0 }

    /// The groups of some changes, none of whose paths leads to another one.
    static func groups(of changes: [(path: DocumentPath, value: ItemValue?)]) -> [UpdateGroup] {
        let parts = changes.map { change in
            let path = change.path
            guard let last = path.steps.last else {
                return (DocumentPath?.none, (DocumentPath.Step.name(path.root), change.value))
            }
            return (DocumentPath(path.root, path.steps.dropLast()), (last, change.value))
        }
        let ordered = parts.sorted { one, other in
            let difference = difference(one.0, other.0)
            return (difference == 0 ? one.1.0.difference(from: other.1.0) : difference) < 0
        }
        var groups: [UpdateGroup] = []
        var start = 0
        for index in ordered.indices {
            guard index + 1 == ordered.count || difference(ordered[index].0, ordered[index + 1].0) != 0 else {
                continue
            }
            let members = ordered[start...index].map { Change(part: $0.1.0, value: $0.1.1) }
            groups.append(UpdateGroup(parent: ordered[start].0, changes: members))
            start = index + 1
        }
        return groups
    }

    /// Less than, equal to or greater than 0. The item itself stands first.
    private static func difference(_ one: DocumentPath?, _ other: DocumentPath?) -> Int {
        switch (one, other) {
        case (let one?, let other?): one.difference(from: other)
        case (nil, nil): 0
        case (nil, _): -1
        case (_, nil): 1
        }
    }
}

extension Item {
    mutating func change(_ group: UpdateGroup) throws(ItemError) {
        guard let parent = group.parent else { return try merge(group.changes) }
        let isThere: Void? = try change(parent.root) { value throws(ItemError) in
            try value.change(parent.steps[...], group.changes)
        }
        if isThere == nil { throw Update.wrongPath }
    }

    fileprivate mutating func merge(_ changes: [UpdateGroup.Change]) throws(ItemError) {
        var named: [(name: String, value: ItemValue?)] = []
        for change in changes {
            guard case .name(let name) = change.part else { throw Update.wrongPath }
            named.append((name, change.value))
        }
        merge(named)
    }
}

extension ItemValue {
    /// Changes parts of the list or map at the end of some steps, in its place.
    fileprivate mutating func change(
        _ steps: ArraySlice<DocumentPath.Step>, _ changes: [UpdateGroup.Change]
    ) throws(ItemError) {
        switch (self, steps.first) {
        case (.map(var item), let step):
            self = .null
            switch step {
            case nil: try item.merge(changes)
            case .name(let name):
                let isThere: Void? = try item.change(name) { value throws(ItemError) in
                    try value.change(steps.dropFirst(), changes)
                }
                if isThere == nil { throw Update.wrongPath }
            case .index: throw Update.wrongPath
            }
            self = .map(item)
        case (.list(var elements), let step):
            self = .null
            switch step {
            case nil: try Self.change(&elements, changes)
            case .index(let index) where index < elements.count:
                try elements[index].change(steps.dropFirst(), changes)
            case .index, .name: throw Update.wrongPath
            }
            self = .list(elements)
        default: throw Update.wrongPath
        }
    }

    /// Elements behind the end are put there, in the order of their indexes.
    private static func change(
        _ elements: inout [ItemValue], _ changes: [UpdateGroup.Change]
    ) throws(ItemError) {
        var added: [ItemValue] = []
        var removed: [Int] = []
        for change in changes {
            guard case .index(let index) = change.part else { throw Update.wrongPath }
            switch change.value {
            case let value? where index < elements.count: elements[index] = value
            case let value?: added.append(value)
            case nil: if index < elements.count { removed.append(index) }
            }
        }
        remove(removed, of: &elements)
        elements += added
    }

    /// Takes out the elements at these places, which are in their order.
    private static func remove(_ removed: [Int], of elements: inout [ItemValue]) {
        guard let first = removed.first else { return }
        var kept = first
        var next = 0
        for index in first..<elements.count {
            if next < removed.count, removed[next] == index {
                next += 1
            } else {
                elements.swapAt(kept, index)
                kept += 1
            }
        }
        elements.removeSubrange(kept...)
    }
}
