/// Where a value came from. A later case is stronger than an earlier one.
package enum ConfigurationOrigin: Sendable, Equatable, CustomStringConvertible {
    case standard
    /// A file of the project around the schema.
    case project(String)
    case file(ConfigurationPlace)
    case environment(String)
    case option(String)
    /// Set by that, and the rest said by a file of the project.
    indirect case both(ConfigurationOrigin, project: String)

    package var description: String {
        switch self {
        case .standard: "default"
        case .project(let name): name
        case .file(let place): place.description
        case .environment(let name): name
        case .option(let name): "--\(name)"
        case .both(let origin, let project): "\(origin), \(project)"
        }
    }

    var strength: Int {
        switch self {
        case .standard: 0
        case .project: 1
        case .file: 2
        case .environment: 3
        case .option: 4
        case .both(let origin, _): origin.strength
        }
    }

    /// That of a value that a file of the project completes.
    func over(_ project: String) -> ConfigurationOrigin {
        strength <= Self.project("").strength ? .project(project) : .both(self, project: project)
    }
}
