import JSON

/// The reference of the configuration for people, from the table of keys.
package enum ConfigurationReference {
    /// The document `docs/configuration.md`.
    package static func markdown() -> String {
        let rows = ConfigurationKey.all.map { key in
            let option = key.option.map { ", `--\($0)`" } ?? ""
            return "| `\(key.path)` | \(escaped(key.kind.name)) | `\(escaped(JSONWriter.text(of: key.defaultValue)))` "
                + "| \(escaped(key.summary)) | `\(key.environmentName)`\(option) |"
        }
        return """
            # Configuration

            Homeport runs without any configuration. What there is to set can be set in a JSON file
            (`homeport serve --config FILE`, or `\(ConfigurationKey.fileEnvironmentName)`), by environment variables, and by options.
            Precedence: options, environment variables, the file, defaults.
            `homeport serve --print-config` shows each value and where it came from.

            A path in the file is relative to the file; elsewhere it is relative to the current folder. In an environment
            variable, a list is separated by commas, objects are JSON, and an empty text is the same as no variable.
            An unknown key and a wrong type are errors that name the key, the line and what was expected.

            | key | type | default | what it does | environment, option |
            |---|---|---|---|---|
            \(rows.joined(separator: "\n"))

            \(fields())

            """
    }

    /// The members of the objects in lists and maps.
    private static func fields() -> String {
        ConfigurationKey.all.compactMap { key in
            guard let (path, fields) = objects(in: key.kind, at: key.path) else { return nil }
            let rows = fields.map { field in
                "| `\(path).\(field.name)` | \(escaped(field.kind.name)) | \(field.isRequired ? "yes" : "no") "
                    + "| \(escaped(field.summary)) |"
            }
            return """
                ## `\(key.path)`

                | member | type | required | what it is |
                |---|---|---|---|
                \(rows.joined(separator: "\n"))
                """
        }.joined(separator: "\n\n")
    }

    private static func objects(
        in kind: ConfigurationKind, at path: String
    ) -> (path: String, fields: [ConfigurationField])? {
        switch kind {
        case .list(let element): objects(in: element, at: path + "[]")
        case .map(let element): objects(in: element, at: path + ".NAME")
        case .either(_, let second): objects(in: second, at: path)
        case .object(let fields): (path, fields)
        default: nil
        }
    }

    private static func escaped(_ text: String) -> String {
        text.replacing(bytesOf: "|", with: "\\|")
    }
}
