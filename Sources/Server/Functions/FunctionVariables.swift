import JSON

/// The variables of functions, with what is known only now that the server runs.
struct FunctionVariables {
    @Boxed private(set) var configuration: Configuration
    /// The variables without a value.
    private(set) var warnings: [String] = []

    /// - Parameter isPut: whether somebody has put a parameter of that name into the server.
    init(_ configuration: Configuration, _ values: ProjectValues, isPut: (String) -> Bool = { _ in false }) {
        var configuration = configuration
        var secrets: [String] = []
        var unknown: [String] = []
        let usual = values.usual
        for (name, setting) in configuration.functions.sorted(by: { $0.key < $1.key }) {
            guard let ofProject = setting.ofProject else { continue }
            var environment = usual
            for variable in ofProject.variables where setting.environment[variable.name] == nil {
                do throws(ProjectValues.Unknown) {
                    let text = try values.text(of: variable.value)
                    environment[variable.name] = text
                    if let secret = Self.secret(text, ofOneOf: [name] + setting.otherNames), !secrets.contains(secret),
                        values.secrets[secret] == nil, values.secrets["AMPLIFY_\(name)_\(secret)"] == nil,
                        !isPut(text)
                    {
                        secrets.append(secret)
                    }
                } catch {
                    switch error {
                    case .secret(let secret): if !secrets.contains(secret) { secrets.append(secret) }
                    case .deployed(let origin): unknown.append("\(variable.name) of \(name) (\(origin))")
                    case .missing: unknown.append("\(variable.name) of \(name)")
                    }
                }
            }
            environment.merge(setting.environment) { $1 }
            configuration.functions[name]?.environment = environment
        }
        self.configuration = configuration
        if !secrets.isEmpty {
            warnings.append(
                "functions go without the secrets \(secrets.joined(separator: ", ")): set them as variables of the server, or as "
                    + "lines NAME=value in \(values.secrets.file)")
        }
        if !unknown.isEmpty {
            warnings.append(
                "variables of functions have no value here, and are not set: \(unknown.joined(separator: ", ")); give them one in "
                    + "functions.NAME.environment")
        }
    }

    /// The secret that a variable of a Gen 1 function names as Systems Manager has it, `/amplify/APP/ENV/AMPLIFY_pay_STRIPE_KEY`; nil: it
    /// names none.
    private static func secret(_ text: String, ofOneOf names: [String]) -> String? {
        guard text.utf8.starts(with: EnvironmentSecrets.start.utf8),
            let slash = text.utf8.lastIndex(of: UInt8(ascii: "/"))
        else { return nil }
        let last = text.utf8[text.utf8.index(after: slash)...]
        for name in names {
            let start = "AMPLIFY_\(name)_".utf8
            guard last.starts(with: start), last.count > start.count else { continue }
            return String(decoding: last.dropFirst(start.count), as: UTF8.self)
        }
        return nil
    }
}
