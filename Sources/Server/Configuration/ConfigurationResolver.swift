import Blueprint
import Console
import JSON
import Project

/// Brings together what options, environment, file and defaults say: options over environment over file over default.
///
/// Every problem is found and told, not only the first.
package struct ConfigurationResolver {
    private init(wanted: Set<String>?) { self.wanted = wanted }

    /// The values that are set, by the keys' paths.
    private var settings: [String: Setting] = [:]
    private var problems: [ConfigurationProblem] = []
    private var warnings: [String] = []
    /// The keys that somebody wants; nil: all. What the others say, and whether it is right, is not looked at.
    private let wanted: Set<String>?

    private func isWanted(_ key: ConfigurationKey) -> Bool { wanted?.contains(key.path) ?? true }

    /// Resolves a configuration.
    ///
    /// - Parameters:
    ///   - file: the path of the configuration file; nil: that of `HOMEPORT_CONFIG`, or none.
    ///   - options: the values given on the command line, by the options' names without dashes.
    ///   - environment: the variables of the process.
    ///   - wanted: the keys that count; the others keep their defaults, and nothing is wrong with them. Nil: all.
    ///   - programs: runs the programs of the project that the configuration leads to.
    package static func resolve(
        file: String? = nil, options: [String: [String]] = [:], environment: [String: String] = [:],
        wanted: Set<String>? = nil, programs: ProgramReader
    ) throws(ConfigurationError) -> Resolution {
        var resolver = ConfigurationResolver(wanted: wanted)
        let named = environment[ConfigurationKey.fileEnvironmentName] ?? ""
        if let name = file ?? (named.isEmpty ? nil : named) { resolver.read(try ConfigurationFile(name)) }
        resolver.read(environment: environment)
        resolver.read(options: options)
        guard resolver.problems.isEmpty else { throw ConfigurationError(problems: resolver.problems) }
        var configuration = resolver.configuration
        do throws(DatabaseServerFault) { try configuration.findServer(variable: environment["PGPASSWORD"]) } catch {
            resolver.problem(error.key, error.message)
        }
        if let dropped = resolver.droppedList { resolver.warnings.append(dropped) }
        if wanted == nil { resolver.checkTogether(configuration) }
        guard resolver.problems.isEmpty else { throw ConfigurationError(problems: resolver.problems) }
        return Resolution(
            configuration: configuration,
            settings: ConfigurationKey.all.map { resolver.settings[$0.path] ?? Setting($0) },
            warnings: resolver.warnings, given: (file, options, programs))
    }
}

extension ConfigurationKey {
    /// True if it says who is admitted. The default mode and the additional ones are one whole.
    var saysModes: Bool { path == "auth.default" || path == "auth.additional" }
}

extension ConfigurationResolver {
    /// The configuration that the settings make together.
    private var configuration: Configuration {
        var configuration = Configuration.standard
        for key in settings.isEmpty ? [] : ConfigurationKey.all {
            if let setting = settings[key.path] { key.write(setting.value, &configuration) }
        }
        if isListDropped { configuration.listen = [] }
        // A schema with rules for owners or groups works without any configuration: the built-in user pool is there.
        if origin("auth.default") == .standard, origin("auth.additional") == .standard {
            configuration.project.additionalModes = [.userPools]
        }
        configuration.nameFunctions()
        return configuration
    }

    /// True where an option with one address takes precedence over a list of addresses.
    private var isListDropped: Bool {
        origin("listen").strength < max(origin("host").strength, origin("port").strength)
    }

    /// Says that a list of addresses counts for nothing; nil: it counts, or there is none.
    fileprivate var droppedList: String? {
        guard isListDropped, origin("listen") != .standard else { return nil }
        let stronger = ["host", "port"].map(origin).max { $0.strength < $1.strength } ?? .standard
        return
            "\(origin("listen")) lists addresses, but \(stronger) takes precedence: the server listens on that one alone"
    }

