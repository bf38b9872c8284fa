import Store

/// What a condition asks of a sort key, as the database is asked for it.
struct SortRange: Sendable {
    let sides: [RecordWalk.Bound]
    /// Whether the database alone tells who is in it; else it tells of a few more at the ends.
    let isExact: Bool

    static let all = SortRange(sides: [], isExact: true)

    private init(sides: [RecordWalk.Bound], isExact: Bool) {
        self.sides = sides
        self.isExact = isExact
    }

    /// Nil: no record can be in it.
    init?(_ test: KeyCondition.Test, of kind: ColumnKind) {
        switch test {
        case .comparison(let comparator, let value): self.init([(comparator, value)], of: kind)
        case .between(let low, let high): self.init([(.greaterOrEqual, low), (.lessOrEqual, high)], of: kind)
        case .beginsWith(.string(let start)):
            var sides = [RecordWalk.Bound(.from, .text(start))]
            if let end = start.endOfPrefix { sides.append(RecordWalk.Bound(.below, .text(end))) }
            self.init(sides: sides, isExact: true)
        case .beginsWith: return nil
        }
    }

    private init?(_ comparisons: [(Comparator, ItemValue)], of kind: ColumnKind) {
        var sides: [RecordWalk.Bound] = []
        for (comparator, value) in comparisons {
            switch (kind, value) {
            case (.integer, .number(let number)):
                guard let side = Self.side(comparator, number) else { return nil }
                sides += side
            case (.real, .number(let number)):
                guard let real = number.nearestReal else { return nil }
                switch comparator {
                case .equal: sides.append(RecordWalk.Bound(.equal, .real(real)))
                case .greater, .greaterOrEqual: sides.append(RecordWalk.Bound(.from, .real(real)))
                case .less, .lessOrEqual: sides.append(RecordWalk.Bound(.upTo, .real(real)))
                case .notEqual: return nil
                }
            case (.text, .string(let text)):
                guard let side = comparator.side else { return nil }
                sides.append(RecordWalk.Bound(side, .text(text)))
            default: return nil
            }
        }
        self.init(sides: sides, isExact: kind != .real)
    }

    /// The same of whole numbers, which are compared with what may be none; nil: none of them can be.
    private static func side(_ comparator: Comparator, _ number: ItemNumber) -> [RecordWalk.Bound]? {
        let (floor, isWhole) = number.floor
        guard let floor else {
            // Beyond all of them.
            let holds =
                switch comparator {
                case .equal, .notEqual: false
                case .greater, .greaterOrEqual: number.isNegative
                case .less, .lessOrEqual: !number.isNegative
                }
            return holds ? [] : nil
        }
        switch comparator {
        case .equal: return isWhole ? [RecordWalk.Bound(.equal, .integer(floor))] : nil
        case .greater: return [RecordWalk.Bound(.above, .integer(floor))]
        case .greaterOrEqual: return [RecordWalk.Bound(isWhole ? .from : .above, .integer(floor))]
        case .less: return [RecordWalk.Bound(isWhole ? .below : .upTo, .integer(floor))]
        case .lessOrEqual: return [RecordWalk.Bound(.upTo, .integer(floor))]
        case .notEqual: return nil
        }
    }
}

extension Comparator {
    fileprivate var side: RecordWalk.Bound.Side? {
        switch self {
        case .equal: .equal
        case .greater: .above
        case .greaterOrEqual: .from
        case .less: .below
        case .lessOrEqual: .upTo
        case .notEqual: nil
        }
    }
}

extension ItemNumber {
    /// The largest whole number that is not above, nil where it is beyond what a column holds, and whether it is the number itself.
    var floor: (value: Int64?, isWhole: Bool) {
        let parts = description.parts(separatedBy: ".")
        let isWhole = parts.count == 1
        guard let whole = parts.first.flatMap({ Int64($0) }) else { return (nil, isWhole) }
        guard isNegative, !isWhole else { return (whole, isWhole) }
        let (below, isBeyond) = whole.subtractingReportingOverflow(1)
        return (isBeyond ? nil : below, isWhole)
    }

    /// The number as a column of whole numbers has it; nil: it has no such number.
    var integer: Int64? {
        let (value, isWhole) = floor
        return isWhole ? value : nil
    }

    /// The number as a column of floats has it; nil: it has no such number.
    var real: Double? {
        guard let real = nearestReal, let same = try? ItemNumber("\(real)"), same == self else { return nil }
        return real
    }

    var nearestReal: Double? { Double(description).flatMap { $0.isFinite ? $0 : nil } }
}
