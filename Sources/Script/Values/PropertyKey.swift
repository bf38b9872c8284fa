/// The key of a property: a list's index, a name, or a symbol. Keys are compared as numbers. A text that spells an index
/// is always the key of that index, never a name.
package struct PropertyKey: Hashable, Sendable {
    let bits: UInt64

    private static let indexTag: UInt64 = 1 << 32
    private static let symbolTag: UInt64 = 2 << 32
    private static let privateTag: UInt64 = 3 << 32
    private static let tags: UInt64 = 3 << 32

    /// No key at all: the place of a deleted property, a key that is not known yet.
    static let none = PropertyKey(bits: .max)

    /// The greatest index of a list; the numbers beyond it are names.
    package static let indexMax: UInt32 = .max - 1

    private init(bits: UInt64) {
        self.bits = bits
    }

    /// The name must not spell an index; `Realm.key(of:)` looks.
    init(name: Name) {
        bits = UInt64(UInt32(bitPattern: name.number))
    }

    package init(index: UInt32) {
        bits = Self.indexTag | UInt64(index)
    }

    package init(_ symbol: Symbol) {
        bits = (symbol.isPrivate ? Self.privateTag : Self.symbolTag) | UInt64(symbol.number)
    }

    package static func known(_ name: WellKnownName) -> PropertyKey { PropertyKey(name: .known(name)) }
    package static func known(_ symbol: WellKnownSymbol) -> PropertyKey { PropertyKey(.known(symbol)) }

    package var index: UInt32? {
        bits & Self.tags == Self.indexTag ? UInt32(truncatingIfNeeded: bits) : nil
    }

    package var isIndex: Bool { bits & Self.tags == Self.indexTag }
    package var isName: Bool { bits & Self.tags == 0 }
    /// A symbol that programs can have.
    package var isSymbol: Bool { bits & Self.tags == Self.symbolTag }
    var isPrivate: Bool { bits & Self.tags == Self.privateTag }

    package var symbol: Symbol? {
        bits & Self.symbolTag != 0 ? Symbol(number: UInt32(truncatingIfNeeded: bits)) : nil
    }

    package var name: Name? {
        isName ? Name(number: Int32(truncatingIfNeeded: bits)) : nil
    }
}

extension PropertyKey {
    /// The index that a text spells in the one way that counts: no sign, no leading zeros.
    static func index(spelledBy units: [UInt16]) -> UInt32? {
        guard let first = units.first, units.count <= 10, first >= 0x30, first <= 0x39 else { return nil }
        if first == 0x30 { return units.count == 1 ? 0 : nil }
        var index: UInt64 = 0
        for unit in units {
            guard unit >= 0x30, unit <= 0x39 else { return nil }
            index = index * 10 + UInt64(unit - 0x30)
        }
        return index <= UInt64(indexMax) ? UInt32(index) : nil
    }
}
