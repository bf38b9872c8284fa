import Access
import Blueprint
import Engine
import Files
import JSON
import Network
import Project
import Store
import Synchronization
import UserPool

/// The definitions that are served now, for all who look at them.
final class CurrentDefinitions: Sendable {
    private let current: Mutex<ProjectDefinitions>

    init(_ definitions: ProjectDefinitions) { current = Mutex(definitions) }

    var value: ProjectDefinitions { current.withLock { $0 } }

    func adopt(_ definitions: ProjectDefinitions) { current.withLock { $0 = definitions } }
}

/// What is served of a project beside its schema, and how it goes on when the project defines it anew.
///
///     functions, schedules, paths, tables that they are told of │ tables, rules of events, state machines │ buckets and rules of files │ the user pool and its triggers
///
/// Each takes the new settings as a whole; what is under way ends by those with which it has begun.
final class ServedDefinitions: Sendable {
    /// What they are called by, which no change of a project changes.
    struct Place: Sendable {
        let identifiers: PoolIdentifiers?
        let addresses: [SocketAddress]
        let environment: [String: String]
        /// True if the file is written that Amplify writes, where the configuration names none.
        let writesUsualOutputs: Bool
        /// True if somebody has put a parameter of a name into the database.
        var isPut: @Sendable (String) -> Bool = { _ in false }
        /// Says anew what the parts of the server are called, with the place of the schema.
        var announce: @Sendable (ProjectDefinitions, Blueprint, _ place: String) -> Void = { _, _, _ in }
    }

    private let parts: [any ServedPart]
    private let place: Place
    private let recognition: CallerRecognition
    private let log: Log
    private let current: CurrentDefinitions

    init(
        _ current: CurrentDefinitions, _ parts: [any ServedPart], at place: Place,
        _ recognition: CallerRecognition, _ log: Log
    ) {
        (self.parts, self.place, self.recognition, self.log) = (parts, place, recognition, log)
        self.current = current
    }

    /// Those that are served.
    var definitions: ProjectDefinitions { current.value }

    /// Goes on with files that have changed, such as those of functions.
    func renew() async { await parts.renew() }

    /// Who recognises callers by a configuration.
    func authenticators(
        _ configuration: Configuration, for modes: [AuthMode]
    ) throws(StartError) -> [Authenticator] {
        try recognition.following(configuration).authenticators(for: modes)
    }

    /// The variables of a configuration's functions, with what is known only when the server runs; what functions are told
    /// of the models; and what each of them may do.
    static func running(
        _ definitions: ProjectDefinitions, _ buckets: FilesSettings, at place: Place, of reading: ProjectReading,
        _ blueprint: Blueprint, _ log: Log
    ) -> (configuration: Configuration, models: [UInt8]?, rights: GivenRights) {
        let configuration = definitions.resolution.configuration
        func rights(_ values: ProjectValues?) -> GivenRights {
            GivenRights(
                configuration, definitions.resources, values, operations: reading.functionGrants,
                region: configuration.region(place.identifiers), log)
        }
        guard let resources = definitions.resources, let address = place.addresses.first,
            configuration.functions.contains(where: \.value.isOfProject)
                || configuration.stateMachines.contains(where: { $0.value.resource != nil })
                || resources.identityGrants != IdentityRoleGrants()
                || configuration.resolvers.sources.contains(where: { $0.value.grants?.isEmpty == false })
        else { return (configuration, nil, rights(nil)) }
        let values = ProjectValues(
            configuration, resources, place.identifiers, buckets, endpoint: "http://\(address.usable)",
            environment: place.environment)
        let notices = DefinitionNotices(configuration, values, isPut: place.isPut)
        for warning in notices.warnings { log.warning(warning) }
        let models = ClientData(reading, blueprint, configuration).map { JSONWriter.bytes(of: $0.introspection) }
        return (notices.configuration, models, rights(values))
    }

    /// Goes on with other definitions, or with the same where the schema has changed: before its API is served, which may call
    /// what they make.
    func adopt(
        _ definitions: ProjectDefinitions, of reading: ProjectReading, _ blueprint: Blueprint,
        by application: Application
    ) async throws(StartError) {
        let configuration = definitions.resolution.configuration
        let storage = definitions.resources?.storage ?? .none
        let buckets = try FilesSettings(
            configuration, configuration.files.buckets.isEmpty ? storage : .none, place.identifiers)
        let (running, models, rights) = Self.running(definitions, buckets, at: place, of: reading, blueprint, log)
        CloudAddressNotices.begin(running.functionsHere, log)
        MissingPackageNotices.begin(running.functionsHere, sdk: RunningFunctions.sdkFolder(running.data), log)
        try await parts.adopt(
            ServedProject(
                configuration, running: running, models: models, rights: rights,
                defaultMode: blueprint.settings.defaultMode, buckets: buckets,
                topics: definitions.resources?.topics ?? [], log))
        current.adopt(definitions)
    }

    /// Goes on behind a change of the tables, and tells apps. On the loop of the streams.
    func finish(_ reading: ProjectReading, by application: Application) async {
        let definitions = definitions
        let engine = application.engine
        await parts.follow(engine, definitions)
        if let writer = ClientFileWriter(
            definitions.resolution, definitions.resources, place.identifiers, at: place.addresses,
            writesUsual: place.writesUsualOutputs, log), writer.writes
        {
            writer.write(writer.file(for: reading, engine.blueprint))
        }
        place.announce(definitions, engine.blueprint, reading.place)
    }
}
