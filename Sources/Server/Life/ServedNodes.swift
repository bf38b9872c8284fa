import Engine
import JSON
import Network
import Store
import Synchronization
import UserPool

/// This server as one of several over one database: it hears of their changes, takes over the keys that they make, and does the work that is done
/// once for all while it is their keeper.
///
///     duty taken ─▶ parts take up ─▶ … ─▶ duty lost, or its time over ─▶ parts lay down ─▶ … ─▶ end: laid down before another one has it
final class ServedNodes: ServedPart {
    private let configuration: Configuration
    /// Where other nodes call this one.
    private let address: String
    private let engine: Engine
    private let loop: EventLoop
    private let log: Log
    private let folder: SharedFolder?
    private let now: @Sendable () -> Int64
    private let state = Mutex(State())
    /// One change of the keeper after the other.
    private let rounds: WorkRounds

    private struct State {
        var nodes: Nodes?
        /// The parts whose work one node does.
        var parts: [any ServedPart] = []
        var isKeeper = false
        /// True once the log says who is the keeper.
        var isTold = false
        /// The names and keys of the database, as they were the last time.
        var known: KeptNotes = [:]
        var isEnding = false
        /// True while the clock is so far off that its owner was warned.
        var isClockOff = false
    }

    private static let lookMilliseconds = 3_000
    /// After how long without the duty the log says that another node has it.
    private static let tellingMilliseconds: Int64 = 5_000

    /// Nil where the server is the only one.
    ///
    /// - Parameters:
    ///   - address: where this machine's clients call the server.
    ///   - now: this machine's clock, in milliseconds since 1970.
    init?(
        _ configuration: Configuration, _ engine: Engine, at address: String, on loop: EventLoop, _ log: Log,
        now: @escaping @Sendable () -> Int64 = { Timestamp.now.millisecondsSince1970 }
    ) {
        guard configuration.hasNodes else { return nil }
        self.address = configuration.nodeAddress ?? address
        (self.configuration, self.engine, self.loop, self.log) = (configuration, engine, loop, log)
        rounds = WorkRounds(on: loop, clock: SystemMailClock())
        folder = SharedFolder(configuration)
        self.now = now
    }

    /// Why this node should get no requests; nil: it is ready.
    var obstacle: String? {
        guard let nodes = state.withLock({ $0.nodes }) else { return "it is not one of the nodes yet" }
        let state = nodes.currentState
        return Self.obstacle(isMember: state.isMember, leadMilliseconds: state.leadMilliseconds)
    }

    /// The same of a node's state.
    static func obstacle(isMember: Bool, leadMilliseconds lead: Int64) -> String? {
        guard isMember else { return "it is not one of the nodes any more" }
        guard lead.magnitude > UInt64(StoreLimits.nodeClockMilliseconds) else { return nil }
        return "its clock is \(shown(lead)) the database's"
    }

    private static func shown(_ lead: Int64) -> String {
        let tenths = lead.magnitude / 100
        return "\(tenths / 10).\(tenths % 10) s \(lead < 0 ? "behind" : "ahead of")"
    }

    /// Warns of a clock that is off, once until it is right again.
    private func lookAtClock() {
        let change: Int64? = state.withLock { state in
            guard let lead = state.nodes?.currentState.leadMilliseconds else { return nil }
            let isOff = lead.magnitude > UInt64(StoreLimits.nodeClockWarningMilliseconds)
            defer { state.isClockOff = isOff }
            return isOff && !state.isClockOff ? lead : nil
        }
        guard let lead = change else { return }
        log.warning(
            "the clock of this machine is \(Self.shown(lead)) the database's. Set both by a time server: beyond "
                + "\(StoreLimits.nodeClockMilliseconds / 1_000) seconds this node is not ready")
    }

    /// Has these parts do the work of the keeper. Called before `begin`.
    func lead(_ parts: [any ServedPart]) { state.withLock { $0.parts = parts } }

    /// True if this node does the work that is done once for all.
    var isKeeper: Bool { state.withLock { $0.isKeeper } }

