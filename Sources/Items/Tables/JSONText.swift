import JSON

/// Small values of the database that are JSON.
enum JSONText {
    static func of(_ value: JSONValue) -> String { JSONWriter.text(of: value) }

    static func value(_ text: String) -> JSONValue? { try? JSONReader.value(of: text) }
}
