/// A text of the language: UTF-16 units. Joining two long texts makes a rope, which becomes flat when it is first read, so
/// that `+=` in a loop costs what it adds.
package final class Text {
    private var flat: [UInt16]
    private var left: Text?
    private var right: Text?
    package let count: Int
    /// The property key that it spells, once somebody has asked.
    var key: PropertyKey = .none
    private let meter: MemoryMeter
    private var charged: Int

    private static let overhead = 96
    private static let flatMax = 32

    init(_ units: [UInt16], _ meter: MemoryMeter) {
        flat = units
        count = units.count
        self.meter = meter
        charged = Self.overhead + 2 * count
        meter.charge(charged)
    }

    private init(joining left: Text, _ right: Text, _ meter: MemoryMeter) {
        flat = []
        self.left = left
        self.right = right
        count = left.count + right.count
        self.meter = meter
        charged = Self.overhead
        meter.charge(charged)
    }

    deinit {
        meter.discharge(charged)
        guard left != nil else { return }
        dropParts()
    }

    /// A rope can be as deep as a loop was long: its parts are let go one after the other, not one inside the other.
    private func dropParts() {
        var parts: [Text] = []
        takeParts(into: &parts)
        while var text = parts.popLast() {
            if isKnownUniquelyReferenced(&text) { text.takeParts(into: &parts) }
        }
    }

    private func takeParts(into parts: inout [Text]) {
        guard let left, let right else { return }
        parts.append(left)
        parts.append(right)
        self.left = nil
        self.right = nil
    }

    /// Its units. They are one after the other from the first time on.
    package var units: [UInt16] {
        if left != nil { flatten() }
        return flat
    }

    package subscript(index: Int) -> UInt16 {
        if left != nil { flatten() }
        return flat[index]
    }

    package var string: String { TextUnits.string(of: units) }

    package var isEmpty: Bool { count == 0 }

    package func isEqual(to other: Text) -> Bool {
        if self === other { return true }
        if count != other.count { return false }
        return units == other.units
    }

    package func isLess(than other: Text) -> Bool {
        units.lexicographicallyPrecedes(other.units)
    }

    /// The two texts in one. Who calls has looked at the limit of a text's length.
    static func join(_ left: Text, _ right: Text, _ meter: MemoryMeter) -> Text {
        if left.count == 0 { return right }
        if right.count == 0 { return left }
        if left.count + right.count > flatMax { return Text(joining: left, right, meter) }
        var units: [UInt16] = []
        units.reserveCapacity(left.count + right.count)
        units.append(contentsOf: left.units)
        units.append(contentsOf: right.units)
        return Text(units, meter)
    }

    private func flatten() {
        var units: [UInt16] = []
        units.reserveCapacity(count)
        var rest: [Text] = [self]
        while let text = rest.popLast() {
            if let left = text.left, let right = text.right {
                rest.append(right)
                rest.append(left)
            } else {
                units.append(contentsOf: text.flat)
            }
        }
        flat = units
        charged += 2 * count
        meter.charge(2 * count)
        dropParts()
    }
}