    /// Joins the others. From then on, subscribers of this server hear of their changes.
    func join() async throws(StartError) {
        let (log, folder) = (log, folder)
        func marking(_ body: () throws(PoolFile.Failure) -> Void) throws(StoreError) {
            do throws(PoolFile.Failure) { try body() } catch { throw StoreError(.cannotOpen, error.message) }
        }
        do throws(StoreError) {
            let nodes = try await Nodes.join(
                engine.store, address: address, version: Version.number, now: now,
                prepare: { number throws(StoreError) in
                    try marking { () throws(PoolFile.Failure) in try folder?.enter(number) }
                },
                report: { error in
                    log.error("other nodes cannot be heard", ["reason": .string(error.message)])
                })
            do throws(StoreError) {
                if let folder {
                    let living = try await engine.store.readersAside.read(
                        until: Timestamp.monotonicMilliseconds + StoreLimits.tripMilliseconds
                    ) { reader throws(StoreError) in try reader.livingNodes() }
                    try marking { () throws(PoolFile.Failure) in try folder.check(living) }
                }
            } catch {
                await nodes.end()
                folder?.leave(nodes.number)
                throw error
            }
            engine.hear(nodes)
            state.withLock { $0.nodes = nodes }
        } catch {
            throw StartError(.configuration, error.message)
        }
    }

    /// The outcome of `join`, for a thread that waits for it.
    func outcome() async -> Result<Void, StartError> {
        do throws(StartError) { return .success(try await join()) } catch { return .failure(error) }
    }

    func begin(_ project: ServedProject) async {
        loop.execute { self.lookLater() }
        guard let duty = state.withLock({ $0.nodes?.keeper }) else { return }
        duty.listen { [loop, rounds] in loop.execute { rounds.wake() } }
        let began = Timestamp.monotonicMilliseconds
        rounds.start { [self] in
            await follow(duty, project, for: Timestamp.monotonicMilliseconds - began)
            // The end comes by the time: nobody says so.
            guard let end = duty.heldUntil else {
                return WorkRounds.Rest(until: nil, atMost: Self.tellingMilliseconds)
            }
            let left = end.nanoseconds(since: .now) / 1_000_000
            return WorkRounds.Rest(until: nil, atMost: Int64(clamping: left) + 1)
        }
    }

    /// Begins or ends the work of the keeper, as this node has the duty or not.
    private func follow(_ duty: NodeDuty, _ project: ServedProject, for milliseconds: Int64) async {
        let (parts, isKeeper, isTold) = state.withLock { ($0.parts, $0.isKeeper, $0.isTold) }
        let isHeld = duty.isHeld
        if isHeld, !isKeeper {
            log.info(
                "this node is the keeper: it sends, delivers, calls by the clock, runs executions and sweeps for all nodes"
            )
            state.withLock { ($0.isKeeper, $0.isTold) = (true, true) }
            await parts.takeUp(project)
        } else if !isHeld, isKeeper {
            log.info("another node may be the keeper from now on: this one neither sends, delivers nor sweeps")
            state.withLock { ($0.isKeeper, $0.isTold) = (false, true) }
            await parts.layDown()
        } else if !isHeld, !isTold, milliseconds >= Self.tellingMilliseconds {
            log.info(
                "another node is the keeper: it sends, delivers, calls by the clock, runs executions and sweeps for all nodes"
            )
            state.withLock { $0.isTold = true }
        }
    }

    private func lookLater() {
        _ = loop.schedule(at: loop.now.advanced(byMilliseconds: Self.lookMilliseconds)) { [self] in
            guard !state.withLock({ $0.isEnding }) else { return }
            Task(executorPreference: loop) { [self] in
                await takeKeys()
                lookAtClock()
                loop.execute { self.lookLater() }
            }
        }
    }

    /// Takes over names and keys that another node has changed.
    private func takeKeys() async {
        let notes: KeptNotes
        do throws(StoreError) {
            notes = try await engine.store.read(
                with: { () throws(StoreError) in
                    throw StoreError(.unexpected, "nodes have no database in a file")
                }, { reader throws(StoreError) in try reader.keptNotes() })
        } catch {
            // The next look comes soon, and the database's watch says what is wrong.
            return
        }
        guard state.withLock({ $0.known }) != notes else { return }
        do throws(PoolFile.Failure) {
            try KeptFiles.take(notes, into: configuration.data)
            state.withLock { $0.known = notes }
        } catch {
            log.error("names and keys of the other nodes cannot be taken over", ["reason": .string(error.message)])
        }
    }

    func beginToEnd() { state.withLock { $0.isEnding = true } }

    /// The work ends before the duty does: the next keeper begins where this one has stopped.
    func end() async {
        await rounds.stop()
        let (nodes, parts, wasKeeper) = state.withLock { state in
            defer { state.isKeeper = false }
            return (state.nodes.take(), state.parts, state.isKeeper)
        }
        if wasKeeper { await parts.layDown() }
        guard let nodes else { return }
        await nodes.end()
        folder?.leave(nodes.number)
    }
}
