import JSON

/// The names of worlds: those that are there, and those that are being made.
struct WorldNames: Sendable {
    private var taken: Set<ByteText> = []
    private var last = 0

    /// Keeps a name, and a place, for a world.
    ///
    /// - Parameter wished: nil: one that is free.
    mutating func reserve(_ wished: String?) throws(ErrorAnswer) -> ByteText {
        guard taken.count < TestControlLimits.worldsMax else {
            throw .test(
                "There are \(TestControlLimits.worldsMax) worlds: end some with DELETE \(TestPlace.folder)/worlds/NAME.",
                status: 409)
        }
        if let wished {
            guard taken.insert(ByteText(wished)).inserted else {
                throw .test("There is a world \(wished) already.", status: 409)
            }
            return ByteText(wished)
        }
        while true {
            last += 1
            let name = ByteText("world-\(last)")
            if taken.insert(name).inserted { return name }
        }
    }

    mutating func remove(_ name: ByteText) { taken.remove(name) }

    mutating func removeAll() { taken = [] }

    /// Refuses a database where all of them would be too long together. One that several worlds began with counts once.
    static func demandRoom(for bytes: Int64, of copy: UInt64, besides others: [UInt64: Int64]) throws(ErrorAnswer) {
        let sum = others.filter { $0.key != copy }.values.reduce(Int64(0)) {
            $0.addingReportingOverflow($1).overflow ? .max : $0 + $1
        }
        guard bytes <= TestControlLimits.worldsBytesMax, sum <= TestControlLimits.worldsBytesMax - bytes else {
            throw .test(
                "The databases of all worlds have \(TestControlLimits.worldsBytesMax) bytes together at most: end some with "
                    + "DELETE \(TestPlace.folder)/worlds/NAME.", status: 409)
        }
    }
}
