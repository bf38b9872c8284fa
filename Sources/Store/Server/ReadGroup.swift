import JSON

/// Reads that go to a server together: all run until they lack an answer, what they lack goes out in one trip, and those that lacked something
/// run again.
///
///     read 1 ── lacks a ─┐                      ┌─ has a ──▶ answered
///     read 2 ── lacks b ─┼─▶ one trip: a, b ─▶ ─┼─ has b, lacks c ─▶ next trip
///     read 3 ── lacks a ─┘                      └─ has a ──▶ answered
///
/// A read whose question is known before it runs (`ReadAside.asked`) runs once, behind the trip.
///
/// Reads of rows ask once, and need no transaction. All others see one state of the data, that of their common transaction.
struct ReadGroup {
    private let reader: Reader
    private static let rollback = SQLText("ROLLBACK")
    private static let interrupted = StoreError(.interrupted, "the read was given up")

    init(_ reader: Reader) { self.reader = reader }

    /// Runs and answers reads, and gives back those that have to be run by themselves: a question of some read has failed or takes long, or
    /// they ask for too much.
    func run(_ reads: [ReadAside]) -> [ReadAside] {
        let isOfRows = reads.first?.sharing == .row
        do throws(StoreError) {
            if !isOfRows { try reader.beginTurn() }
        } catch {
            return reads
        }
        reader.connection.beginSharedGathering()
        defer { reader.connection.endGathering() }
        var open = reads
        for round in 0..<StoreLimits.gatheringRunsMax {
            let (done, lacking) = attempt(open, isFirst: round == 0)
            // Close behind each other: those who wait for them wake once.
            for read in done { read.answer() }
            guard !lacking.isEmpty else { return [] }
            // They ask more than they have said, which takes a transaction.
            if isOfRows, round > 0 { return lacking }
            reader.connection.deadline.read = nil
            reader.deadline = Timestamp.monotonicMilliseconds + StoreLimits.sharedTripMilliseconds
            do throws(StoreError) {
                _ = try reader.connection.askGathered()
            } catch {
                reader.deadline = .max
                if !reader.connection.isInAutocommit { try? reader.connection.run(Self.rollback) }
                return lacking
            }
            guard reader.connection.isGathering else { return lacking }
            open = lacking
        }
        return open
    }

    /// Runs reads with the answers that are at hand. At first those run that have not said what they ask.
    func attempt(_ reads: [ReadAside], isFirst: Bool) -> (done: [ReadAside], lacking: [ReadAside]) {
        var done: [ReadAside] = []
        var lacking: [ReadAside] = []
        done.reserveCapacity(reads.count)
        lacking.reserveCapacity(reads.count)
        reader.connection.beginGatheredRun()
        for read in reads {
            if isFirst, let asked = read.asked {
                reader.connection.expectGathered(asked)
                lacking.append(read)
                continue
            }
            reader.connection.deadline.read = read
            reader.deadline = read.deadline
            guard !reader.isOver else {
                read.refuse(Self.interrupted)
                continue
            }
            reader.connection.beginSharedRun()
            read.attempt(reader)
            if reader.connection.lacksAnswer { lacking.append(read) } else { done.append(read) }
        }
        return (done, lacking)
    }
}
