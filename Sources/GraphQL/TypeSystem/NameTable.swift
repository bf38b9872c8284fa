/// Names by number, and numbers by name: a dictionary of the names of a schema.
///
/// Hot path: a start looks up tens of thousands of names. Who writes a schema has no reason to make its names collide, so
/// they are hashed faster than a standard dictionary does, which guards against that, and by their bytes alone.
package struct NameTable: Sendable, Equatable {
    /// The names by their number.
    package private(set) var names: [String] = []
    /// For each place that a hash leads to: the upper half of the hash, and the number plus one. Zero is a free place.
    /// There are as many places as a power of two says, and at least a quarter of them is free.
    private var places: [UInt64] = []

    package init() {}

    package init(capacity: Int) {
        names.reserveCapacity(capacity)
        makeRoom(for: capacity)
    }

    /// The numbers are the places in the list; of names that are there twice, the first.
    package init(_ names: [String]) {
        self.names = names
        makeRoom(for: names.count)
    }

    package var count: Int { names.count }

    /// The number of a name.
    package subscript(name: String) -> Int? {
        guard !places.isEmpty else { return nil }
        let hash = Self.hash(of: name)
        var place = Int(truncatingIfNeeded: hash) & (places.count - 1)
        while true {
            let entry = places[place]
            guard entry != 0 else { return nil }
            if entry >> 32 == hash >> 32 {
                let number = Int(entry & 0xFFFF_FFFF) - 1
                if names[number] == name { return number }
            }
            place = (place + 1) & (places.count - 1)
        }
    }

    package func contains(_ name: String) -> Bool { self[name] != nil }

    /// Adds a name unless it is there. Its number is that of its first addition.
    @discardableResult
    package mutating func insert(_ name: String) -> (isNew: Bool, number: Int) {
        if (names.count + 1) * 4 > places.count * 3 { makeRoom(for: max(names.count * 2, 8)) }
        let number = names.count
        if let known = put(name, number) { return (false, known) }
        names.append(name)
        return (true, number)
    }

    /// Adds a name that has the next number, whether or not it is there already; what is found by it stays the same then.
    mutating func append(_ name: String) {
        if !insert(name).isNew { names.append(name) }
    }

    /// Makes places for that many names, and puts those in that are there.
    private mutating func makeRoom(for count: Int) {
        var room = 4
        while room * 3 < count * 4 + 4 { room *= 2 }
        places = [UInt64](repeating: 0, count: room)
        for number in names.indices { _ = put(names[number], number) }
    }

    /// Gives a name its place. Returns its number when it has one.
    private mutating func put(_ name: String, _ number: Int) -> Int? {
        let hash = Self.hash(of: name)
        var place = Int(truncatingIfNeeded: hash) & (places.count - 1)
        while true {
            let entry = places[place]
            guard entry != 0 else { break }
            if entry >> 32 == hash >> 32 {
                let known = Int(entry & 0xFFFF_FFFF) - 1
                if names[known] == name { return known }
            }
            place = (place + 1) & (places.count - 1)
        }
        places[place] = hash & 0xFFFF_FFFF_0000_0000 | UInt64(number + 1)
        return nil
    }

    private static func hash(of name: String) -> UInt64 {
        var name = name
        return name.withUTF8 { ByteHash.of(UnsafeRawBufferPointer($0)) }
    }
}
