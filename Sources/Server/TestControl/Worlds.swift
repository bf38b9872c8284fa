import Files
import Glibc
import JSON
import Network
import Synchronization
import Threads

/// The worlds of a server under tests: servers of their own, each of which began with a copy of this one's state.
///
///     create ─▶ a process that waits, or a new one ─▶ copy of the state ─▶ it takes that ─▶ its address
///     end    ─▶ its pipe is closed ─▶ it stops, and its folder is removed
///
/// Each is a process with a port, a clock, keys and functions of its own, so that no world can see another one, whatever it does. All are
/// forked from one that has read the project (`WorldTemplate`), and their databases lie over copies that they share, so a world takes the
/// memory that it changes. Once there was one, processes wait to become the next ones: two, and more where tests ask for several at the same moment.
final class Worlds: Sendable {
    private struct World: Sendable {
        let process: WorldProcess
        let created: Int64
        let bytes: Int64
        /// The copy that it began with.
        let copy: UInt64
    }

    private struct State: Sendable {
        var names = WorldNames()
        var worlds: [ByteText: World] = [:]
        var spares: [WorldProcess] = []
        var startedSpares = 0
        /// How many should wait.
        var sparesWanted = TestControlLimits.spareWorldsFirst
        var lastFolder = 0
        var isClosed = false
    }

    private let command: WorldCommand
    private let data: TestData
    private let folder: String
    private let key: TestKey
    private let state = Mutex(State())
    private let template = Mutex<WorldTemplate?>(nil)
    private let worker = WorkersAside(
        threadsMax: TestControlLimits.worldThreadsMax, waitingMax: TestControlLimits.worldCallsMax, niceness: 0)

    /// - Parameter folder: where their folders go, on the disk of the files.
    init(_ command: WorldCommand, over data: TestData, in folder: String, _ key: TestKey) {
        self.command = command
        self.data = data
        self.folder = folder
        self.key = key
        // Those of a process that did not end in order.
        FolderContent.remove(folder)
    }

    // MARK: Calls

    func create(_ wish: WorldWish) async throws(ErrorAnswer) -> JSONObject {
        let name = try reserve(wish.name)
        do throws(ErrorAnswer) {
            let world = try await begin(wish)
            let isClosed = state.withLock { state in
                if !state.isClosed { state.worlds[name] = world }
                return state.isClosed
            }
            if isClosed {
                world.process.beginToEnd()
                throw .test("The server is stopping.", status: 503)
            }
            makeSpares()
            return Self.json(of: world, called: name)
        } catch {
            state.withLock { $0.names.remove(name) }
            throw error
        }
    }

    func end(_ name: String) async throws(ErrorAnswer) {
        let world = try world(name)
        let isFirst = state.withLock { state in
            state.names.remove(ByteText(name))
            return state.worlds.removeValue(forKey: ByteText(name)) != nil
        }
        guard isFirst else { throw Self.unknown(name) }
        guard await worker.value(of: { world.process.end() }) != nil else {
            world.process.beginToEnd()
            throw Self.isBusy
        }
    }

    func description(of name: String) throws(ErrorAnswer) -> JSONObject {
        Self.json(of: try world(name), called: ByteText(name))
    }

    var json: JSONValue {
        forgetEnded()
        let worlds = state.withLock { $0.worlds }.sorted { $0.key < $1.key }
        return [
            "worlds": .array(
                worlds.map { name, world in
                    let created = Timestamp(seconds: world.created / 1_000, milliseconds: Int(world.created % 1_000))
                    return [
                        "name": .string(name.string), "url": world.process.greeting["url"] ?? .null,
                        "createdAt": .string(created.text), "bytes": .integer(world.bytes),
                        "process": world.process.greeting["process"] ?? .null,
                    ]
                })
        ]
    }

    /// Ends all of them. Waits: called when nothing is served any more.
    func close() {
        let processes = state.withLock { state in
            state.isClosed = true
            state.names.removeAll()
            defer { (state.worlds, state.spares) = ([:], []) }
            return state.worlds.values.map(\.process) + state.spares
        }
        for process in processes { process.beginToEnd() }
        for process in processes { process.end() }
        template.withLock { $0 = nil }
        FolderContent.remove(folder)
    }

    // MARK: Processes

