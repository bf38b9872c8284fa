/// A symbol: a number that is unique in its realm, which knows its description. Private names of classes are symbols too,
/// of a kind that no program can get at.
package struct Symbol: Hashable, Sendable {
    let number: UInt32

    init(number: UInt32) {
        self.number = number
    }

    static let privateBit: UInt32 = 1 << 31

    var isPrivate: Bool { number & Self.privateBit != 0 }

    package static func known(_ symbol: WellKnownSymbol) -> Symbol { Symbol(number: UInt32(symbol.rawValue)) }
}

/// Symbols that every realm has, under the same numbers.
package enum WellKnownSymbol: Int, CaseIterable, Sendable {
    case asyncIterator, hasInstance, isConcatSpreadable, iterator, match, matchAll, replace, search, species, split
    case toPrimitive, toStringTag, unscopables

    package var description: String { "Symbol.\(self)" }
}
