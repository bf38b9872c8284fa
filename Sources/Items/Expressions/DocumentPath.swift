/// A way into an item: the name of an attribute, then names within maps and indexes within lists.
package struct DocumentPath: Sendable {
    package enum Step: Sendable {
        case name(String)
        case index(Int)
    }

    package let root: String
    package let steps: [Step]

    package init(_ root: String, _ steps: [Step] = []) {
        self.root = root
        self.steps = steps
    }
}

extension DocumentPath {
    /// The value that is there.
    package func value(in item: Item?) -> ItemValue? {
        guard var value = item?[root] else { return nil }
        for step in steps {
            switch (step, value) {
            case (.name(let name), .map(let item)):
                guard let inner = item[name] else { return nil }
                value = inner
            case (.index(let index), .list(let elements)):
                guard index < elements.count else { return nil }
                value = elements[index]
            default: return nil
            }
        }
        return value
    }
}

extension DocumentPath: Equatable, CustomStringConvertible {
    package static func == (left: DocumentPath, right: DocumentPath) -> Bool { left.difference(from: right) == 0 }

    /// As refusals show it: `[l, [0], a]`.
    package var description: String {
        let parts = steps.map { step in
            switch step {
            case .name(let name): name
            case .index(let index): "[\(index)]"
            }
        }
        return "[" + ([root] + parts).joined(separator: ", ") + "]"
    }

    /// Less than, equal to or greater than 0: paths in an order in which each stands before those that lead on from it, and
    /// the elements of a list are in the order of their indexes.
    func difference(from other: DocumentPath) -> Int {
        let difference = root.compareBytes(to: other.root)
        guard difference == 0 else { return difference }
        for (step, otherStep) in zip(steps, other.steps) {
            let difference = step.difference(from: otherStep)
            guard difference == 0 else { return difference }
        }
        return steps.count - other.steps.count
    }

    /// How two different paths stand in each other's way.
    enum Clash: String {
        /// One leads to the other, or they are the same.
        case overlap
        /// One takes a map where the other takes a list.
        case conflict
    }

    func clash(with other: DocumentPath) -> Clash? {
        guard root.compareBytes(to: other.root) == 0 else { return nil }
        for (step, otherStep) in zip(steps, other.steps) {
            guard step.difference(from: otherStep) != 0 else { continue }
            return step.isIndex == otherStep.isIndex ? nil : .conflict
        }
        return .overlap
    }

    /// What a refusal says when two of these paths stand in each other's way; nil when none do. In their order those that
    /// do so are neighbours, so that not every path is compared with every other.
    static func clash(among paths: [DocumentPath]) -> String? {
        let order = paths.indices.sorted {
            let difference = paths[$0].difference(from: paths[$1])
            return difference == 0 ? $0 < $1 : difference < 0
        }
        var found: (first: Int, second: Int, clash: Clash)?
        for (one, other) in zip(order, order.dropFirst()) {
            guard let clash = paths[one].clash(with: paths[other]) else { continue }
            let (first, second) = (min(one, other), max(one, other))
            if let found, (found.second, found.first) < (second, first) { continue }
            found = (first, second, clash)
        }
        return found.map {
            "Two document paths \($0.clash.rawValue) with each other; must remove or rewrite one of these paths; "
                + "path one: \(paths[$0.first]), path two: \(paths[$0.second])"
        }
    }
}

extension DocumentPath.Step {
    var isIndex: Bool {
        if case .index = self { true } else { false }
    }

    /// Less than, equal to or greater than 0. Indexes stand before names.
    func difference(from other: DocumentPath.Step) -> Int {
        switch (self, other) {
        case (.name(let left), .name(let right)): left.compareBytes(to: right)
        case (.index(let left), .index(let right)): left < right ? -1 : left == right ? 0 : 1
        case (.index, .name): -1
        case (.name, .index): 1
        }
    }
}
