/// The order of few values, found as V8 finds it: a comparison is asked the same questions here, and one that contradicts
/// itself (`a < b ? -1 : 1` of equal ones) leaves the same order.
enum InsertionSort {
    static let countMax = 63

    /// `order` is negative where the first value comes before the second.
    static func sort(
        _ values: inout [Value], _ realm: Realm, _ order: (Value, Value) throws(Thrown) -> Double
    ) throws(Thrown) {
        guard values.count > 1 else { return }
        // The values at the beginning that are in order, or in the opposite one, which is turned round.
        let isDescending = try order(values[1], values[0]) < 0
        var sorted = 2
        while sorted < values.count, (try order(values[sorted], values[sorted - 1]) < 0) == isDescending { sorted += 1 }
        if isDescending { values[..<sorted].reverse() }
        for place in sorted..<values.count {
            let value = values[place]
            var (low, high) = (0, place)
            while low < high {
                try realm.spend()
                let middle = low + (high - low) / 2
                if try order(value, values[middle]) < 0 { high = middle } else { low = middle + 1 }
            }
            values.remove(at: place)
            values.insert(value, at: low)
        }
    }
}
