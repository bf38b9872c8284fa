import JSON

/// The variables of functions, with what is known only now that the server runs.
struct FunctionVariables {
    @Boxed private(set) var configuration: Configuration
    /// The variables without a value.
    private(set) var warnings: [String] = []

    init(_ configuration: Configuration, _ values: ProjectValues) {
        var configuration = configuration
        var secrets: [String] = []
        var unknown: [String] = []
        let usual = values.usual
        for (name, setting) in configuration.functions.sorted(by: { $0.key < $1.key }) where setting.isOfProject {
            var environment = usual
            for variable in setting.projectVariables where setting.environment[variable.name] == nil {
                do throws(ProjectValues.Unknown) {
                    environment[variable.name] = try values.text(of: variable.value)
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
}
