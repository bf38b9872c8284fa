/// Where a value came from. A later case is stronger than an earlier one.
package enum ConfigurationOrigin: Sendable, Equatable, CustomStringConvertible {
    case standard
    case file(String, line: Int)
    case environment(String)
    case option(String)

    package var description: String {
        switch self {
        case .standard: "default"
        case .file(let name, let line): "\(name):\(line)"
        case .environment(let name): name
        case .option(let name): "--\(name)"
        }
    }

    var strength: Int {
        switch self {
        case .standard: 0
        case .file: 1
        case .environment: 2
        case .option: 3
        }
    }
}
