import Engine
import PostgresSupport
import Store
import Synchronization
import TestSupport
import Testing

/// The test against leaks with two nodes over one schema of a server: one makes the changes, the other one has the subscribers.
@Suite(
    "Nothing leaks between nodes, at random", .enabled(if: PostgresServer.isInstalled, PostgresServer.absence),
    .serialized)
struct LeakNodeTests {
    /// A library as one of several nodes.
    private final class Node {
        let library: LeakLibrary
        private let nodes: Nodes
        private let told = Told()

        /// What its engine has said of mutations, its own and those of others.
        private final class Told: Sendable {
            let events = Mutex<[MutationEvent]>([])
            let losses = Mutex(0)
        }

        init(_ library: LeakLibrary) async throws {
            self.library = library
            let engine = library.engineWithEvents
            nodes = try await Nodes.join(engine.store, address: "", version: "1") { _ in }
            engine.tellOfMutations(
                MutationListener(
                    hasListeners: { true }, publish: { [told] events in told.events.withLock { $0 += events } },
                    lose: { [told] in told.losses.withLock { $0 += 1 } }))
            engine.hear(nodes)
        }

        var eventCount: Int { told.events.withLock { $0.count } }
        var losses: Int { told.losses.withLock { $0 } }

        /// The events since the last call.
        func takeEvents() -> [MutationEvent] {
            told.events.withLock { events in
                defer { events = [] }
                return events
            }
        }

        func end() async { await nodes.end() }
    }

    @Test("into the events of another node's changes, nor into what that node answers, whoever asks and listens")
    func nodes() async throws {
        var random = SeededRandom(test: "LeakNodeTests")
        var (heard, seen) = (0, 0)
        let rounds = Fuzz.rounds(ordinarily: 2)
        // Rules at random refuse most mutations: it goes on until somebody has heard something.
        for round in 0..<10 * rounds where round < rounds || heard == 0 || seen == 0 {
            let location = try TestDatabase.server()
            let library = try await LeakFuzzTests.library(at: location, using: &random)
            let other = try #require(try LeakLibrary(library.schema, library.blueprint.settings, at: location))
            let (near, far) = (try await Node(library), try await Node(other))
            let (nearEars, farEars) = (try await LeakEars(at: library), try await LeakEars(at: other))
            for _ in 0..<60 {
                let question = LeakQuestion.random(library, using: &random)
                let caller = LeakCaller.all[Int.random(in: 0..<LeakCaller.all.count, using: &random)]
                guard question.isMutation else {
                    let bytes = await other.answer(question, caller, on: other.engineWithEvents)
                    seen += LeakFuzzTests.check(bytes, question, caller, library)
                    continue
                }
                let before = library.records
                let bytes = await library.answer(question, caller, on: library.engineWithEvents)
                library.apply(question, bytes)
                try await library.commitNothing()
                try await eventually("\(far.eventCount) of \(near.eventCount) events are at the other node") {
                    far.eventCount >= near.eventCount
                }
                let (events, others) = (near.takeEvents(), far.takeEvents())
                #expect(others.map(\.value) == events.map(\.value), "\(question.text)")
                let (frames, far) = (nearEars.hear(events), farEars.hear(others))
                // Each of them gets the same, wherever they are.
                #expect(far.map(\.bytes) == frames.map(\.bytes), "\(question.text)\n\(library.schema.text)")
                for frame in far { heard += frame.check(question, before, library) }
            }
            #expect(near.losses == 0 && far.losses == 0)
            await near.end()
            await far.end()
        }
        #expect(heard > 0 && seen > 0)
    }
}
