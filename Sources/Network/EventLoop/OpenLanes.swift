/// The channels of a loop that take bytes at once: nothing waits in them, and nothing stands between the bytes and the
/// socket.
///
/// Hot path: who writes to thousands of channels in a row finds here, side by side, all that it has to know of each. The
/// channels themselves lie about in memory, and looking into each costs as much as a good part of the writing.
struct OpenLanes {
    private struct Place {
        var generation: UInt32 = 0
        var descriptor: Int32 = OpenLanes.closed
    }

    private var places: [Place] = []

    static let closed: Int32 = -1

    /// Opens the lane of a registration, or closes it.
    mutating func set(_ key: UInt64, to descriptor: Int32) {
        let slot = Int(key & 0xFFFF_FFFF)
        while places.count <= slot { places.append(Place()) }
        places[slot] = Place(generation: UInt32(key >> 32), descriptor: descriptor)
    }

    /// The descriptor to write to; `closed` when there is something in the way, or the registration is gone.
    func descriptor(_ key: UInt64) -> Int32 {
        let slot = Int(key & 0xFFFF_FFFF)
        guard slot < places.count, places[slot].generation == UInt32(key >> 32) else { return Self.closed }
        return places[slot].descriptor
    }
}
