import Script

/// Where calls begin in a text. The interpreter knows a call by the last name before its arguments; people, and AppSync's
/// logs, by its first letter.
struct CallStarts: Sendable {
    /// By the offsets of the interpreter's places.
    private var starts: [Int32: Place] = [:]

    mutating func add(_ start: Place, of place: Place) {
        if start != place { starts[place.offset] = start }
    }

    func start(of place: Place) -> Place { starts[place.offset] ?? place }
}