    private func origin(_ key: String) -> ConfigurationOrigin { settings[key]?.origin ?? .standard }
}

// MARK: - File

extension ConfigurationResolver {
    private mutating func read(_ file: ConfigurationFile) {
        var check = ConfigurationCheck(.file(file))
        read(file.root, at: JSONPath(), file, &check)
        problems += file.repetitions + check.problems
    }

    /// Goes down the sections of the file to the keys. The table is no deeper than a few levels, and nothing below a
    /// key is gone into.
    private mutating func read(
        _ section: JSONObject, at path: JSONPath, _ file: ConfigurationFile, _ check: inout ConfigurationCheck
    ) {
        for member in section.members {
            let place = path.appending(member.key)
            let name = place.description
            if let wanted, !wanted.contains(where: { $0 == name || $0.hasPrefix(name + ".") }) { continue }
            if member.key.isEmpty || member.key.contains(".") {
                // A path in one piece looks like a key of the table, and is none.
                check.noteUnknown(place, among: [])
            } else if let key = ConfigurationKey.named(name) {
                let given = taking(keysIn: member.value, at: place, file, &check)
                if given.isNull, key.defaultValue.isNull {
                    set(key, .null, .file(file.located(place)))
                } else if let value = check.check(given, key.kind, at: place) {
                    set(key, value, .file(file.located(place)))
                }
            } else if ConfigurationKey.isSection(name) {
                guard case .object(let inner) = member.value else {
                    if !member.value.isNull { check.note(place, "expected an object, found \(member.value.kind)") }
                    continue
                }
                read(inner, at: place, file, &check)
            } else {
                check.noteUnknown(place, among: Self.names(under: path.description))
            }
        }
    }

    /// Takes the keys out that stand among names of the user's own, such as `functions.strict` among functions. What has the form of
    /// those stays one of them.
    private mutating func taking(
        keysIn value: JSONValue, at place: JSONPath, _ file: ConfigurationFile, _ check: inout ConfigurationCheck
    ) -> JSONValue {
        guard case .object(var object) = value else { return value }
        let section = place.description + "."
        for key in ConfigurationKey.all where key.path.hasPrefix(section) {
            let name = String(key.path.dropFirst(section.count))
            guard let value = object[name], value.object == nil else { continue }
            object[name] = nil
            guard !value.isNull, wanted?.contains(key.path) ?? true else { continue }
            if let value = check.check(value, key.kind, at: place.appending(name)) {
                set(key, value, .file(file.located(place.appending(name))))
            }
        }
        return .object(object)
    }

    /// The keys and sections that may stand in a section.
    private static func names(under section: String) -> [String] {
        let prefix = section.isEmpty ? "" : section + "."
        return ConfigurationKey.all.filter { $0.path.hasPrefix(prefix) }.map {
            String($0.path.dropFirst(prefix.count).prefix { $0 != "." })
        }
    }

    private mutating func set(_ key: ConfigurationKey, _ value: JSONValue, _ origin: ConfigurationOrigin) {
        settings[key.path, default: Setting(key)].value = value
        settings[key.path]?.origin = origin
    }
}

// MARK: - Environment and options

extension ConfigurationResolver {
    private static let environmentPrefix = "HOMEPORT_"

    private mutating func read(environment: [String: String]) {
        guard environment.keys.contains(where: { $0.hasPrefix(Self.environmentPrefix) }) else { return }
        for key in ConfigurationKey.all where isWanted(key) {
            let name = key.environmentName
            // An empty variable is how a container's description leaves one out.
            guard let text = environment[name], !text.isEmpty else { continue }
            if text.hasPrefix("tcp://"), case .integer = key.kind {
                warnings.append("\(name) is ignored: it is what Kubernetes sets for a service called homeport")
                continue
            }
            read([text], key, .environment(name), ConfigurationCheck(.variable(name)))
        }
        let known = Set(
            ConfigurationKey.all.map(\.environmentName) + [ConfigurationKey.fileEnvironmentName]
                + [ProgramVariables.variable] + ExecCommand.variables + Console.developmentVariables)
        for name in environment.keys.sorted() where name.hasPrefix(Self.environmentPrefix) && !known.contains(name) {
            // Kubernetes sets these for a service called homeport.
            guard !name.hasPrefix("\(Self.environmentPrefix)SERVICE_") else { continue }
            guard let nearest = NearestName.of(name, in: known.sorted()) else { continue }
            warnings.append("\(name) is no setting; did you mean \(nearest)?")
        }
    }

