import Network

/// Who is to give a sign of life at intervals.
protocol KeepAliveMember: AnyObject {
    func keepAlive(now: MonotonicTime)
}

/// The signs of life of a loop's connections: one timer for all of them, which moves on by a place each second.
///
/// A member enters at the place of the moment and is called when the hand comes round again, so that not all of them
/// speak in the same turn.
struct KeepAliveWheel {
    /// Where a member is, until it leaves.
    struct Place: Hashable {
        fileprivate let slot: Int
        fileprivate let member: ObjectIdentifier
    }

    private var slots: [[ObjectIdentifier: any KeepAliveMember]]
    private var hand = 0
    private(set) var count = 0

    init(seconds: Int) {
        slots = Array(repeating: [:], count: max(1, seconds))
    }

    mutating func enter(_ member: any KeepAliveMember) -> Place {
        let place = Place(slot: hand, member: ObjectIdentifier(member))
        if slots[hand].updateValue(member, forKey: place.member) == nil { count += 1 }
        return place
    }

    mutating func leave(_ place: Place) {
        if slots[place.slot].removeValue(forKey: place.member) != nil { count -= 1 }
    }

    var members: [any KeepAliveMember] { slots.flatMap { $0.values } }

    /// Moves on, and answers whose turn it is.
    mutating func advance() -> [any KeepAliveMember] {
        hand = (hand + 1) % slots.count
        return Array(slots[hand].values)
    }
}
