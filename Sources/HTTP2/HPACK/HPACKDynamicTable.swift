/// The fields that header blocks of a connection have put into its table, newest first (RFC 7541, section 2.3.2).
///
/// Their bytes are in a ring that never grows beyond the table's size, so an entry costs no allocation, and a table that is not used none at
/// all.
struct HPACKDynamicTable {
    private struct Entry {
        let start: UInt16
        let nameCount: UInt16
        let valueCount: UInt16

        var count: Int { Int(nameCount) + Int(valueCount) }
    }

    private var ring: [UInt8] = []
    /// The entries, oldest first. Those before `first` are gone.
    private var entries: [Entry] = []
    private var first = 0
    /// Where the next entry's bytes go.
    private var next = 0
    private(set) var size = 0
    private(set) var sizeMax: Int
    /// The size that was agreed.
    private let capacity: Int

    init(capacity: Int) {
        (self.capacity, sizeMax) = (capacity, capacity)
    }

    var count: Int { entries.count - first }

    /// The memory that it holds.
    var heldBytes: Int { ring.capacity + entries.capacity * MemoryLayout<Entry>.stride }

    mutating func resize(to size: Int) throws(HPACKError) {
        guard size <= capacity else { throw .badTableSize }
        sizeMax = size
        evict(toFit: 0)
    }

    /// Adds the field that is at the end of those bytes.
    mutating func insert(_ bytes: [UInt8], from start: Int, nameCount: Int) {
        let count = bytes.count - start
        let cost = count + HPACKFields.entryBytes
        // A field that is larger than the table empties it.
        guard cost <= sizeMax else { return evict(toFit: sizeMax + 1) }
        evict(toFit: cost)
        if ring.isEmpty { ring = [UInt8](repeating: 0, count: capacity) }
        let place = next
        for byte in bytes[start...] {
            ring[next] = byte
            next = next + 1 == ring.count ? 0 : next + 1
        }
        entries.append(
            Entry(
                start: UInt16(truncatingIfNeeded: place), nameCount: UInt16(truncatingIfNeeded: nameCount),
                valueCount: UInt16(truncatingIfNeeded: count - nameCount)))
        size += cost
    }

    private mutating func evict(toFit cost: Int) {
        while first < entries.count, size + cost > sizeMax {
            size -= entries[first].count + HPACKFields.entryBytes
            first += 1
        }
        if first == entries.count {
            entries.removeAll(keepingCapacity: true)
            first = 0
        } else if first >= Self.goneMax {
            entries.removeFirst(first)
            first = 0
        }
    }

    /// Entries that are gone and still take a place.
    private static let goneMax = 32

    /// The counts of a field's name and value; nil beyond the table. The newest is 0.
    func counts(_ index: Int) -> (name: Int, value: Int)? {
        guard index >= 0, index < count else { return nil }
        let entry = entries[entries.count - 1 - index]
        return (Int(entry.nameCount), Int(entry.valueCount))
    }

    /// Appends the first so many bytes of a field, which are its name or both.
    func append(_ index: Int, _ count: Int, to output: inout [UInt8]) {
        guard index >= 0, index < self.count else { return }
        let start = Int(entries[entries.count - 1 - index].start)
        let whole = min(count, ring.count - start)
        output.append(contentsOf: ring[start..<start + whole])
        if count > whole { output.append(contentsOf: ring[..<(count - whole)]) }
    }
}
