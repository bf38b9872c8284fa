/// All selections of one parsed document, in one piece of memory, in the order in which they are written.
///
///     { a { b c } d }      nodes  a  b  c  d
///                          ends   3  2  3  4      where the node's children, and theirs, end
///
/// A node's first child stands behind it, its next sibling where it ends. Nodes hold numbers only, so that the tree
/// grows by storing a few words, and is released in one go.
///
/// Hot path: an array for each pair of braces, and a reference to count for each name, took most of the time of parsing
/// a short document.
final class SelectionTree {
    private var nodes = SelectionNodes()

    /// Takes the nodes over when they are complete. Until then no selection may be asked for.
    func fill(with complete: inout SelectionNodes) {
        swap(&nodes, &complete)
        nodes.trim()
    }

    /// The selection of that number. Traps on one that there is not, which no `SelectionSet` asks for.
    func selection(at index: Int) -> Selection {
        let node = nodes[index]
        let details = nodes.details(of: node)
        let children = SelectionSet(self, SelectionRange(start: UInt32(index + 1), end: node.end))
        return switch node.kind {
        case .field: .field(Field(nodes.name(of: node), details: details, selectionSet: children))
        case .fragmentSpread: .fragmentSpread(FragmentSpread(nodes.name(of: node), details: details))
        case .inlineFragment:
            .inlineFragment(InlineFragment(details: details, selectionSet: children, position: node.position))
        }
    }

    /// The number of the next selection in the same set, or where the set ends.
    func index(after index: Int) -> Int { Int(nodes[index].end) }
}

// Unchecked: its parser fills it, and nothing changes in it once the parser has handed it out.
extension SelectionTree: @unchecked Sendable {}

/// Selections of a tree that are in the same set, with all that is nested in them.
struct SelectionRange: Sendable {
    var start: UInt32
    var end: UInt32

    var isEmpty: Bool { start == end }
}
