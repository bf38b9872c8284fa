/// What an operation, a field or a fragment asks for, in its braces. Specification: section 2.4.
///
/// A collection of selections. One that was parsed is a range of its document's `SelectionTree`; one that was made is
/// an array. They are equal when their selections are.
package struct SelectionSet: Sendable {
    private enum Storage: Sendable {
        case empty
        case parsed(SelectionTree, SelectionRange)
        case made([Selection])
    }

    private var storage: Storage

    package init(_ selections: some Sequence<Selection>) {
        let selections = Array(selections)
        storage = selections.isEmpty ? .empty : .made(selections)
    }

    init(_ tree: SelectionTree, _ range: SelectionRange) {
        storage = range.isEmpty ? .empty : .parsed(tree, range)
    }
}

extension SelectionSet: Collection {
    /// The number of a node in the tree, or an index of the array.
    package typealias Index = Int

    package var startIndex: Int {
        if case .parsed(_, let range) = storage { Int(range.start) } else { 0 }
    }

    package var endIndex: Int {
        switch storage {
        case .empty: 0
        case .parsed(_, let range): Int(range.end)
        case .made(let selections): selections.count
        }
    }

    package func index(after index: Int) -> Int {
        if case .parsed(let tree, _) = storage { tree.index(after: index) } else { index + 1 }
    }

    package subscript(index: Int) -> Selection {
        switch storage {
        case .empty: preconditionFailure("an empty selection set has no selection")
        case .parsed(let tree, _): tree.selection(at: index)
        case .made(let selections): selections[index]
        }
    }
}

extension SelectionSet: ExpressibleByArrayLiteral {
    package init(arrayLiteral elements: Selection...) { self.init(elements) }
}

extension SelectionSet: Hashable {
    package static func == (left: SelectionSet, right: SelectionSet) -> Bool { left.elementsEqual(right) }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(count)
        for selection in self { hasher.combine(selection) }
    }
}
