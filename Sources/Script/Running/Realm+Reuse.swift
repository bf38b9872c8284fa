/// What a realm was like when it was sealed.
///
/// Objects that came later belong to a run, and go with it; all that were there before are frozen, so that no run finds
/// what another one did.
struct RealmSeal {
    /// The latest of the objects that stay.
    let latest: ScriptObject?
    let objectCount: Int
    let symbolCount: Int
    let nameCount: Int
    let bytes: Int
}

extension Realm {
    /// Names that runs may add before the realm is given up, and bytes that they leave in caches of texts and keys.
    private static let namesMax = 20_000
    private static let cacheBytesMax = 8 << 20

    /// Makes all of the library, and freezes it and whatever the host has put beside it. From then on the realm serves one
    /// run after the other: `begin`, run, `end`.
    package func sealForRuns() {
        prepareAll()
        for object in heap.all { object.freezeAll() }
        seal = RealmSeal(
            latest: heap.latest, objectCount: heap.count, symbolCount: symbolCount, nameCount: names.count,
            bytes: meter.bytes)
    }

    /// Begins a run with bounds of its own.
    package func begin(_ limits: ScriptLimits) {
        start(limits)
    }

    /// Takes apart what a run has made. False: something is left over, and the realm must not be used again.
    package func end() -> Bool {
        guard let seal, isIdle else { return false }
        heap.end(downTo: seal.latest)
        return heap.count == seal.objectCount && symbolCount == seal.symbolCount
            && names.count <= seal.nameCount + Self.namesMax && meter.bytes <= seal.bytes + Self.cacheBytesMax
    }
}

extension Realm {
    /// True if nothing of what lives can be changed. For tests: of a sealed realm between runs it must be so.
    package var isWhollyFrozen: Bool {
        heap.all.allSatisfy { object in
            !object.state.contains(.isExtensible) && !object.state.contains(.isPending)
                && object.table.properties.allSatisfy {
                    $0.attributes.isDisjoint(with: [.writable, .configurable, .deferred])
                }
        }
    }
}

extension ScriptObject {
    /// Makes what is made when it is first asked for. False: all was there.
    final func makeProperties() -> Bool {
        var isChanged = false
        if state.contains(.isPending) {
            prepare()
            isChanged = true
        }
        for place in table.properties.indices where table.attributes(at: place).contains(.deferred) {
            _ = ordinaryOwnProperty(table.key(at: place))
            isChanged = true
        }
        return isChanged
    }

    /// Nothing of it can be changed, added or taken away.
    final func freezeAll() {
        state.remove(.isExtensible)
        for place in table.properties.indices {
            table.set(
                table.value(at: place), table.attributes(at: place).subtracting([.writable, .configurable]), at: place)
        }
        (self as? ScriptArray)?.freezeLength()
    }
}
