/// How long somebody has waited in each of several rounds, of which any may have met a busy machine.
///
/// A promise is shown by the shortest wait: what ends by a longer timeout takes that long in every round. The longest one has a loose bound of its
/// own. A test goes on with its rounds until one was in time, so an idle machine runs few.
package struct WaitTimes: Sendable, CustomStringConvertible {
    private let promised: Duration
    private let rounds: ClosedRange<Int>
    private var lengths: [Duration] = []

    /// - Parameter rounds: how many there are at the least, and at the most where none was in time.
    package init(promised: Duration, rounds: ClosedRange<Int> = 1...5) {
        (self.promised, self.rounds) = (promised, rounds)
    }

    /// True if there is to be another round.
    package var goesOn: Bool { lengths.count < (isKept ? rounds.lowerBound : rounds.upperBound) }

    package mutating func note(_ length: Duration) { lengths.append(length) }

    /// True if the promise was kept in one of the rounds.
    package var isKept: Bool { lengths.contains { $0 <= promised } }

    package var longest: Duration { lengths.max() ?? .zero }

    package var description: String { "\(lengths) of \(promised)" }
}