    private mutating func read(options: [String: [String]]) {
        for key in ConfigurationKey.all where isWanted(key) {
            guard let option = key.option, let texts = options[option], !texts.isEmpty else { continue }
            read(texts, key, .option(option), ConfigurationCheck(.option(option)))
        }
    }

    private mutating func read(
        _ texts: [String], _ key: ConfigurationKey, _ origin: ConfigurationOrigin, _ check: ConfigurationCheck
    ) {
        var check = check
        let path = JSONPath(key.path.split(separator: ".").map { .key(String($0)) })
        if let value = check.check(Self.value(of: texts, key.kind), key.kind, at: path) { set(key, value, origin) }
        problems += check.problems
    }

    /// What a text stands for where this kind of value is expected. Lists are separated by commas, or JSON; objects
    /// are JSON. A text that is neither stays a string, which the check then refuses.
    private static func value(of texts: [String], _ kind: ConfigurationKind) -> JSONValue {
        let text = texts.last ?? ""
        let isJSON = text.hasPrefix("[") || text.hasPrefix("{")
        switch kind {
        case .boolean: return text == "true" ? true : text == "false" ? false : .string(text)
        case .integer: return Int64(text).map(JSONValue.integer) ?? .string(text)
        case .list(let element):
            if texts.count == 1, isJSON, let value = try? JSONReader.value(of: text) { return value }
            let parts = texts.flatMap { $0.split(separator: ",") }
            return .array(parts.map { value(of: [String($0)], element) })
        case .object(let fields):
            // A text alone is the member that such an object needs: a key is `da2-…`, without more.
            if !isJSON, let field = ConfigurationField.alone(in: fields) {
                return .object(JSONObject([(field.name, .string(text))]))
            }
            return isJSON ? (try? JSONReader.value(of: text)) ?? .string(text) : .string(text)
        case .map, .either:
            return isJSON ? (try? JSONReader.value(of: text)) ?? .string(text) : .string(text)
        default: return .string(text)
        }
    }
}

// MARK: - Keys that depend on each other

extension ConfigurationResolver {
    private mutating func checkTogether(_ configuration: Configuration) {
        let certificate = settings["tls.certificate"]?.value.isNull == false
        let key = settings["tls.key"]?.value.isNull == false
        if certificate != key {
            problem(certificate ? "tls.certificate" : "tls.key", "expected tls.certificate and tls.key together")
        }
        let modes = configuration.project.modes
        if Set(modes).count != modes.count {
            problem("auth.additional", "expected each mode once, the default one not again")
        }
        for (section, needed) in [("auth.userPools", "jwks"), ("auth.userPools", "clientIds"), ("auth.oidc", "jwks")] {
            let isGiven = origin("\(section).\(needed)") != .standard
            if isGiven, settings["\(section).issuer"]?.value.isNull != false {
                problem("\(section).\(needed)", "expected \(section).issuer beside it")
            }
        }
        if configuration.mail.smtp != nil, configuration.mail.from == nil {
            problem("mail.smtp", "expected mail.from beside it: whom mails are from")
        }
        for fault in configuration.functionFaults(hasProject: false) { problem(fault.key, fault.message) }
    }

    private mutating func problem(_ key: String, _ message: String) {
        let origin = origin(key)
        let place = origin == .standard ? "configuration" : origin.description
        problems.append(ConfigurationProblem(place: place, key: key, message: message))
    }
}
