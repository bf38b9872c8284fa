import Delivery
import Engine
import Files
import Items
import Network
import Outbox
import Parameters
import Store
import Synchronization
import UserPool

// The parts of the server. Each says what of a part's life concerns it.

extension RunningFunctions: ServedPart {
    func adopt(_ project: ServedProject) async throws(StartError) {
        try adopt(project.running, models: project.models, rights: project.rights)
    }

    func renew() async { functions.renew() }

    func beginToEnd() { beginToStop() }
}

extension FunctionAddresses: ServedPart {
    func adopt(_ project: ServedProject) async { adopt(project.configuration) }
}

extension OutboxSenders: ServedPart {
    func prepare(_ project: ServedProject) async { await make(project.topics, project.log) }

    func begin(_ project: ServedProject) async { followNodes() }

    func takeUp(_ project: ServedProject) async { start() }

    func layDown() async { await stop() }

    func adopt(_ project: ServedProject) async { await make(project.topics, project.log) }

    func beginAnew() async throws(ErrorAnswer) {
        do throws(OutboxError) { try await outbox.beginAnew() } catch {
            throw .test("The topics of the project cannot be made: \(error.message)", status: 503)
        }
        lookAnew()
    }

    func end() async { await stop() }
}

/// The tables of items: those of the project are made before anybody asks.
final class ItemPart: ServedPart {
    private let items: ItemService
    private let tables: ProjectTables
    private let loop: EventLoop
    /// How often the sweeping was begun or ended: one that belongs to an earlier time ends by itself.
    private let changes = Mutex(0)

    /// How often a node has the tables read again, whether or not it has heard that they are others.
    private static let lookMilliseconds = 2_000

    init(items: ItemService, tables: ProjectTables, loop: EventLoop) {
        (self.items, self.tables, self.loop) = (items, tables, loop)
    }

    func prepare(_ project: ServedProject) async { await tables.make() }

    func begin(_ project: ServedProject) async {
        guard let nodes = items.nodes else { return }
        nodes.onWake { [items] in items.hear($0) }
        loop.execute { self.lookForOthers() }
    }

    private func lookForOthers() {
        items.hear([.everything])
        _ = loop.schedule(at: loop.now.advanced(byMilliseconds: Self.lookMilliseconds)) { self.lookForOthers() }
    }

    func takeUp(_ project: ServedProject) async {
        let number = change()
        Task(executorPreference: loop) { [items] in await items.begin() }
        loop.execute { self.sweep(number) }
    }

    func layDown() async { change() }

    @discardableResult
    private func change() -> Int {
        changes.withLock { changes in
            changes += 1
            return changes
        }
    }

    private func sweep(_ number: Int) {
        guard changes.withLock({ $0 == number }) else { return }
        items.sweep()
        let next = loop.now.advanced(byMilliseconds: Int(TableLimits.sweepMilliseconds))
        _ = loop.schedule(at: next) { self.sweep(number) }
    }

    func adopt(_ project: ServedProject) async { await tables.adopt(project.running) }

    func beginAnew() async {
        items.beginAnew()
        await tables.make()
    }
}

/// The parameters of earlier versions lie in a file, which the first start takes over.
struct ParameterPart: ServedPart {
    let store: ParameterStore

    func prepare(_ project: ServedProject) async {
        guard project.configuration.database != .memory,
            let reason = await store.takeFormerFile(in: project.configuration.data)
        else { return }
        project.log.warning("\(reason)")
    }
}

extension Deliveries: ServedPart {
    func prepare(_ project: ServedProject) async { await readRules() }

    func begin(_ project: ServedProject) async { followNodes() }

    func takeUp(_ project: ServedProject) async { start() }

    func layDown() async { await stop() }

    func adopt(_ project: ServedProject) async throws(StartError) { try await adopt(project.running) }

    func beginAnew() async {
        await readRules()
        lookAnew()
    }

    func clockWasSet() { lookAnew() }

    func end() async { await stop() }
}

extension RunningWorkflows: ServedPart {
    func begin(_ project: ServedProject) async { followNodes(workflows.nodes) }

    func takeUp(_ project: ServedProject) async { start() }

