import Blueprint
import JSON
import UserPool

/// What a person sees when the server has started: where it is, how to call it, what it serves, where the data lives.
package struct Banner: Sendable {
    /// A line: what it says, and its name, which is empty where it goes on with the one before.
    private struct Line: Sendable {
        let name: String
        /// The name for machines; several lines of one name are a list.
        let key: String
        let text: String
    }

    private let lines: [Line]
    private let startMilliseconds: Double

    /// The banner of a server. With a port of 0 the caller knows better where it listens.
    ///
    /// - Parameters:
    ///   - pool: the user pool that is built in; nil where it is somebody else's.
    ///   - place: where the schema was found.
    ///   - now: in seconds since 1970.
    ///   - console: where the console is; nil: there is none.
    package init(
        _ configuration: Configuration, _ blueprint: Blueprint, _ pool: PoolIdentifiers?, from place: String,
        urls: [String], now: Int64,
        startMilliseconds: Double, testKey: TestKey? = nil, console: String? = nil
    ) {
        self.startMilliseconds = startMilliseconds
        let name = blueprint.hasAPI ? "API" : "Server"
        var lines = urls.enumerated().map { Line(name: $0 == 0 ? name : "", key: "urls", text: $1) }
        if let console {
            let isSetup = console.utf8.contains(UInt8(ascii: "#"))
            lines.append(
                Line(
                    name: "Console", key: "console",
                    text: console + (isSetup ? "  (once, to make the administrator's password)" : "")))
        }
        if configuration.listeners.contains(where: \.isUnspecified) {
            lines.append(Line(name: "", key: "reach", text: "and the same on every other address of this machine"))
        }
        let modes = blueprint.settings.modes
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
        if let pool {
            lines += [
                Line(name: "User pool", key: "userPool", text: pool.userPoolID),
                Line(name: "Client", key: "client", text: pool.clientID),
                Line(name: "Identities", key: "identityPool", text: pool.identityPoolID),
            ]
            if configuration.acceptsDevelopmentAdministrator {
                lines.append(
                    Line(
                        name: "Administrator", key: "administrator",
                        text: "\(DevelopmentAdministrator.accessKeyID), from this machine; secret: "
                            + DevelopmentAdministrator.secret))
            }
        }
        if let testKey {
            lines.append(Line(name: "Test key", key: "testKey", text: "\(testKey.text), for \(TestPlace.folder)"))
        }
        if blueprint.hasAPI {
            lines.append(Line(name: "Modes", key: "modes", text: modes.map(\.rawValue).joined(separator: ", ")))
            lines.append(
                Line(
                    name: "Schema", key: "schema",
                    text: "\(place), \(Counted.text(blueprint.models.count { !$0.isJoin }, "model"))"))
        } else {
            lines.append(Line(name: "Project", key: "project", text: "\(place), without an API"))
        }
        let data =
            switch configuration.database {
            case .memory: "in memory, gone at the end"
            case .file(let path): path
            }
        lines.append(Line(name: "Data", key: "data", text: data))
        self.lines = lines
    }

    /// The same for machines.
    package var fields: [(key: String, value: JSONValue)] {
        var fields: [(key: String, value: JSONValue)] = [
            ("version", .string(Version.number)),
            ("startMilliseconds", .double(startMilliseconds.isFinite ? startMilliseconds : 0)),
            ("urls", .array(lines.filter { $0.key == "urls" }.map { .string($0.text) })),
        ]
        fields += lines.filter { $0.key != "urls" }.map { ($0.key, .string($0.text)) }
        return fields
    }

    /// The lines to print.
    package func text(hasColours: Bool) -> String {
        let bold = hasColours ? "\u{1B}[1m" : ""
        let dim = hasColours ? "\u{1B}[2m" : ""
        let reset = hasColours ? "\u{1B}[0m" : ""
        let tenths = Int((startMilliseconds.isFinite ? max(0, min(startMilliseconds, 1e12)) : 0) * 10)
        let width = lines.map(\.name.count).max() ?? 0
        let first =
            "\(bold)\(Version.name) \(Version.number)\(reset)  \(dim)started in \(tenths / 10).\(tenths % 10) ms\(reset)"
        return
            ([first]
            + lines.map { line in
                let space = String(repeating: " ", count: width - line.name.count)
                return "  \(dim)\(line.name)\(space)\(reset)  \(line.text)"
            }).joined(separator: "\n")
    }
}

extension AuthSettings {
    /// Whether the key that everybody knows is one of the API's, and has not ended.
    func acceptsWellKnownKey(now: Int64) -> Bool {
        apiKeys.contains { $0.key.utf8.elementsEqual(Self.wellKnownKey.utf8) && $0.isCurrent(now: now) }
    }
}
