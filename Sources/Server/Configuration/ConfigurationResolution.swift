import Blueprint
import JSON
import Project

extension ConfigurationResolver {
    /// The value of one key, and where it came from.
    package struct Setting: Sendable {
        package let key: ConfigurationKey
        private var said = Said.nothing
        package internal(set) var origin = ConfigurationOrigin.standard

        init(_ key: ConfigurationKey) { self.key = key }

        private indirect enum Said: Sendable {
            case nothing
            case set(JSONValue)
            /// The value that is set, and a closure that puts a project's beside it, for people.
            case project(JSONValue, @Sendable (JSONObject) -> JSONObject)
        }

        /// The value that is set: the default where nobody has set it, and without a project beside it.
        var set: JSONValue {
            switch said {
            case .nothing: key.defaultValue
            case .set(let value), .project(let value, _): value
            }
        }

        package internal(set) var value: JSONValue {
            get {
                guard case .project(let value, let completed) = said else { return set }
                return .object(completed(value.object ?? JSONObject()))
            }
            set { said = .set(newValue) }
        }

        /// Returns whether the same is set.
        func isSet(as other: Setting) -> Bool { set == other.set }

        /// Notes what a project says beside what is set.
        mutating func complete(
            from file: String, _ completed: @escaping @Sendable (JSONObject) -> JSONObject
        ) {
            said = .project(set, completed)
            origin = origin.over(file)
        }
    }

    /// A configuration that is good, with what led to it.
    package struct Resolution: Sendable {
        @Boxed package internal(set) var configuration: Configuration
        /// One for each key, in the order of the table.
        package internal(set) var settings: [Setting]
        /// Warnings for the log.
        package internal(set) var warnings: [String]
        /// The file that was named and the options, as they were given, and the functions that run a project's programs.
        @Boxed private(set) var given: (file: String?, options: [String: [String]], programs: ProgramReader)
        /// The project that was read for it; nil: none was.
        private(set) var project: FoundProject?

        /// Takes what was set over the settings of a project; defaults do not count, so that the project's own do.
        func apply(over project: inout Settings) throws(SettingsError) {
            for setting in settings where setting.origin != .standard && !setting.key.saysModes {
                setting.key.writeOver?(setting.value, &project)
            }
            try project.checkOwners()
        }

        /// The same with another folder for what the server keeps.
        func keeping(in data: String) -> Resolution {
            var result = self
            result.configuration.data = data
            return result
        }

        /// The same with a project of which nothing is taken.
        func holding(_ project: FoundProject) -> Resolution {
            var result = self
            result.project = project
            return result
        }

        /// Leaves a key as it is in another resolution; the answer is the file that says something else, where one does.
        mutating func keep(_ path: String, of former: Resolution) -> String? {
            guard let place = settings.firstIndex(where: { $0.key.path == path }),
                let known = former.settings.first(where: { $0.key.path == path }),
                settings[place].value != known.value
            else { return nil }
            let origin = settings[place].origin == .standard ? known.origin : settings[place].origin
            settings[place].value = known.value
            settings[place].origin = known.origin
            known.key.write(known.value, &configuration)
            return "\(origin)"
        }

        /// The faults of functions, once the project is read.
        var functionProblems: [ConfigurationProblem] {
            configuration.functionFaults().map { problem($0.key, $0.message) }
        }

        /// What is wrong with the keys of an API with these modes. Whom others can reach, or who is called by a name of theirs, needs a
        /// key that only its clients know.
        func keyProblem(of modes: [AuthMode], now: Int64) -> ConfigurationProblem? {
            let places =
                configuration.listeners.filter { !$0.isLoopback }.map(\.description)
                + configuration.allowedHosts.filter { !HostCheck.isLoopback($0) }.map { "\($0) (allowedHosts)" }
            guard !places.isEmpty, modes.contains(.apiKey) else { return nil }
            let own = configuration.auth.apiKeys.filter { !$0.isForThisMachine }
            guard !own.contains(where: { $0.isCurrent(now: now) }) else { return nil }
            let expected =
                own.isEmpty
                ? "expected a key of your own, in HOMEPORT_AUTH_API_KEYS=da2-... or in the file,"
                : "expected a key of your own that has not expired,"
            return problem("auth.apiKeys", "\(expected) since others can reach \(places.joined(separator: ", "))")
        }

        private func problem(_ key: String, _ message: String) -> ConfigurationProblem {
            let origin = settings.first { $0.key.path == key }?.origin ?? .standard
            return ConfigurationProblem(
                place: origin == .standard ? "configuration" : origin.description, key: key, message: message)
        }

        /// The same with a log that tells less or more, where nobody has said how much.
        func telling(_ level: LogLevel) -> Resolution {
            var result = self
            if !isSet("log.level") { result.configuration.log.level = level }
            return result
        }

        /// Returns whether somebody set a key.
        func isSet(_ path: String) -> Bool {
            settings.contains { $0.key.path == path && $0.origin.strength > ConfigurationOrigin.project("").strength }
        }

        /// True if it was set which modes the API has.
        var setsModes: Bool { settings.contains { $0.key.saysModes && $0.origin != .standard } }
    }
}
