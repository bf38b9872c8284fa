/// The nodes of a `SelectionTree`, which grow while a document is parsed.
///
/// Numbers of nodes fit in 32 bits: a document has at most 2³¹ bytes, and a selection takes one at least.
struct SelectionNodes: ~Copyable {
    private var nodes = UnsafeMutableBufferPointer<SelectionNode>.none
    private(set) var count = 0
    private var longNames: [String] = []
    private var details: [SelectionDetails] = []

    deinit {
        // The nodes are trivial: nothing in them is to be released.
        nodes.release()
    }

    subscript(index: Int) -> SelectionNode {
        precondition(index >= 0 && index < count, "there is no selection \(index)")
        return nodes[index]
    }

    func name(of node: SelectionNode) -> Name {
        let text = node.name.isSmall ? node.name.string : longNames[Int(node.name.first)]
        return Name(text, at: node.position)
    }

    func details(of node: SelectionNode) -> SelectionDetails? {
        node.details == 0 ? nil : details[Int(node.details) - 1]
    }
}

extension SelectionNodes {
    /// Adds a selection behind all others. `expected` is about how many the whole document has.
    @inline(__always)
    mutating func add(_ node: SelectionNode, expected: Int) {
        if count == nodes.count { grow(expected: expected) }
        nodes.initializeElement(at: count, to: node)
        count &+= 1
        nodes[count &- 1].end = UInt32(truncatingIfNeeded: count)
    }

    @inline(never)
    private mutating func grow(expected: Int) {
        nodes.move(first: count, toRoomFor: max(expected, nodes.count * 2))
    }

    /// Keeps details; gives their number in a node.
    @inline(never)
    mutating func keep(_ some: SelectionDetails?) -> UInt32 {
        guard let some else { return 0 }
        if details.isEmpty { details.reserveCapacity(8) }
        details.append(some)
        return UInt32(details.count)
    }

    /// Keeps a name that is not small; gives what stands for it in a node.
    @inline(never)
    mutating func keep(_ name: String) -> SmallText {
        if longNames.isEmpty { longNames.reserveCapacity(8) }
        longNames.append(name)
        return SmallText(numbered: longNames.count - 1)
    }

    /// Makes the last selection the one that the next are nested in. Gives its number, for `close`.
    ///
    /// Its end is not known before it is closed; until then it holds the number of the one around it.
    @inline(__always)
    mutating func open(in parent: UInt32) -> UInt32 {
        let last = count &- 1
        precondition(last >= 0)
        nodes[last].end = parent
        return UInt32(truncatingIfNeeded: last)
    }

    /// Ends an open selection. Gives the number of the one around it.
    @inline(__always)
    mutating func close(_ selection: UInt32) -> UInt32 {
        let index = Int(selection)
        precondition(index < count)
        let parent = nodes[index].end
        nodes[index].end = UInt32(truncatingIfNeeded: count)
        return parent
    }

    /// Gives back memory that the finished nodes do not need, when it is much.
    mutating func trim() {
        if nodes.count > 64, nodes.count > count * 2 { nodes.move(first: count, toRoomFor: count) }
    }
}

/// One selection in a tree. It must stay trivial.
struct SelectionNode: BitwiseCopyable {
    enum Kind: UInt8 {
        case field, fragmentSpread, inlineFragment
    }

    /// The name of the field or of the fragment; empty for an inline fragment.
    var name: SmallText
    var position: Position
    /// The number of the node behind all that are nested in this one.
    var end: UInt32 = 0
    /// The number of its details, counted from 1; 0 when it has none.
    var details: UInt32 = 0
    var kind: Kind
}
