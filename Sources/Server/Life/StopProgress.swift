import Network
import Synchronization

/// How far a server has come on the way to its end, for the one line that says what kept it from ending. Nobody waits for
/// anybody here: the loops say that they live, and the thread that asks reads.
final class StopProgress: Sendable {
    /// The stages of the process, in this order.
    enum Stage: Int, CaseIterable, Sendable {
        case starting
        case serving
        case closingDatabase
    }

    /// More loops than these are not told apart.
    private static let loopsMax = 64

    private let stage = Atomic(Stage.starting.rawValue)
    /// A bit for each loop that was asked whether it lives and has not answered.
    private let silentLoops = Atomic<UInt64>(0)

    func enter(_ stage: Stage) {
        self.stage.store(stage.rawValue, ordering: .relaxed)
    }

    /// Asks all loops whether they live.
    func ask(_ loops: [EventLoop]) {
        for loop in loops.prefix(Self.loopsMax) {
            let bit = UInt64(1) << UInt64(loop.index % Self.loopsMax)
            silentLoops.bitwiseOr(bit, ordering: .relaxed)
            loop.execute { [self] in silentLoops.bitwiseAnd(~bit, ordering: .relaxed) }
        }
    }

    /// The parts that still work.
    var description: String {
        switch Stage(rawValue: stage.load(ordering: .relaxed)) {
        case .starting: return "the start"
        case .closingDatabase: return "the database's writer"
        case .serving, nil:
            let silent = silentLoops.load(ordering: .relaxed)
            let names = (0..<Self.loopsMax).filter { silent >> UInt64($0) & 1 == 1 }.map { "event loop \($0)" }
            return names.isEmpty ? "requests" : names.joined(separator: ", ")
        }
    }
}
