import JSON

/// All functions of the library, by their names. A program looks each of its own up once, when it is read.
enum LibraryTable {
    /// In groups of those that belong together, each a file.
    private static let groups: [[LibraryFunction]] = [
        GeneralFunctions.all,
        IdentifierFunctions.all,
        EncodingFunctions.all,
        TimeFunctions.all,
        AttributeFunctions.all,
        TransformFunctions.all,
        DynamoDBModule.all,
        RelationalModule.all,
        LanguageModelModule.all,
        ExtensionFunctions.all,
        HeaderFunctions.all,
        StringFunctions.all,
        NumberFunctions.all,
        XMLFunctions.all,
    ]

    /// What JavaScript has: names such as `util.time.nowISO8601`, and `dynamodb.get` for a module's `get`.
    static let javaScript = functions(of: .javaScript)

    private static let velocity = functions(of: .velocity)

    /// The names of all, each once.
    static var names: [String] { groups.joined().map(\.name).eachOnce() }

    private static func functions(of language: LibraryFunction.Languages) -> [ByteText: LibraryFunction] {
        Dictionary(
            texts: groups.joined().filter { $0.languages == .both || $0.languages == language }.map { ($0.name, $0) },
            uniquingKeysWith: { first, _ in first })
    }

    /// The function that templates call by a name. `$util.dynamodb.toMapValuesJson` is `toMapValues`, and the text of what comes of it.
    static func velocity(_ name: String) -> LibraryFunction? {
        if let function = velocity[name] { return function }
        guard name.hasPrefix(AttributeFunctions.prefix), name.hasSuffix("Json"),
            let function = velocity[String(name.dropLast(4))]
        else { return nil }
        return LibraryFunction(name, in: .velocity) { call throws(ResolverError) in
            .string(JSONWriter.text(of: try function.run(&call)))
        }
    }
}
