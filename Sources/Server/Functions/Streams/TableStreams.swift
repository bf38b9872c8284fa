import Access
import Blueprint
import Delivery
import Items
import JSON
import Network
import Store
import Synchronization

/// The functions that are told of changes of tables.
final class TableStreams: LoopBound, @unchecked Sendable {
    let loop: EventLoop
    private var readers: [TableStreamReader] = []
    /// The changes that functions are told of by now, and where they are.
    private var wanted: [Wanted]
    private var store: Store
    private let region: String
    private let items: ItemService
    private let outside: any OutsideService
    private let log: Log
    private let isWaking = Mutex(false)
    private var isStopping = false

    /// Nil where no function is told of any, and none will be. From here on changes are taken down.
    ///
    /// - Parameters:
    ///   - items: what has the tables of the project's own.
    ///   - outside: the loop's own.
    ///   - isRenewable: whether other functions may come (`adopt`).
    static func start(
        _ configuration: Configuration, of blueprint: Blueprint, over store: Store, _ items: ItemService,
        region: String, by outside: any OutsideService, on loop: EventLoop, isRenewable: Bool = false, _ log: Log
    ) throws(StartError) -> TableStreams? {
        if let fault = Wanted.fault(of: configuration, among: blueprint) { throw StartError(.configuration, fault) }
        let wanted = Wanted.all(configuration, of: blueprint, store.layout, region: region) { log.warning($0) }
        guard isRenewable || !wanted.isEmpty else { return nil }
        let streams = TableStreams(wanted, over: store, items, region: region, by: outside, on: loop, log)
        if !wanted.isEmpty, let failure = loop.wait(for: { await keep(wanted, in: store, items) }) {
            throw StartError(.unwritableOutput, "changes of tables cannot be kept: \(failure)")
        }
        store.writer.afterEachGroup { [weak streams] in streams?.wake() }
        return streams
    }

    /// A table of whose changes a function is to be told.
    private struct Wanted {
        /// Nil: it is one of the project's own.
        let table: TableLayout?
        let source: TableSource
        let place: TableStreamPlace

        /// - Parameter report: is called with each function that gets no changes, and why.
        static func all(
            _ configuration: Configuration, of blueprint: Blueprint, _ layout: DatabaseLayout, region: String,
            report: (String) -> Void
        ) -> [Wanted] {
            var all: [Wanted] = []
            for (name, function) in configuration.functions.sorted(by: { $0.key < $1.key }) {
                let place = TableStreamPlace(function: name, address: function.address(of: name), region: region)
                for source in function.tables {
                    func isKnown(_ other: Wanted) -> Bool {
                        other.place.function == name && other.source.isOwn == source.isOwn
                            && other.source.model.utf8.elementsEqual(source.model.utf8)
                    }
                    guard !source.isOwn else {
                        if !all.contains(where: isKnown) {
                            all.append(Wanted(table: nil, source: source, place: place))
                        }
                        continue
                    }
                    guard let model = blueprint.model(named: source.model), let table = layout.table(of: model) else {
                        report("the function \(name) gets no changes: \(source.fault(among: blueprint))")
                        continue
                    }
                    if !all.contains(where: isKnown) { all.append(Wanted(table: table, source: source, place: place)) }
                }
            }
            return all
        }

        /// The fault that refuses a start: a configuration names a table that is missing.
        static func fault(of configuration: Configuration, among blueprint: Blueprint) -> String? {
            for (name, function) in configuration.functions.sorted(by: { $0.key < $1.key }) where !function.isOfProject
            {
                let sources = function.tables.filter { !$0.isOwn }
                if let source = sources.first(where: { blueprint.model(named: $0.model) == nil }) {
                    return "functions.\(name).tables: \(source.fault(among: blueprint))"
                }
            }
            return nil
        }

        static func streams(_ wanted: [Wanted]) -> [TableStream] {
            var streams: [ByteText: [Wanted]] = [:]
            for one in wanted {
                if let table = one.table { streams[ByteText(table.model), default: []].append(one) }
            }
            return streams.values.compactMap { readers in
                guard let table = readers.first?.table else { return nil }
                return TableStream(
                    table, readers: readers.map(\.place.function),
                    oldest: readers.filter { $0.source.start == .oldest }.map(\.place.function))
            }
        }

