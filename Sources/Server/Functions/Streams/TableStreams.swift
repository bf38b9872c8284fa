import Access
import Blueprint
import JSON
import Network
import Store
import Synchronization

/// The functions that are told of changes of tables.
final class TableStreams: LoopBound, @unchecked Sendable {
    let loop: EventLoop
    private let readers: [TableStreamReader]
    private let isWaking = Mutex(false)

    /// Nil where no function is told of any. From here on changes are taken down.
    ///
    /// - Parameter outside: the loop's own.
    static func start(
        _ configuration: Configuration, of blueprint: Blueprint, over store: Store, region: String,
        by outside: any OutsideService, on loop: EventLoop, _ log: Log
    ) throws(StartError) -> TableStreams? {
        var readers: [TableStreamReader] = []
        var functions: [ByteText: (table: TableLayout, names: [String])] = [:]
        for (name, function) in configuration.functions.sorted(by: { $0.key < $1.key }) {
            let place = TableStreamPlace(function: name, address: function.address(of: name), region: region)
            for source in function.tables {
                guard let model = blueprint.model(named: source.model), let table = store.layout.table(of: model) else {
                    guard !function.isOfProject else {
                        // A table of the project's own: it is told of with all else that is not served.
                        log.warning("the function \(name) is told of no changes: \(source.fault(among: blueprint))")
                        continue
                    }
                    throw StartError(.configuration, "functions.\(name).tables: \(source.fault(among: blueprint))")
                }
                guard functions[table.model]?.names.contains(name) != true else { continue }
                functions[table.model, default: (table, [])].names.append(name)
                readers.append(
                    TableStreamReader(of: table, source, at: place, over: store, by: outside, on: loop) {
                        log.warning($0)
                    })
            }
        }
        guard !readers.isEmpty else { return nil }
        let kept = functions.values.map { TableStream($0.table, readers: $0.names) }
        if let failure = loop.wait(for: { await keep(kept, in: store) }) {
            throw StartError(.unwritableOutput, "changes of tables cannot be kept: \(failure)")
        }
        let streams = TableStreams(readers, on: loop)
        store.writer.afterEachGroup { [weak streams] in streams?.wake() }
        streams.begin()
        return streams
    }

    /// Has them taken down; the answer is why that cannot be.
    private static func keep(_ streams: [TableStream], in store: Store) async -> String? {
        do {
            try await store.writer.write { session in try session.keep(streams) }
            return nil
        } catch {
            return "\(error)"
        }
    }

    private init(_ readers: [TableStreamReader], on loop: EventLoop) {
        self.readers = readers
        self.loop = loop
    }

    /// Goes on with tables that have been changed. From any thread.
    func adopt(_ layout: DatabaseLayout) {
        loop.execute { [self] in for reader in readers { reader.adopt(layout) } }
    }

    /// Has all begin anew, where another time or other data hold from now on. From any thread.
    func beginAnew() {
        loop.execute { [self] in for reader in readers { reader.beginAnew() } }
    }

    private func begin() { loop.execute { [self] in for reader in readers { reader.start() } } }

    /// Has all look for changes. From the writer's thread: once, however often before they do.
    private func wake() {
        let isFirst = isWaking.withLock { isWaking in
            defer { isWaking = true }
            return !isWaking
        }
        guard isFirst else { return }
        loop.execute { [self] in
            isWaking.withLock { $0 = false }
            for reader in readers { reader.wake() }
        }
    }

    /// Ends the telling, and waits for that.
    func stop() async {
        for reader in readers { await reader.stop() }
    }
}
