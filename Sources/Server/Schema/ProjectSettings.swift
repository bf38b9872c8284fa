import Blueprint
import Glibc
import JSON
import Network

/// The settings that a schema is read with: those of the Amplify project that it lies in, and over them what the
/// configuration says itself.
enum ProjectSettings {
    private static let fileBytesMax = 4 << 20

    /// A Gen 1 project keeps its switches in `amplify/cli.json`, four folders above `amplify/backend/api/NAME/schema`.
    private static let cliFiles = [
        "cli.json", "../cli.json", "../../cli.json", "../../../cli.json", "../../../../cli.json",
    ]
    /// What the project's APIs are set up with lies in `amplify/backend`, above `api/NAME/schema.graphql`.
    private static let backendFiles = ["../../backend-config.json", "../../../backend-config.json"]
    private static let resolverFiles = ["transform.conf.json", "../transform.conf.json"]

    static func settings(
        _ resolution: ConfigurationResolver.Resolution, in folder: String
    ) throws(SchemaError) -> Settings {
        var settings = Settings()
        if let file = try firstFile(cliFiles, in: folder) {
            settings = try checked(file.name) { () throws(SettingsError) in
                try Settings(gen1: file.value, version: version(of: resolution))
            }
        }
        if let file = try firstFile(resolverFiles, in: folder) { settings.apply(resolverConfiguration: file.value) }
        if !setsModes(resolution), let file = try firstFile(backendFiles, in: folder),
            let auth = BackendConfiguration(file.value).modes(ofAPIIn: folder)
        {
            try checked(file.name) { () throws(SettingsError) in
                try settings.apply(auth: auth, features: nil)
            }
            addBuiltInPool(to: &settings)
            try apply(resolution, modes: nil, to: &settings)
        } else {
            try apply(resolution, modes: modes(of: resolution), to: &settings)
        }
        return settings
    }

    /// The version of the transformer, where the configuration says it.
    private static func version(of resolution: ConfigurationResolver.Resolution) -> Int? {
        resolution.settings.first { $0.key.path == "features.transformerVersion" && $0.origin != .standard }?
            .value.integer.map { Int($0) }
    }

    /// Whether the configuration says itself which modes the API has.
    private static func setsModes(_ resolution: ConfigurationResolver.Resolution) -> Bool {
        resolution.settings.contains { setting in
            ["auth.default", "auth.additional"].contains(setting.key.path) && setting.origin != .standard
        }
    }

    /// The built-in user pool is there, whether the project defines one or not.
    private static func addBuiltInPool(to settings: inout Settings) {
        if !settings.modes.contains(.userPools) { settings.additionalModes.append(.userPools) }
    }

    /// The settings of a Gen 2 project, which says its modes itself: the configuration goes over them where it was set.
    static func settings(
        _ resolution: ConfigurationResolver.Resolution, over project: Settings
    ) throws(SchemaError) -> Settings {
        var settings = project
        let isSet = setsModes(resolution)
        if !isSet { addBuiltInPool(to: &settings) }
        try apply(resolution, modes: isSet ? modes(of: resolution) : JSONValue?.none, to: &settings)
        return settings
    }

    private static func modes(of resolution: ConfigurationResolver.Resolution) -> JSONValue {
        let modes = resolution.configuration.auth
        return [
            "default": .string(modes.primary.rawValue),
            "additional": .array(modes.additional.map { .string($0.rawValue) }),
        ]
    }

    private static func apply(
        _ resolution: ConfigurationResolver.Resolution, modes auth: JSONValue?, to settings: inout Settings
    ) throws(SchemaError) {
        let features = features(of: resolution)
        let others: Set = ["listSemantics"]
        // The configuration was checked when it was resolved: what is left are mistakes of this file.
        try checked("the configuration") { () throws(SettingsError) in
            try settings.apply(auth: auth, features: features, others: others)
        }
    }

    /// The features that were set, by whatever means; defaults do not count, so that the project's own settings do.
    private static func features(of resolution: ConfigurationResolver.Resolution) -> JSONValue {
        let section = "features."
        var object = JSONObject()
        for setting in resolution.settings where setting.key.path.hasPrefix(section) && setting.origin != .standard {
            object.set(String(setting.key.path.dropFirst(section.count)), to: setting.value)
        }
        return .object(object)
    }

    private static func firstFile(
        _ names: [String], in folder: String
    ) throws(SchemaError) -> (name: String, value: JSONValue)? {
        for name in names.map({ folder == "." ? $0 : "\(folder)/\($0)" }) where access(name, R_OK) == 0 {
            return (name, try value(of: name))
        }
        return nil
    }

    private static func value(of name: String) throws(SchemaError) -> JSONValue {
        let text: [UInt8]
        do throws(SystemError) {
            text = try SmallFile.read(name, bytesMax: fileBytesMax)
        } catch {
            throw SchemaError(.unreadableInput, "cannot read \(name): \(String(cString: strerror(error.code)))")
        }
        do throws(JSONError) {
            return try JSONReader.value(of: text)
        } catch {
            throw SchemaError(.configuration, "\(name): \(error)")
        }
    }

    private static func checked<Value>(
        _ name: String, _ body: () throws(SettingsError) -> Value
    ) throws(SchemaError) -> Value {
        do throws(SettingsError) {
            return try body()
        } catch {
            let hint = error.hint.map { " \($0)" } ?? ""
            throw SchemaError(.configuration, "\(name): \(error)\(hint)")
        }
    }
}
