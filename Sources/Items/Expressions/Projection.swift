/// Which parts of an item are asked for.
package struct Projection: Sendable {
    /// In an order in which the parts of one value are neighbours.
    private let paths: [DocumentPath]

    package init(_ paths: [DocumentPath]) {
        self.paths = paths.sorted { $0.difference(from: $1) < 0 }
    }

    /// Whole attributes.
    package init(attributes: [String]) {
        self.init(attributes.map { DocumentPath($0) })
    }

    /// The names of the attributes of which a part is asked for, each once.
    package var attributes: [String] {
        var names: [String] = []
        for path in paths where names.last.map({ $0.compareBytes(to: path.root) != 0 }) ?? true {
            names.append(path.root)
        }
        return names
    }

    /// The parts that an item has, where they stand in it; of lists the elements that are there, without gaps.
    package func project(_ item: Item) -> Item {
        var attributes: [Item.Attribute] = []
        for group in groups(paths[...], { $0.root.compareBytes(to: $1.root) == 0 }) {
            guard let name = group.first?.root, let value = item[name], let part = part(of: value, group, depth: 0)
            else {
                continue
            }
            attributes.append(Item.Attribute(name: name, value: part))
        }
        return Item(unordered: attributes)
    }

    /// What some paths, which all lead through a value, ask for of it; nil when it has nothing of that.
    private func part(of value: ItemValue, _ paths: ArraySlice<DocumentPath>, depth: Int) -> ItemValue? {
        // The shortest stands first, and asks for everything.
        guard let first = paths.first, depth < first.steps.count else { return value }
        let groups = groups(paths) { $0.steps[depth].difference(from: $1.steps[depth]) == 0 }
        switch value {
        case .map(let item):
            var attributes: [Item.Attribute] = []
            for group in groups {
                guard case .name(let name) = group.first?.steps[depth], let inner = item[name],
                    let part = part(of: inner, group, depth: depth + 1)
                else { continue }
                attributes.append(Item.Attribute(name: name, value: part))
            }
            return attributes.isEmpty ? nil : .map(Item(unordered: attributes))
        case .list(let elements):
            var parts: [ItemValue] = []
            for group in groups {
                guard case .index(let index) = group.first?.steps[depth], index < elements.count,
                    let part = part(of: elements[index], group, depth: depth + 1)
                else { continue }
                parts.append(part)
            }
            return parts.isEmpty ? nil : .list(parts)
        default: return nil
        }
    }

    /// Neighbours that are alike.
    private func groups(
        _ paths: ArraySlice<DocumentPath>, _ areAlike: (DocumentPath, DocumentPath) -> Bool
    ) -> [ArraySlice<DocumentPath>] {
        var groups: [ArraySlice<DocumentPath>] = []
        var start = paths.startIndex
        for index in paths.indices where !areAlike(paths[start], paths[index]) {
            groups.append(paths[start..<index])
            start = index
        }
        if start < paths.endIndex { groups.append(paths[start...]) }
        return groups
    }
}