    private func begin(_ wish: WorldWish) async throws(ErrorAnswer) -> World {
        let process = try await freeProcess()
        let taken = Mutex<(bytes: Int64, copy: UInt64)>((0, 0))
        do throws(ErrorAnswer) {
            let others = state.withLock { state in
                Dictionary(state.worlds.values.map { ($0.copy, $0.bytes) }, uniquingKeysWith: max)
            }
            try await data.lend(wish.origin, to: process.folder) { [worker] state async throws(ErrorAnswer) in
                try WorldNames.demandRoom(for: state.bytes, of: state.copy, besides: others)
                taken.withLock { $0 = (state.bytes, state.copy) }
                let result = await worker.value { () -> Result<Void, ErrorAnswer> in
                    Result { () throws(ErrorAnswer) in try process.adopt(state, idleSeconds: wish.idleSeconds) }
                }
                guard let result else { throw Self.isBusy }
                try result.get()
            }
            worker.begin { process.forgetState() }
        } catch {
            worker.begin { process.end() }
            throw error
        }
        let (bytes, copy) = taken.withLock { $0 }
        return World(process: process, created: Timestamp.now.millisecondsSince1970, bytes: bytes, copy: copy)
    }

    /// One that waits, or a new one.
    private func freeProcess() async throws(ErrorAnswer) -> WorldProcess {
        while let process = state.withLock({ $0.spares.popLast() }) {
            if process.isRunning { return process }
            worker.begin { process.end() }
        }
        state.withLock { state in
            // The first world of all says nothing of those that follow.
            guard !state.worlds.isEmpty else { return }
            state.sparesWanted = min(TestControlLimits.spareWorldsMax, state.sparesWanted + 1)
        }
        let folder = newFolder()
        let result = await worker.value { [self] () -> Result<WorldProcess, ErrorAnswer> in
            Result { () throws(ErrorAnswer) in try startProcess(in: folder) }
        }
        guard let result else { throw Self.isBusy }
        return try result.get()
    }

    /// Starts a process. Waits: not on a loop.
    private func startProcess(in folder: String) throws(ErrorAnswer) -> WorldProcess {
        try WorldProcess.start(of: try runningTemplate(), in: folder, names: command.names)
    }

    /// The process to fork worlds from: a new one where there is none, and for each world where the project can change.
    private func runningTemplate() throws(ErrorAnswer) -> WorldTemplate {
        do throws(SystemError) {
            return try template.withLock { kept throws(SystemError) in
                if let kept, kept.isRunning, !command.isWatching { return kept }
                let made = try WorldTemplate.start(command, in: folder, key)
                kept = command.isWatching ? nil : made
                return made
            }
        } catch {
            throw .test("The world cannot be started: \(error).", status: 503)
        }
    }

    /// Has processes wait for the next worlds.
    private func makeSpares() {
        guard !command.isWatching else { return }
        let count = state.withLock { state in
            let count = max(0, state.sparesWanted - state.spares.count - state.startedSpares)
            state.startedSpares += count
            return count
        }
        for _ in 0..<count {
            let folder = newFolder()
            worker.begin { [self] in
                let process = try? startProcess(in: folder)
                let isKept = state.withLock { state in
                    state.startedSpares -= 1
                    if let process, !state.isClosed { state.spares.append(process) }
                    return !state.isClosed
                }
                if !isKept { process?.end() }
            }
        }
    }

    private func newFolder() -> String {
        state.withLock { state in
            state.lastFolder += 1
            return "\(folder)/\(state.lastFolder)"
        }
    }

    // MARK: Names

    private func reserve(_ wished: String?) throws(ErrorAnswer) -> ByteText {
        forgetEnded()
        return try state.withLock { state throws(ErrorAnswer) in
            guard !state.isClosed else { throw .test("The server is stopping.", status: 503) }
            return try state.names.reserve(wished)
        }
    }

    private func world(_ name: String) throws(ErrorAnswer) -> World {
        forgetEnded()
        guard let world = state.withLock({ $0.worlds[ByteText(name)] }) else { throw Self.unknown(name) }
        return world
    }

    private static func unknown(_ name: String) -> ErrorAnswer {
        .test("There is no world \(name): GET \(TestPlace.folder)/worlds names those that there are.", status: 404)
    }

    /// Takes those away whose processes have ended by themselves.
    private func forgetEnded() {
        let ended = state.withLock { state -> [WorldProcess] in
            let names = state.worlds.filter { !$0.value.process.isRunning }.keys
            return names.compactMap { name in
                state.names.remove(name)
                return state.worlds.removeValue(forKey: name)?.process
            }
        }
        for process in ended { worker.begin { process.end() } }
    }

    private static func json(of world: World, called name: ByteText) -> JSONObject {
        var json = JSONObject([("name", .string(name.string))])
        for member in world.process.greeting.object?.members ?? [] { json.set(member.key, to: member.value) }
        return json
    }

    private static let isBusy = ErrorAnswer.test(
        "Too many worlds are started and ended at this moment: try again.", status: 503)
}
