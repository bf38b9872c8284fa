import Blueprint
import Glibc
import JSON
import Network

/// The settings that a schema is read with: those of the Amplify project that it lies in, and over them what the
/// configuration says itself.
enum ProjectSettings {
    /// A Gen 1 project keeps its switches in `amplify/cli.json`, four folders above `amplify/backend/api/NAME/schema`.
    private static let cliFiles = [
        "cli.json", "../cli.json", "../../cli.json", "../../../cli.json", "../../../../cli.json",
    ]
    /// The configuration of the project's APIs is in `amplify/backend`, above `api/NAME/schema.graphql`.
    private static let backendFiles = ["../../backend-config.json", "../../../backend-config.json"]
    private static let resolverFiles = ["transform.conf.json", "../transform.conf.json"]

    /// The settings beside a schema in SDL.
    struct Found {
        var settings: Settings
        /// The modes that the project says, without the one of the built-in pool.
        var ownModes: [AuthMode] = []
        /// Notes on what the project's files decide, where people may expect something else.
        var notes: [Diagnostic] = []
    }

    static func settings(
        _ resolution: ConfigurationResolver.Resolution, in folder: String
    ) throws(UnreadableSchema) -> Found {
        let version = version(of: resolution)
        var found = Found(settings: Settings())
        let resolvers = try firstFile(resolverFiles, in: folder)
        if let file = try firstFile(cliFiles, in: folder) {
            found.settings = try checked(file.name) { () throws(SettingsError) in
                try Settings(gen1: file.value, version: version)
            }
            if version == nil, found.settings.transformerVersion == 1, Self.namesVersion2(file.value) {
                found.notes.append(Self.oldSwitch(in: file.name))
            }
        } else if version == nil, resolvers != nil || ProjectLayout.isGen1(folder) {
            found.settings = Settings(silentProjectOfVersion: 1)
            found.notes.append(Self.noSwitches(for: folder))
        }
        if let resolvers { found.settings.apply(resolverConfiguration: resolvers.value) }
        let file = resolution.setsModes ? nil : try firstFile(backendFiles, in: folder)
        if let file, let fault = BackendConfiguration(file.value).fault(ofAPIIn: folder) {
            throw UnreadableSchema(.configuration, "\(file.name): \(fault). Run `amplify update api`")
        }
        if let file, let auth = BackendConfiguration(file.value).modes(ofAPIIn: folder) {
            try checked(file.name) { () throws(SettingsError) in try found.settings.apply(auth: auth) }
            found.ownModes = found.settings.modes
            addBuiltInPool(to: &found.settings)
        } else {
            useModes(of: resolution, in: &found.settings)
            found.ownModes = found.settings.modes
        }
        try apply(resolution, over: &found.settings)
        return found
    }

    // MARK: The version of a project

    private static func namesVersion2(_ file: JSONValue) -> Bool {
        let switches = file["features"]?["graphqltransformer"]?.object ?? JSONObject()
        return switches.contains { $0.key.lowercased() == "transformerversion" && $0.value.integer == 2 }
    }

    private static func oldSwitch(in file: String) -> Diagnostic {
        Diagnostic(
            severity: .note,
            message:
                "\(file) says transformerVersion 2, but useExperimentalPipelinedTransformer is not true there: as for Amplify's "
                + "own tool, the project is one of version 1",
            hint:
                "For version 2 set useExperimentalPipelinedTransformer to true there, or \"transformerVersion\": 2 under "
                + "\"features\" in the configuration.")
    }

    private static func noSwitches(for folder: String) -> Diagnostic {
        Diagnostic(
            severity: .note,
            message:
                "the Gen 1 project of \(folder) has no amplify/cli.json: as for Amplify's own tool, it is one of transformer "
                + "version 1",
            hint:
                "If its cli.json was left behind, put it back; or set \"transformerVersion\": 2 under \"features\" in the "
                + "configuration.")
    }

    /// The version of the transformer, where the configuration says it.
    private static func version(of resolution: ConfigurationResolver.Resolution) -> Int? {
        resolution.settings.first { $0.key.path == "features.transformerVersion" && $0.origin != .standard }?
            .value.integer.map { Int($0) }
    }

    /// The built-in user pool is there, whether the project defines one or not.
    private static func addBuiltInPool(to settings: inout Settings) {
        if !settings.modes.contains(.userPools) { settings.additionalModes.append(.userPools) }
    }

    /// The settings of a Gen 2 project, which says its modes itself: the configuration goes over them where it was set.
    static func settings(
        _ resolution: ConfigurationResolver.Resolution, over project: Settings
    ) throws(UnreadableSchema) -> Settings {
        var settings = project
        if resolution.setsModes { useModes(of: resolution, in: &settings) } else { addBuiltInPool(to: &settings) }
        try apply(resolution, over: &settings)
        return settings
    }

    private static func useModes(of resolution: ConfigurationResolver.Resolution, in settings: inout Settings) {
        settings.defaultMode = resolution.configuration.project.defaultMode
        settings.additionalModes = resolution.configuration.project.additionalModes
    }

    private static func apply(
        _ resolution: ConfigurationResolver.Resolution, over settings: inout Settings
    ) throws(UnreadableSchema) {
        try checked("the configuration") { () throws(SettingsError) in try resolution.apply(over: &settings) }
    }

    private static func firstFile(
        _ names: [String], in folder: String
    ) throws(UnreadableSchema) -> (name: String, value: JSONValue)? {
        for name in names.map({ folder == "." ? $0 : "\(folder)/\($0)" }) where access(name, R_OK) == 0 {
            return (ProjectLayout.shortened(name), try ProjectFile.value(of: name))
        }
        return nil
    }

    private static func checked<Value>(
        _ name: String, _ body: () throws(SettingsError) -> Value
    ) throws(UnreadableSchema) -> Value {
        do throws(SettingsError) {
            return try body()
        } catch {
            let hint = error.hint.map { " \($0)" } ?? ""
            throw UnreadableSchema(.configuration, "\(name): \(error)\(hint)")
        }
    }
}