        /// The readers of the project's own tables.
        static func readers(_ wanted: [Wanted]) -> [ItemStreamReader] {
            wanted.filter { $0.table == nil }.map { one in
                ItemStreamReader(
                    one.place.function, of: one.source.model, beginsWithOldest: one.source.start == .oldest)
            }
        }
    }

    /// Has them taken down; the answer is why that cannot be.
    private static func keep(_ wanted: [Wanted], in store: Store, _ items: ItemService) async -> String? {
        let streams = Wanted.streams(wanted)
        do {
            try await store.writer.write(turn: [.models, .streams, .schema], key: nil) { session in
                try session.keep(streams)
            }
            try await items.keep(Wanted.readers(wanted))
            return nil
        } catch {
            return "\(error)"
        }
    }

    private init(
        _ wanted: [Wanted], over store: Store, _ items: ItemService, region: String, by outside: any OutsideService,
        on loop: EventLoop, _ log: Log
    ) {
        (self.wanted, self.store) = (wanted, store)
        (self.items, self.region, self.outside, self.loop, self.log) = (items, region, outside, loop, log)
    }

    private func reader(_ wanted: Wanted, over store: Store) -> TableStreamReader {
        let (source, place, isAmongNodes) = (wanted.source, wanted.place, store.nodes != nil)
        guard let table = wanted.table else {
            return TableStreamReader(
                of: .items(ItemStreamQueue(items, of: source.model, for: place.function)), source, at: place,
                by: outside, on: loop, isAmongNodes: isAmongNodes
            ) { [log] in log.warning($0) }
        }
        return TableStreamReader(
            of: table, source, at: place, over: store, by: outside, on: loop, isAmongNodes: isAmongNodes
        ) { [log] in log.warning($0) }
    }

    /// Goes on with tables that have been changed, and with the functions that are to be told by now. Who was told before goes on
    /// where it is; who is new is told of what comes from here on. On the loop.
    func adopt(_ configuration: Configuration, of blueprint: Blueprint, over store: Store) async {
        checkLoop()
        guard !isStopping else { return }
        let wanted = Wanted.all(configuration, of: blueprint, store.layout, region: region) { [log] in log.warning($0) }
        var (kept, next) = ([TableStreamReader](), [Wanted]())
        for one in wanted {
            if let reader = readers.first(where: { $0.isFor(one.source, one.place) }) {
                reader.adopt(store.layout)
                kept.append(reader)
            } else {
                next.append(one)
            }
        }
        (self.wanted, self.store) = (wanted, store)
        let gone = readers.filter { reader in !kept.contains { $0 === reader } }
        guard !gone.isEmpty || !next.isEmpty else { return }
        readers = kept
        for reader in gone { await reader.stop() }
        if let failure = await Self.keep(wanted, in: store, items) {
            log.warning("changes of tables cannot be kept: \(failure)")
        }
        guard !isStopping else { return }
        let made = next.map { reader($0, over: store) }
        readers += made
        for reader in made { reader.start() }
    }

    /// Has all begin anew, where another time or other data hold from now on. From any thread.
    func beginAnew() {
        loop.execute { [self] in for reader in readers { reader.beginAnew() } }
    }

    /// Begins to tell, also again behind `layDown`. From any thread.
    func begin() async {
        await loop.run { [self] in
            guard !isStopping else { return }
            readers = wanted.map { reader($0, over: store) }
            for reader in readers { reader.start() }
        }
    }

    /// Ends the telling for now, and waits for that: another node goes on where this one was.
    func layDown() async {
        let last = await loop.run { [self] () -> [TableStreamReader] in
            defer { readers = [] }
            return readers
        }
        for reader in last { await reader.stop() }
    }

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
        let last = await loop.run { [self] () -> [TableStreamReader] in
            isStopping = true
            return readers
        }
        for reader in last { await reader.stop() }
    }
}
