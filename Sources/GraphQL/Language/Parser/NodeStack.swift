/// Holds the nodes of lists whose length is not known yet, and cuts off finished lists as arrays of just their size.
///
///     [ a b | c d e | f ]      take(from: 5) gives [f], take(from: 2) gives [c d e], …
///
/// Hot path: an array that grows as it is filled allocates several times for each selection set; this allocates once.
/// The elements from 0 to `count` are initialised, the others are not.
struct NodeStack<Element>: ~Copyable {
    private var elements = UnsafeMutableBufferPointer<Element>.none
    private(set) var count = 0

    deinit {
        elements.extracting(0..<count).deinitialize()
        elements.release()
    }

    @inline(__always)
    mutating func push(_ element: consuming Element) {
        if count == elements.count { grow() }
        elements.initializeElement(at: count, to: element)
        count &+= 1
    }

    @inline(never)
    private mutating func grow() {
        // The first size is one that the allocator has at hand.
        let first = max(1, 1024 / MemoryLayout<Element>.stride)
        elements.move(first: count, toRoomFor: elements.isEmpty ? first : elements.count * 2)
    }

    /// Takes off everything from an index on, which is one that `count` was before.
    @inline(__always)
    mutating func take(from start: Int) -> [Element] {
        let length = count - start
        guard length > 0 else { return [] }
        // Not made by a closure on uninitialised memory: the standard library would look up its types each time.
        var array: [Element] = []
        array.reserveCapacity(length)
        for index in start..<count {
            array.append(elements.moveElement(from: index))
        }
        count = start
        return array
    }
}
