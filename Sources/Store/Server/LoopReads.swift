import JSON
import Network

/// The reads of single rows of a server that a loop makes by itself, on a connection of its own.
///
///     requests of a turn ─▶ waiting ─▶ end of the turn: one trip ─▶ … other turns … ─▶ answers ─▶ bodies run, and are answered
///                              ▲                                                          └─▶ what has come meanwhile: the next trip
///                              └── the loop goes on: it waits for nothing
///
/// A read that goes to a thread and comes back costs more for that than for itself. Only short work is done here: a connection is made beside the
/// loop, and reads whose trip fails, takes long or brings much are made anew in `ReadersAside`, which says what is wrong with each.
///
/// It belongs to its loop's thread.
package final class LoopReads: EndOfTurnHandler, LoopBound, @unchecked Sendable {
    package let loop: EventLoop
    private let place: DatabasePlace
    private let aside: ReadersAside
    private var line: Line?
    private var waiting: [ReadAside] = []
    /// Those whose questions are on their way.
    private var running: [ReadAside] = []
    private var tripEnd: TimerToken?
    private var isCalledAtEndOfTurn = false
    private var isConnecting = false
    private var isClosed = false
    private var nextAttempt = MonotonicTime(nanoseconds: 0)

    /// The connection, and what says that something has come on it.
    private struct Line {
        let reader: Reader
        let watch: DescriptorWatch
        var lastUse: MonotonicTime
        var idleLook: TimerToken?
    }

    /// A connection on its way from the thread that made it to its loop.
    ///
    /// Unchecked: one has it after the other.
    private struct Made: @unchecked Sendable {
        let reader: Reader
    }

    init(on loop: EventLoop, of place: DatabasePlace, beside aside: ReadersAside) {
        (self.loop, self.place, self.aside) = (loop, place, aside)
    }

    /// Begins to read one row. The answer comes on the loop, or on a thread beside it. What is given back gives the read up, which is answered even so.
    package func begin(
        _ task: any ReadTask, until deadline: Int64, asking row: ServerQuestion
    ) -> @Sendable () -> Void {
        guard loop.isCurrent, isConnected, waiting.count < StoreLimits.loopReadsMax,
            row.byteCount <= StoreLimits.loopKeyBytes
        else { return aside.begin(task, until: deadline, sharing: .row, asking: row) }
        let read = ReadAside(task, until: deadline, .row, asking: row)
        waiting.append(read)
        sendAtEndOfTurn()
        return { read.cancel() }
    }

    /// True if reads that come now are made by the loop.
    var hasConnection: Bool { line != nil }

    /// The trips on the connection that it has.
    var trips: Int64 { line?.reader.connection.tripCount ?? 0 }

    /// Ends all reads, and closes the connection.
    package func close() {
        checkLoop()
        isClosed = true
        for read in endReads() { read.refuse(StoreError(.stopped, "the database is being closed")) }
        disconnect()
    }

    // MARK: Trips

    private func sendAtEndOfTurn() {
        guard running.isEmpty, !isCalledAtEndOfTurn else { return }
        isCalledAtEndOfTurn = true
        loop.callAtEndOfTurn(self)
    }

    package func turnEnded() {
        isCalledAtEndOfTurn = false
        guard running.isEmpty, !waiting.isEmpty, let reader = line?.reader else { return }
        reader.connection.beginSharedGathering()
        let taken = waiting.prefix(tripCount)
        waiting.removeFirst(taken.count)
        running = ReadGroup(reader).attempt(Array(taken), isFirst: true).lacking
        do throws(StoreError) { try reader.connection.sendGathered() } catch { return fail() }
        tripEnd = loop.schedule(
            at: loop.now.advanced(byMilliseconds: Int(StoreLimits.sharedTripMilliseconds))
        ) { [weak self] in self?.giveUp() }
    }

    /// How many of those that wait go with the next trip.
    private var tripCount: Int {
        var bytes = 0
        let end = waiting.prefix(StoreLimits.sharedTripParts).firstIndex { read in
            bytes += read.asked?.byteCount ?? 0
            return bytes > StoreLimits.loopTripKeyBytes
        }
        return end ?? min(waiting.count, StoreLimits.sharedTripParts)
    }

    /// Takes the answers that have arrived, and runs the reads when all are there.
    private func receive() {
        // Unasked, a server says little else than that it ends.
        guard let reader = line?.reader, !running.isEmpty else { return giveUp() }
        do throws(StoreError) {
            guard try reader.connection.takeGathered() else { return }
        } catch { return fail() }
        var left = endTrip()
        if reader.connection.isGathering, reader.connection.gatheredBytes <= StoreLimits.loopAnswerBytes {
            let group = ReadGroup(reader).attempt(left, isFirst: false)
            for read in group.done { read.answer() }
            left = group.lacking
        }
        reader.connection.endGathering()
        reader.connection.deadline.read = nil
        reader.deadline = .max
        line?.lastUse = loop.now
        aside.takeOver(left)
        if !waiting.isEmpty { sendAtEndOfTurn() }
    }

    /// Has the reads of a trip made beside the loop: something is wrong with one of them, or with the connection.
    private func fail() {
        guard let reader = line?.reader, !reader.connection.hasEnded else { return giveUp() }
        let reads = endTrip()
        reader.connection.endGathering()
        aside.takeOver(reads)
        if !waiting.isEmpty { sendAtEndOfTurn() }
    }

    /// Has all reads made beside the loop, and closes the connection.
    private func giveUp() {
        let reads = endReads()
        disconnect()
        aside.takeOver(reads)
    }

    private func endTrip() -> [ReadAside] {
        tripEnd.map(loop.cancel)
        tripEnd = nil
        defer { running = [] }
        return running
    }

    private func endReads() -> [ReadAside] {
        defer { waiting = [] }
        return endTrip() + waiting
    }

    // MARK: The connection

    /// True if there is a connection. Otherwise one is made, for reads that come later.
    private var isConnected: Bool {
        if line != nil { return true }
        guard !isConnecting, !isClosed, loop.now >= nextAttempt else { return false }
        isConnecting = true
        aside.begin(until: Timestamp.monotonicMilliseconds + StoreLimits.tripMilliseconds) { [self, place] result in
            // It has just found the server, or a reason not to ask it again.
            let made = (try? result.get()).flatMap { _ in try? Reader(of: place) }.map(Made.init)
            loop.execute { [self] in connected(made) }
        }
        return false
    }

    private func connected(_ made: Made?) {
        checkLoop()
        isConnecting = false
        guard !isClosed else { return }
        guard let reader = made?.reader, let socket = reader.connection.socketOfLoop(),
            let watch = try? DescriptorWatch(socket, on: loop, whenReady: { [weak self] in self?.receive() })
        else {
            pause()
            return
        }
        line = Line(reader: reader, watch: watch, lastUse: loop.now)
        lookForIdleness()
    }

    private func pause() {
        nextAttempt = loop.now.advanced(byMilliseconds: Int(StoreLimits.loopConnectionPauseMilliseconds))
    }

    /// Closes the connection when it has not been used for a while.
    private func lookForIdleness() {
        let milliseconds = StoreLimits.readsAsideIdleSeconds * 1_000
        line?.idleLook = loop.schedule(at: loop.now.advanced(byMilliseconds: milliseconds)) { [weak self] in
            guard let self, let line else { return }
            let end = line.lastUse.advanced(byMilliseconds: milliseconds)
            if running.isEmpty, waiting.isEmpty, loop.now >= end { disconnect() } else { lookForIdleness() }
        }
    }

    private func disconnect() {
        guard let line else { return }
        line.idleLook.map(loop.cancel)
        line.watch.stop()
        self.line = nil
        pause()
    }
}
