import Blueprint
import JSON
import UserPool

/// The banner of a server: where it is, how to call it, what it serves, what its parts are called and where the data lives.
///
/// A start prints what a person needs next; `--verbose` and `homeport status` print all of it.
package struct Banner: Sendable {
    /// A line: what it says, and its name, which is empty where it goes on with the one before.
    struct Line: Sendable {
        let name: String
        /// The name for machines; several lines of one name are a list.
        let key: String
        let text: String
        /// True if a start prints it.
        var isNext = false
    }

    /// The names of the parts of the server.
    package struct Names: Sendable {
        /// Nil: the user pool is somebody else's.
        package var pool: PoolIdentifiers?
        /// The buckets, as the app and as requests call them.
        package var buckets: [(name: String, bucketName: String)] = []
        package var functions: [String] = []

        package init(_ pool: PoolIdentifiers? = nil) { self.pool = pool }

        /// Those of a configuration.
        init(_ configuration: Configuration, _ pool: PoolIdentifiers?, _ places: FilesSettings?) {
            self.pool = pool
            buckets = places?.buckets.map { ($0.name, $0.bucketName) } ?? []
            functions = configuration.functions.sorted { $0.key < $1.key }.map { name, setting in
                "\(name): \(setting.state(named: name))"
            }
        }
    }

    /// How a server follows its project.
    package enum Watching: Sendable {
        /// The place that it looks at.
        case place(String)
        case nothing
    }

    let lines: [Line]
    private let startMilliseconds: Double

    /// Keys of which a server can have several.
    static let lists = ["urls", "buckets", "functions"]

    /// The banner of a server. With a port of 0 the caller knows better where it listens.
    ///
    /// - Parameters:
    ///   - place: where the schema was found.
    ///   - now: in seconds since 1970.
    ///   - console: where the console is; nil: there is none.
    package init(
        _ configuration: Configuration, _ blueprint: Blueprint, _ names: Names, from place: String,
        urls: [String], now: Int64, startMilliseconds: Double, testKey: TestKey? = nil, console: String? = nil,
        watching: Watching = .nothing
    ) {
        self.startMilliseconds = startMilliseconds
        let name = blueprint.hasAPI ? "API" : "Server"
        var lines = urls.enumerated().map { Line(name: $0 == 0 ? name : "", key: "urls", text: $1, isNext: true) }
        if configuration.listeners.contains(where: \.isUnspecified) {
            lines.append(
                Line(
                    name: "", key: "reach", text: "and the same on every other address of this machine", isNext: true))
        }
        if let console {
            let isSetup = console.utf8.contains(UInt8(ascii: "#"))
            lines.append(
                Line(
                    name: "Console", key: "console",
                    text: console + (isSetup ? "  (once, to make the administrator's password)" : ""), isNext: true))
        }
        if let url = urls.first, blueprint.hasAPI,
            let request = FirstRequest(configuration, blueprint, hasPool: names.pool != nil, now: now)
        {
            lines.append(Line(name: "Try", key: "curl", text: request.command(at: url), isNext: true))
        }
        switch watching {
        case .place(let place): lines.append(Line(name: "Watching", key: "watching", text: place, isNext: true))
        case .nothing:
            lines.append(
                Line(
                    name: "Watching", key: "watching", text: "nothing; --watch serves edits at once", isNext: true))
        }
        if let testKey {
            lines.append(
                Line(name: "Test key", key: "testKey", text: "\(testKey.text), for \(TestPlace.folder)", isNext: true))
        }
        lines += Self.credentials(configuration, blueprint, names, now)
        if let pool = names.pool {
            lines += [
                Line(name: "User pool", key: "userPool", text: pool.userPoolID),
                Line(name: "Client", key: "client", text: pool.clientID),
                Line(name: "Identities", key: "identityPool", text: pool.identityPoolID),
            ]
        }
        lines += names.buckets.enumerated().map { index, bucket in
            Line(name: index == 0 ? "Files" : "", key: "buckets", text: "\(bucket.name): \(bucket.bucketName)")
        }
        lines += names.functions.enumerated().map { index, function in
            Line(name: index == 0 ? "Functions" : "", key: "functions", text: function)
        }
        if blueprint.hasAPI {
            let modes = blueprint.settings.modes
            lines.append(Line(name: "Modes", key: "modes", text: modes.map(\.rawValue).joined(separator: ", ")))
            lines.append(
                Line(
                    name: "Schema", key: "schema",
                    text: "\(place), \(Counted.text(blueprint.models.count { !$0.isJoin }, "model"))"))
        } else {
            lines.append(Line(name: "Project", key: "project", text: "\(place), without an API"))
        }
        lines.append(Line(name: "Data", key: "data", text: configuration.database.shown))
        self.lines = lines
    }

    /// The keys that everybody knows, where they are of use.
    private static func credentials(
        _ configuration: Configuration, _ blueprint: Blueprint, _ names: Names, _ now: Int64
    ) -> [Line] {
        let modes = blueprint.settings.modes
        var lines: [Line] = []
        if modes.contains(.apiKey), configuration.auth.acceptsWellKnownKey(now: now) {
            lines.append(Line(name: "API key", key: "apiKey", text: AuthSettings.wellKnownKey))
        }
        if modes.contains(.iam), configuration.acceptsMockCredentials {
            lines.append(
                Line(
                    name: "IAM", key: "iam",
                    text: "\(MockCredentials.signedInKeyID), or \(MockCredentials.guestKeyID) for guests; secret: "
                        + MockCredentials.secret))
        }
        if names.pool != nil, configuration.acceptsDevelopmentAdministrator {
            lines.append(
                Line(
                    name: "Administrator", key: "administrator",
                    text: "\(DevelopmentAdministrator.accessKeyID), from this machine; secret: "
                        + DevelopmentAdministrator.secret))
        }
        return lines
    }

    /// The same for machines.
    package var fields: [(key: String, value: JSONValue)] {
        var fields: [(key: String, value: JSONValue)] = [
            ("version", .string(Version.number)),
            ("startMilliseconds", .double(startMilliseconds.isFinite ? startMilliseconds : 0)),
        ]
        for key in Self.lists {
            let texts = lines.filter { $0.key == key }.map { JSONValue.string($0.text) }
            if key == "urls" || !texts.isEmpty { fields.append((key, .array(texts))) }
        }
        fields += lines.filter { !Self.lists.contains($0.key) }.map { ($0.key, .string($0.text)) }
        return fields
    }

    /// The lines to print.
    ///
    /// - Parameter isVerbose: whether all of it is printed.
    package func text(hasColours: Bool, isVerbose: Bool = false) -> String {
        let (bold, dim, reset) = hasColours ? ("\u{1B}[1m", "\u{1B}[2m", "\u{1B}[0m") : ("", "", "")
        let tenths = Int((startMilliseconds.isFinite ? max(0, min(startMilliseconds, 1e12)) : 0) * 10)
        let first =
            "\(bold)\(Version.name) \(Version.number)\(reset)  \(dim)started in \(tenths / 10).\(tenths % 10) ms\(reset)"
        let shown = lines.filter { isVerbose || $0.isNext }.map { ($0.name, $0.text) }
        return ([first] + Self.columns(shown, dim: dim, reset: reset)).joined(separator: "\n")
    }

    /// Names and what they say, one below the other.
    static func columns(_ lines: [(name: String, text: String)], dim: String = "", reset: String = "") -> [String] {
        let width = lines.map(\.name.count).max() ?? 0
        return lines.map { line in
            let space = String(repeating: " ", count: width - line.name.count)
            return "  \(dim)\(line.name)\(space)\(reset)  \(line.text)"
        }
    }
}

extension AuthSettings {
    /// Returns whether the key that everybody knows is one of the API's, and has not ended.
    func acceptsWellKnownKey(now: Int64) -> Bool {
        apiKeys.contains { $0.key.utf8.elementsEqual(Self.wellKnownKey.utf8) && $0.isCurrent(now: now) }
    }
}