    func layDown() async { await stop() }

    func adopt(_ project: ServedProject) async { adopt(project.running) }

    func clockWasSet() { beginAnew() }

    func end() async { await stop() }
}

extension RunningSchedules: ServedPart {
    func takeUp(_ project: ServedProject) async { start(project.running) }

    func layDown() async { await stop() }

    func adopt(_ project: ServedProject) async { adopt(project.running) }

    func beginToEnd() { beginToStop() }

    func end() async { await stop() }
}

struct GatewayPart: ServedPart {
    let gateway: GatewayRoute
    let recognition: CallerRecognition

    func adopt(_ project: ServedProject) async throws(StartError) {
        let configuration = project.configuration
        gateway.adopt(configuration, try GatewayUsers(configuration, recognition.following(configuration)))
    }
}

/// The store of files, and the events of its changes: any node notes them, and the keeper calls functions.
final class FilePart: ServedPart {
    private let files: FileService
    private let loop: EventLoop
    private let makeSender: @Sendable () -> FileEventSender?
    private let sender = Mutex<FileEventSender?>(nil)

    init(_ files: FileService, on loop: EventLoop, sender: @escaping @Sendable () -> FileEventSender?) {
        (self.files, self.loop, makeSender) = (files, loop, sender)
    }

    func begin(_ project: ServedProject) async {
        Task(executorPreference: loop) { [files] in await files.sweep() }
        files.nodes?.onWake { [files] wakes in
            if wakes.contains(.files) || wakes.contains(.everything) { files.tellOfEvents() }
        }
    }

    func takeUp(_ project: ServedProject) async {
        guard let made = makeSender() else { return }
        sender.withLock { $0 = made }
        made.start()
    }

    func layDown() async { await sender.withLock { $0.take() }?.stop() }

    func adopt(_ project: ServedProject) async { files.adopt(project.buckets.room(project.rights.identities)) }

    func clockWasSet() { files.tellOfEvents() }

    func end() async { await layDown() }
}

/// The user pool, and the messages to its users, which functions may send that call this server.
final class PoolPart: ServedPart {
    private let pool: UserPool
    private let identifiers: PoolIdentifiers?
    private let makeMessages: @Sendable () -> PoolMessages
    private let messages = Mutex<PoolMessages?>(nil)

    init(_ pool: UserPool, _ identifiers: PoolIdentifiers?, messages: @escaping @Sendable () -> PoolMessages) {
        (self.pool, self.identifiers, makeMessages) = (pool, identifiers, messages)
    }

    func begin(_ project: ServedProject) async {
        let made = makeMessages()
        messages.withLock { $0 = made }
        pool.nodes?.onWake { [weak made] wakes in
            if wakes.contains(.outbox) || wakes.contains(.everything) { made?.wake() }
        }
    }

    func takeUp(_ project: ServedProject) async { messages.withLock { $0 }?.start(project.configuration) }

    func layDown() async { await messages.withLock { $0 }?.stop() }

    func adopt(_ project: ServedProject) async {
        guard let identifiers else { return }
        pool.adopt(
            BuiltInPool.settings(project.configuration, identifiers, groupsWithRoles: project.buckets.groups))
        await messages.withLock { $0 }?.adopt(project.configuration)
    }

    func beginAnew() async { pool.beginAnew() }

    func clockWasSet() { pool.beginAnew() }

    func end() async { await messages.withLock { $0 }?.stop() }
}

/// The changes of tables that functions are told of.
struct StreamPart: ServedPart {
    let streams: TableStreams

    func takeUp(_ project: ServedProject) async { await streams.begin() }

    func layDown() async { await streams.layDown() }

    func follow(_ engine: Engine, _ project: ProjectDefinitions) async {
        await streams.adopt(project.resolution.configuration, of: engine.blueprint, over: engine.store)
    }

    func beginAnew() async { streams.beginAnew() }

    func clockWasSet() { streams.beginAnew() }

    func end() async { await streams.stop() }
}

extension BackupSchedule: ServedPart {
    func begin(_ project: ServedProject) async { start() }

    func end() async { await stop() }
}
