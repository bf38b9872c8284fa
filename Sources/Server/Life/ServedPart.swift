import Blueprint
import Engine
import Files
import JSON
import Project

/// A part of the server with a life of its own beside requests. One list of them is prepared, begun, carried over a change of
/// the project, begun anew and ended, so that no part is forgotten in one of these.
///
/// The order of the list: first what is called, then what calls it. Parts end in the other direction.
protocol ServedPart: Sendable {
    /// Makes what the first request may ask for.
    func prepare(_ project: ServedProject) async

    /// Begins with what waits.
    func begin(_ project: ServedProject) async

    /// Begins the work that one server does for all of several: sending, delivering, sweeping. The only server does so once, behind `begin`;
    /// one of several nodes when it is the keeper, and again where it is that again.
    func takeUp(_ project: ServedProject) async

    /// Ends that work, and waits for it: another node has it from now on.
    func layDown() async

    /// Goes on with what the project says now; what is under way ends as it has begun.
    func adopt(_ project: ServedProject) async throws(StartError)

    /// Files of the project have changed, and perhaps nothing that it defines: goes on with what is read from them.
    func renew() async

    /// Goes on over the tables of another API.
    func follow(_ engine: Engine, _ project: ProjectDefinitions) async

    /// Goes on where other data hold from now on.
    func beginAnew() async throws(ErrorAnswer)

    /// Goes on where another time holds from now on. From any thread.
    func clockWasSet()

    /// Begins nothing more. From any thread, and without waiting.
    func beginToEnd()

    /// Ends what is under way, and waits for that.
    func end() async
}

extension ServedPart {
    func prepare(_ project: ServedProject) async {}
    func begin(_ project: ServedProject) async {}
    func takeUp(_ project: ServedProject) async {}
    func layDown() async {}
    func adopt(_ project: ServedProject) async throws(StartError) {}
    func renew() async {}
    func follow(_ engine: Engine, _ project: ProjectDefinitions) async {}
    func beginAnew() async throws(ErrorAnswer) {}
    func clockWasSet() {}
    func beginToEnd() {}
    func end() async {}
}

/// The project that parts serve: its configuration, and the values that follow from it where the server runs.
final class ServedProject: Sendable {
    let configuration: Configuration
    /// The same with the variables that are known only when the server runs.
    let running: Configuration
    /// The description of the models that functions get.
    let models: [UInt8]?
    let rights: GivenRights
    /// The default mode of the API.
    let defaultMode: AuthMode
    let buckets: FilesSettings
    let topics: [TopicResource]
    let log: Log

    init(
        _ configuration: Configuration, running: Configuration, models: [UInt8]?, rights: GivenRights,
        defaultMode: AuthMode, buckets: FilesSettings, topics: [TopicResource], _ log: Log
    ) {
        (self.configuration, self.running, self.models, self.rights) = (configuration, running, models, rights)
        (self.buckets, self.topics, self.log, self.defaultMode) = (buckets, topics, log, defaultMode)
    }
}

extension [any ServedPart] {
    func prepare(_ project: ServedProject) async { for part in self { await part.prepare(project) } }

    func begin(_ project: ServedProject) async { for part in self { await part.begin(project) } }

    func takeUp(_ project: ServedProject) async { for part in self { await part.takeUp(project) } }

    func layDown() async { for part in reversed() { await part.layDown() } }

    func adopt(_ project: ServedProject) async throws(StartError) {
        for part in self { try await part.adopt(project) }
    }

    func renew() async { for part in self { await part.renew() } }

    func follow(_ engine: Engine, _ project: ProjectDefinitions) async {
        for part in self { await part.follow(engine, project) }
    }

    func beginAnew() async throws(ErrorAnswer) { for part in self { try await part.beginAnew() } }

    func clockWasSet() { for part in self { part.clockWasSet() } }

    func beginToEnd() { for part in reversed() { part.beginToEnd() } }

    func end() async { for part in reversed() { await part.end() } }
}
