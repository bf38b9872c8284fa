import JSON

/// A value that a project gives for a key of the configuration.
struct ProjectValue: Sendable {
    /// The path of the key.
    let path: String
    /// The file of the project that gives it.
    let file: String
    /// The value as the key checks it, and as people see it.
    let shown: JSONValue
    /// Takes it over.
    let write: @Sendable (inout Configuration) -> Void

    init<Value: ConfigurationValue>(
        _ path: String, _ field: any WritableKeyPath<Configuration, Value> & Sendable, _ value: Value,
        from file: String
    ) { self.init(path, value, from: file) { $0[keyPath: field] = value } }

    /// - Parameter order: the names of an object's members, in the project's order; empty: it is no object.
    init(
        _ path: String, _ value: some ConfigurationValue, from file: String, order: [String] = [],
        write: @escaping @Sendable (inout Configuration) -> Void
    ) {
        (self.path, self.file, self.write) = (path, file, write)
        let written = value.configured
        shown =
            order.isEmpty
            ? written : .object(JSONObject(order.compactMap { name in written[name].map { (name, $0) } }))
    }
}
