import Engine
import JSON
import Network
import Store
import Synchronization
import UserPool

/// This server as one of several over one database: it hears of their changes, and takes over the keys that they make.
final class ServedNodes: ServedPart {
    private let configuration: Configuration
    private let engine: Engine
    private let loop: EventLoop
    private let log: Log
    private let state = Mutex(State())

    private struct State {
        var nodes: Nodes?
        /// The names and keys of the database, as they were the last time.
        var known: KeptNotes = [:]
        var isEnding = false
    }

    private static let lookMilliseconds = 3_000

    /// Nil where the server is the only one.
    init?(_ configuration: Configuration, _ engine: Engine, on loop: EventLoop, _ log: Log) {
        guard configuration.hasNodes else { return nil }
        (self.configuration, self.engine, self.loop, self.log) = (configuration, engine, loop, log)
    }

    /// Joins the others. From then on, subscribers of this server hear of their changes.
    func join() async throws(StartError) {
        do throws(StoreError) {
            let log = log
            let nodes = try await Nodes.join(
                engine.store, address: configuration.ownAddress, version: Version.number,
                report: { error in
                    log.error("other nodes cannot be heard", ["reason": .string(error.message)])
                })
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

    func begin(_ project: ServedProject) async { loop.execute { self.lookLater() } }

    private func lookLater() {
        _ = loop.schedule(at: loop.now.advanced(byMilliseconds: Self.lookMilliseconds)) { [self] in
            guard !state.withLock({ $0.isEnding }) else { return }
            Task(executorPreference: loop) { [self] in
                await takeKeys()
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

    func end() async { await state.withLock { $0.nodes.take() }?.end() }
}
