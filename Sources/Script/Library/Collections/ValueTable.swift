/// What a map or a set holds: values by their keys, in the order in which they came. Whoever goes through it remembers the
/// last order that it saw, so that deleting, adding and clearing meanwhile disturb nobody.
package struct ValueTable {
    /// A value as SameValueZero compares it.
    private enum Key: Hashable {
        case undefined, null
        case boolean(Bool)
        case number(UInt64)
        case text([UInt16])
        case symbol(Symbol)
        case object(ObjectIdentifier)

        init(_ value: Value) {
            switch value {
            case .undefined, .absent: self = .undefined
            case .null: self = .null
            case .boolean(let boolean): self = .boolean(boolean)
            case .number(let number): self = .number(number.isNaN ? Double.nan.bitPattern : (number + 0).bitPattern)
            case .text(let text): self = .text(text.units)
            case .symbol(let symbol): self = .symbol(symbol)
            case .object(let object): self = .object(ObjectIdentifier(object))
            }
        }
    }

    /// A deleted entry is absent until the table is tidied.
    private(set) var keys: ContiguousArray<Value> = []
    private(set) var values: ContiguousArray<Value> = []
    private var orders: ContiguousArray<UInt64> = []
    private var places: [Key: Int] = [:]
    private var nextOrder: UInt64 = 1

    var count: Int { places.count }

    func value(of key: Value) -> Value? {
        places[Key(key)].map { values[$0] }
    }

    /// True where the key is new.
    mutating func set(_ key: Value, _ value: Value) -> Bool {
        let known = Key(key)
        if let place = places[known] {
            values[place] = value
            return false
        }
        places[known] = keys.count
        // -0 becomes 0.
        if case .number(let number) = key { keys.append(.number(number + 0)) } else { keys.append(key) }
        values.append(value)
        orders.append(nextOrder)
        nextOrder += 1
        return true
    }

    mutating func remove(_ key: Value) -> Bool {
        guard let place = places.removeValue(forKey: Key(key)) else { return false }
        keys[place] = .absent
        values[place] = .absent
        if keys.count > 32, places.count * 2 < keys.count { tidy() }
        return true
    }

    private mutating func tidy() {
        var kept = 0
        for place in keys.indices where !keys[place].isAbsent {
            keys[kept] = keys[place]
            values[kept] = values[place]
            orders[kept] = orders[place]
            places[Key(keys[kept])] = kept
            kept += 1
        }
        let removed = keys.count - kept
        keys.removeLast(removed)
        values.removeLast(removed)
        orders.removeLast(removed)
    }

    /// Empties it. The answer is what it held, for whoever lets go of it.
    mutating func removeAll() -> (keys: ContiguousArray<Value>, values: ContiguousArray<Value>) {
        let held = (keys, values)
        keys = []
        values = []
        orders = []
        places = [:]
        return held
    }

    /// Goes on behind the entry that was seen last.
    package struct Cursor {
        fileprivate var order: UInt64 = 0
        fileprivate var place = 0
    }

    func next(_ cursor: inout Cursor) -> (key: Value, value: Value)? {
        var place = cursor.place
        if place > 0, place > orders.count || orders[place - 1] != cursor.order {
            place = firstPlace(behind: cursor.order)
        }
        while place < keys.count, keys[place].isAbsent { place += 1 }
        guard place < keys.count else {
            cursor.place = place
            if let last = orders.last { cursor.order = last }
            return nil
        }
        cursor.order = orders[place]
        cursor.place = place + 1
        return (keys[place], values[place])
    }

    private func firstPlace(behind order: UInt64) -> Int {
        var (low, high) = (0, orders.count)
        while low < high {
            let middle = (low + high) / 2
            if orders[middle] <= order { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
