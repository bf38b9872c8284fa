import Files
import Items
import JSON
import Network
import Outbox
import Synchronization
import UserPool

/// What tests may do with a server, and what it keeps for them. A server without it has none of this: its requests pass by nothing.
///
///     request ─▶ TestedApplication ─┬─ below /_homeport, with the key ─▶ TestControlRoute ─▶ data, time, faults, messages, requests
///                                   └─ all others ─▶ faults ─▶ Application ─▶ requests
final class TestControl: Sendable {
    let key: TestKey
    let faults = FaultRules()
    let requests = ReceivedRequests()
    let time = TestTime()
    let use = TestUse()
    private let served = Mutex<Served?>(nil)

    /// What there is once the server serves.
    struct Served: Sendable {
        let data: TestData
        let outbox: TestOutbox
        /// Called when another time holds.
        let timeChanged: @Sendable () -> Void
        /// Nil: this server is a world itself.
        let worlds: Worlds?

        func ownWorlds() throws(ErrorAnswer) -> Worlds {
            guard let worlds else {
                throw .test("This server is a world, and has none: ask the server that made it.", status: 409)
            }
            return worlds
        }
    }

    init(_ key: TestKey) { self.key = key }

    /// The one of a configuration; nil where tests may do nothing.
    ///
    /// - Parameter hasGuest: whether a command is run beside the server.
    static func of(_ configuration: Configuration, hasGuest: Bool) throws(StartError) -> TestControl? {
        let isAlone = configuration.isForThisMachineOnly
        guard configuration.hasTestControl ?? (hasGuest && isAlone) else { return nil }
        guard isAlone else {
            let places =
                configuration.listeners.filter { !$0.isLoopback }.map(\.description)
                + configuration.allowedHosts.filter { !HostCheck.isLoopback($0) }
            throw StartError(
                .configuration,
                "testControl lets a test take all data away, and \(places.joined(separator: ", ")) can be reached from other "
                    + "machines: listen on 127.0.0.1 (--host, allowedHosts), or leave --test-control away")
        }
        return TestControl(configuration.testKey ?? .make())
    }

    /// Begins to do what it is asked, with what is served.
    func serve(
        _ application: Application, _ pool: UserPool?, _ files: FileService, _ items: ItemService, _ outbox: Outbox,
        _ parts: [any ServedPart], _ configuration: Configuration, worlds command: WorldCommand?,
        on loop: EventLoop, _ log: Log
    ) {
        let data = TestData(
            TestData.Parts(
                application: application, files: files, copied: [files, items] + [pool].compactMap { $0 },
                parts: parts, seed: configuration.seed, sync: configuration.sync, log: log),
            on: command == nil ? loop : nil)
        let worlds = command.map { Worlds($0, over: data, in: "\(DataFolder.absolute(files.path))-worlds", key) }
        let made = Served(
            data: data, outbox: TestOutbox(pool, outbox), timeChanged: { parts.clockWasSet() }, worlds: worlds)
        served.withLock { $0 = made }
    }

    /// What is served; nil: nothing yet.
    var parts: Served? { served.withLock { $0 } }

    /// Called when nothing is served any more.
    func close() {
        parts?.worlds?.close()
        parts?.data.close()
    }
}
