/// The own properties of an object, in the order in which they were made. A few are looked through one by one, more are
/// hashed; the place of a deleted one stays empty until many are.
struct PropertyTable {
    struct Attributes: OptionSet {
        let rawValue: UInt8

        static let writable = Attributes(rawValue: 1)
        static let enumerable = Attributes(rawValue: 2)
        static let configurable = Attributes(rawValue: 4)
        /// The value is an `Accessor`.
        static let accessor = Attributes(rawValue: 8)
        /// The value is made when it is first asked for; until then it is the number of a row of some table.
        static let deferred = Attributes(rawValue: 16)

        static let all: Attributes = [.writable, .enumerable, .configurable]
        /// Those of the library's methods.
        static let hidden: Attributes = [.writable, .configurable]
    }

    struct Property {
        var key: PropertyKey
        var value: Value
        var attributes: Attributes
    }

    private(set) var properties: ContiguousArray<Property> = []
    /// Places plus one, by hash; empty while the table is looked through one by one.
    private var places: ContiguousArray<Int32> = []
    private var deletedCount = 0

    private static let linearMax = 8

    var count: Int { properties.count - deletedCount }

    /// Where the property with a key is.
    @inline(__always)
    func place(of key: PropertyKey) -> Int? {
        places.isEmpty ? linearPlace(of: key) : hashedPlace(of: key)
    }

    @inline(__always)
    private func linearPlace(of key: PropertyKey) -> Int? {
        properties.withUnsafeBufferPointer { properties in
            for place in 0..<properties.count where properties[place].key == key { return place }
            return nil
        }
    }

    @inline(__always)
    private static func hash(_ key: PropertyKey) -> Int {
        let product = key.bits &* 0x9E37_79B9_7F4A_7C15
        return Int(truncatingIfNeeded: product >> 32)
    }

    private func hashedPlace(of key: PropertyKey) -> Int? {
        let mask = places.count - 1
        return places.withUnsafeBufferPointer { places in
            properties.withUnsafeBufferPointer { properties in
                var bucket = Self.hash(key) & mask
                while true {
                    let entry = Int(places[bucket])
                    if entry == 0 { return nil }
                    if properties[entry - 1].key == key { return entry - 1 }
                    bucket = (bucket + 1) & mask
                }
            }
        }
    }

    @inline(__always)
    func attributes(at place: Int) -> Attributes { properties[place].attributes }

    @inline(__always)
    func value(at place: Int) -> Value { properties[place].value }

    func key(at place: Int) -> PropertyKey { properties[place].key }

    mutating func setValue(_ value: Value, at place: Int) {
        properties[place].value = value
    }

    mutating func set(_ value: Value, _ attributes: Attributes, at place: Int) {
        properties[place].value = value
        properties[place].attributes = attributes
    }

    /// The key must not be there yet.
    mutating func append(_ key: PropertyKey, _ value: Value, _ attributes: Attributes) {
        properties.append(Property(key: key, value: value, attributes: attributes))
        if places.isEmpty {
            if properties.count > Self.linearMax { rehash() }
        } else if properties.count * 2 > places.count {
            rehash()
        } else {
            enter(properties.count - 1)
        }
    }

    private mutating func enter(_ place: Int) {
        let mask = places.count - 1
        var bucket = Self.hash(properties[place].key) & mask
        while places[bucket] != 0 { bucket = (bucket + 1) & mask }
        places[bucket] = Int32(truncatingIfNeeded: place + 1)
    }

    private mutating func rehash() {
        if deletedCount > 0 {
            properties.removeAll { $0.key == .none }
            deletedCount = 0
        }
        guard properties.count > Self.linearMax else {
            places = []
            return
        }
        var size = 32
        while size < properties.count * 4 { size *= 2 }
        places = ContiguousArray(repeating: 0, count: size)
        for place in properties.indices { enter(place) }
    }

    mutating func remove(at place: Int) {
        if places.isEmpty {
            properties.remove(at: place)
            return
        }
        // Its bucket leads to the empty place, so that what was entered behind it is still found.
        properties[place] = Property(key: .none, value: .undefined, attributes: [])
        deletedCount += 1
        if deletedCount > 16, deletedCount * 2 > properties.count { rehash() }
    }

    mutating func removeAll() -> ContiguousArray<Property> {
        let all = properties
        properties = []
        places = []
        deletedCount = 0
        return all
    }

    mutating func reserveCapacity(_ count: Int) {
        properties.reserveCapacity(count)
    }

    /// Indices in ascending order, then names, then symbols, both in the order in which they came.
    func keys() -> [PropertyKey] {
        var indices: [UInt32] = []
        var keys: [PropertyKey] = []
        var symbols: [PropertyKey] = []
        keys.reserveCapacity(count)
        for property in properties {
            if property.key.isName {
                keys.append(property.key)
            } else if let index = property.key.index {
                indices.append(index)
            } else if property.key.isSymbol {
                symbols.append(property.key)
            }
        }
        if indices.isEmpty { return keys + symbols }
        indices.sort()
        return indices.map { PropertyKey(index: $0) } + keys + symbols
    }
}
