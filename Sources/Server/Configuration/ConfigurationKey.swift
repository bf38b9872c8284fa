import Blueprint
import JSON

/// One thing that can be set: a row of the table from which file, environment, options, listing and reference come.
///
/// Its row also says where the value goes: into the field of the room that acts by it. What holds when nobody sets it
/// is what stands in that field.
package struct ConfigurationKey: Sendable {
    /// Where it stands in the file: `auth.userPools.issuer`.
    package let path: String
    package var kind: ConfigurationKind { admitted() }
    /// The default; null: nothing is set.
    package var defaultValue: JSONValue { standard() }
    /// The option of `homeport serve` that sets it.
    package let option: String?
    /// Its purpose, in one sentence for the reference and the help.
    package var summary: String { explanation() }
    /// Takes a checked value over.
    let write: @Sendable (JSONValue, inout Configuration) -> Void
    /// Takes it over what the files of an Amplify project say; nil where they say nothing about it.
    let writeOver: (@Sendable (JSONValue, inout Settings) -> Void)?

    // Worked out when somebody asks: hardly any key is set, and a start looks at nothing of the others.

    private let admitted: Admitted
    private let standard: @Sendable () -> JSONValue
    private let explanation: Explanation

    typealias Admitted = @Sendable () -> ConfigurationKind
    typealias Explanation = @Sendable () -> String
    typealias Field<Root, Value> = @Sendable () -> any WritableKeyPath<Root, Value> & Sendable

    /// A key whose value is not written as the field has it.
    init(
        _ path: String, _ kind: @autoclosure @escaping Admitted,
        default defaultValue: @autoclosure @escaping @Sendable () -> JSONValue, option: String? = nil,
        _ summary: @autoclosure @escaping Explanation,
        write: @escaping @Sendable (JSONValue, inout Configuration) -> Void
    ) {
        self.path = path
        self.option = option
        self.write = write
        (admitted, standard, explanation) = (kind, defaultValue, summary)
        writeOver = nil
    }

    /// A key that sets a field.
    init<Value: ConfigurationValue>(
        _ path: String, _ kind: @autoclosure @escaping Admitted,
        _ field: @autoclosure @escaping Field<Configuration, Value>, option: String? = nil,
        _ summary: @autoclosure @escaping Explanation
    ) {
        self.init(
            path, kind(), default: Configuration.standard[keyPath: field()].configured, option: option, summary()
        ) { value, configuration in
            if let value = Value(configured: value) { configuration[keyPath: field()] = value }
        }
    }

    /// A key that sets a field in a larger unit than the field's own.
    init<Number: BinaryInteger & ConfigurationValue & Sendable>(
        _ path: String, _ kind: @autoclosure @escaping Admitted,
        _ field: @autoclosure @escaping Field<Configuration, Number>, unit: Number,
        _ summary: @autoclosure @escaping Explanation
    ) {
        self.init(
            path, kind(), default: (Configuration.standard[keyPath: field()] / unit).configured, summary()
        ) { value, configuration in
            if let value = Number(configured: value) { configuration[keyPath: field()] = value * unit }
        }
    }

    /// A key that sets what an Amplify project may say in files of its own.
    init<Value: ConfigurationValue>(
        _ path: String, _ kind: @autoclosure @escaping Admitted,
        ofProject field: @autoclosure @escaping Field<Settings, Value>,
        _ summary: @autoclosure @escaping Explanation
    ) {
        self.path = path
        option = nil
        let writeOver: @Sendable (JSONValue, inout Settings) -> Void = { value, settings in
            if let value = Value(configured: value) { settings[keyPath: field()] = value }
        }
        self.writeOver = writeOver
        write = { writeOver($0, &$1.project) }
        (admitted, explanation) = (kind, summary)
        standard = { Configuration.standard.project[keyPath: field()].configured }
    }

    /// The environment variable that sets it: `HOMEPORT_AUTH_USER_POOLS_ISSUER`.
    package var environmentName: String { Self.environmentName(of: path) }

    package static func environmentName(of path: String) -> String {
        var name = Array("HOMEPORT_".utf8)
        var previous = UInt8(ascii: ".")
        // Paths are ASCII.
        for byte in path.utf8 {
            if byte == UInt8(ascii: ".") {
                name.append(UInt8(ascii: "_"))
            } else {
                if (0x41...0x5A).contains(byte), (0x61...0x7A).contains(previous) { name.append(UInt8(ascii: "_")) }
                name.append((0x61...0x7A).contains(byte) ? byte - 0x20 : byte)
            }
            previous = byte
        }
        return String(decoding: name, as: UTF8.self)
    }

    /// The environment variable that names the configuration file, as `--config` does.
    package static let fileEnvironmentName = "HOMEPORT_CONFIG"

    /// The key of that path.
    static func named(_ path: String) -> ConfigurationKey? {
        all.first { $0.path == path }
    }

    /// Whether keys begin with that name: `auth`.
    static func isSection(_ name: String) -> Bool {
        let start = name + "."
        return all.contains { $0.path.hasPrefix(start) }
    }
}

/// A member of the objects that a key holds in a list or under names of the user's: `auth.apiKeys[].key`.
package struct ConfigurationField: Sendable {
    package let name: String
    package let kind: ConfigurationKind
    package let isRequired: Bool
    /// True if its value is never shown.
    package let isSecret: Bool
    package let summary: String

    init(
        _ name: String, _ kind: ConfigurationKind, isRequired: Bool = false, isSecret: Bool = false, _ summary: String
    ) {
        self.name = name
        self.kind = kind
        self.isRequired = isRequired
        self.isSecret = isSecret
        self.summary = summary
    }

    /// The one member that an object needs, where that is a text: a variable may then hold it alone.
    static func alone(in fields: [ConfigurationField]) -> ConfigurationField? {
        let required = fields.filter(\.isRequired)
        guard let field = required.first, required.count == 1, case .text = field.kind else { return nil }
        return field
    }
}
