/// `normalize` on units: the forms of Unicode Standard Annex 15. Lone surrogates stay where they are.
package enum Normalization: String, Sendable {
    case composed = "NFC"
    case decomposed = "NFD"
    case compatibilityComposed = "NFKC"
    case compatibilityDecomposed = "NFKD"

    package func apply(to units: [UInt16]) -> [UInt16] {
        // Below these no unit changes in the form, and none joins with what stands before it.
        let limit: UInt16 =
            switch self {
            case .composed: 0x300
            case .decomposed: 0xC0
            case .compatibilityComposed, .compatibilityDecomposed: 0xA0
            }
        guard units.contains(where: { $0 >= limit }) else { return units }
        var points = decomposition(of: units)
        Self.order(&points)
        if self == .composed || self == .compatibilityComposed { Self.compose(&points) }
        var result: [UInt16] = []
        result.reserveCapacity(points.count)
        for point in points { CodePoints.append(point, to: &result) }
        return result
    }

    // MARK: Tables

    private static let canonical = decompositions(UnicodeTable.canonicalDecompositions)
    private static let compatible = decompositions(UnicodeTable.compatibilityDecompositions)
    /// The composition of two code points by both of them.
    private static let compositions: [UInt64: UInt32] = {
        var reader = UnicodeTable.Reader(UnicodeTable.compositions)
        var result: [UInt64: UInt32] = [:]
        var point: UInt32 = 0
        while let gap = reader.next(), let first = reader.next(), let second = reader.next() {
            point &+= gap
            result[UInt64(first) << 32 | UInt64(second)] = point
        }
        return result
    }()

    private static func decompositions(_ table: StaticString) -> [UInt32: [UInt32]] {
        var reader = UnicodeTable.Reader(table)
        var result: [UInt32: [UInt32]] = [:]
        var point: UInt32 = 0
        while let gap = reader.next(), let count = reader.next() {
            point &+= gap
            result[point] = (0..<count).compactMap { _ in reader.next() }
        }
        return result
    }

    private static let hangul: (syllables: UInt32, leads: UInt32, vowels: UInt32, tails: UInt32) = (
        0xAC00, 0x1100, 0x1161, 0x11A7
    )

    // MARK: Steps

    private func decomposition(of units: [UInt16]) -> [UInt32] {
        let isCompatible = self == .compatibilityComposed || self == .compatibilityDecomposed
        var points: [UInt32] = []
        points.reserveCapacity(units.count)
        var index = 0
        while index < units.count {
            let (point, length) = CodePoints.point(in: units, at: index)
            index += length
            if point < 0xA0 {
                points.append(point)
            } else if (Self.hangul.syllables..<0xD7A4).contains(point) {
                let place = point &- Self.hangul.syllables
                points.append(Self.hangul.leads &+ place / 588)
                points.append(Self.hangul.vowels &+ place % 588 / 28)
                if place % 28 > 0 { points.append(Self.hangul.tails &+ place % 28) }
            } else if let list = (isCompatible ? Self.compatible[point] : nil) ?? Self.canonical[point] {
                points.append(contentsOf: list)
            } else {
                points.append(point)
            }
        }
        return points
    }

    private static func combiningClass(_ point: UInt32) -> UInt8 {
        point < 0x300 ? 0 : Unicode.Scalar(point)?.properties.canonicalCombiningClass.rawValue ?? 0
    }

    /// Sorts each run of marks by their class; marks of one class keep their order.
    private static func order(_ points: inout [UInt32]) {
        var index = 0
        while index < points.count {
            guard combiningClass(points[index]) > 0 else {
                index += 1
                continue
            }
            let start = index
            while index < points.count, combiningClass(points[index]) > 0 { index += 1 }
            guard index - start > 1 else { continue }
            // A run can be as long as the text, so the sort must not be quadratic.
            let sorted = points[start..<index].enumerated()
                .map { (key: UInt64(combiningClass($0.element)) << 32 | UInt64($0.offset), point: $0.element) }
                .sorted { $0.key < $1.key }
            for (offset, entry) in sorted.enumerated() { points[start + offset] = entry.point }
        }
    }

    private static func compose(_ points: inout [UInt32]) {
        var result: [UInt32] = []
        result.reserveCapacity(points.count)
        /// The last code point that others can join, and the class of the last one kept behind it.
        var starter: Int?
        var lastClass: UInt8 = 0
        for point in points {
            let pointClass = combiningClass(point)
            if let place = starter, place == result.count - 1 || (lastClass < pointClass && lastClass > 0),
                let joined = composition(result[place], point)
            {
                result[place] = joined
                continue
            }
            if pointClass == 0 { starter = result.count }
            lastClass = pointClass
            result.append(point)
        }
        points = result
    }

    private static func composition(_ first: UInt32, _ second: UInt32) -> UInt32? {
        if (hangul.leads..<0x1113).contains(first), (hangul.vowels..<0x1176).contains(second) {
            return hangul.syllables &+ ((first &- hangul.leads) &* 21 &+ (second &- hangul.vowels)) &* 28
        }
        if (hangul.syllables..<0xD7A4).contains(first), (first &- hangul.syllables) % 28 == 0,
            (0x11A8..<0x11C3).contains(second)
        {
            return first &+ (second &- hangul.tails)
        }
        return compositions[UInt64(first) << 32 | UInt64(second)]
    }
}
