/// The secrets of a project, which its files name and never hold: `secret('NAME')` is the variable NAME of the server's process, or
/// that of the file `secrets` in the data folder.
struct FunctionSecrets {
    private let environment: [String: String]
    private let stored: [String: String]
    static let fileName = "secrets"
    /// The file, for messages.
    let file: String

    init(in folder: String, environment: [String: String]) {
        file = "\(folder)/\(Self.fileName)"
        self.environment = environment
        stored = Dictionary(VariableFile.read(file), uniquingKeysWith: { $1 })
    }

    subscript(name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } ?? stored[name] }
}
