import JSON

/// The subscriptions of one loop, by the names of their channels.
///
/// A channel has a place here only while somebody subscribes to it. An event is looked up under its channel's own name and under
/// the wildcards above it, at most five names.
package struct ChannelTable<Member> {
    /// Where a subscription is, until it is removed.
    package final class Place {
        fileprivate let key: ByteText
        fileprivate var index: Int
        package let member: Member
        package fileprivate(set) var isOver = false

        fileprivate init(_ key: ByteText, _ index: Int, _ member: Member) {
            self.key = key
            self.index = index
            self.member = member
        }
    }

    private var places: [ByteText: [Place]] = [:]
    package private(set) var count = 0

    package init() {}

    /// How many names somebody subscribes to.
    package var nameCount: Int { places.count }

    package mutating func add(_ member: Member, to name: ChannelName) -> Place {
        let place = Place(name.key, places[name.key]?.count ?? 0, member)
        places[name.key, default: []].append(place)
        count += 1
        return place
    }

    package mutating func remove(_ place: Place) {
        guard !place.isOver, let last = places[place.key]?.popLast() else { return }
        place.isOver = true
        count -= 1
        if last !== place {
            places[place.key]?[place.index] = last
            last.index = place.index
        }
        if places[place.key]?.isEmpty ?? false { places[place.key] = nil }
    }

    /// So many of the subscriptions.
    package func first(_ max: Int) -> [Member] {
        var found: [Member] = []
        for places in places.values where found.count < max {
            found += places.prefix(max - found.count).map(\.member)
        }
        return found
    }

    /// The subscriptions that get the events of a channel.
    package func listeners(to channel: ChannelName) -> [Place] {
        guard count > 0 else { return [] }
        return channel.listeners.flatMap { places[$0] ?? [] }
    }
}
