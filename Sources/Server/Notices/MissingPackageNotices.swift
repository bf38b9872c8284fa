import Functions
import JSON
import Threads

/// Says at the start and in a check which packages functions import and do not have, with the command that installs them: else the first
/// user who causes a call would be the first to see it.
enum MissingPackageNotices {
    private static let namesMax = 5

    /// Begins to look, beside the start.
    static func begin(_ functions: [FunctionSettings], sdk: String, _ log: Log) {
        guard !functions.isEmpty else { return }
        _ = WorkAside {
            for warning in warnings(of: functions, sdk: sdk) { log.warning(warning) }
        }
    }

    /// - Parameter sdk: the folder of the SDK that functions find besides.
    static func warnings(of functions: [FunctionSettings], sdk: String) -> [String] {
        // Functions with the same command share one line.
        var all: [(command: String, functions: [String], packages: [String])] = []
        for function in functions {
            guard case .handler(let place) = function.program else { continue }
            let layers = (function.environment["NODE_PATH"] ?? "").split(separator: ":").map(String.init)
            guard let missing = MissingPackages(of: place, besides: sdk, layers: layers) else { continue }
            if let known = all.firstIndex(where: { ByteText($0.command) == ByteText(missing.command) }) {
                all[known].functions.append(function.name)
                all[known].packages += missing.names.filter { !all[known].packages.contains($0) }
            } else {
                all.append((missing.command, [function.name], missing.names))
            }
        }
        return all.map { command, functions, packages in
            let isOne = functions.count == 1
            return "\(isOne ? "the function" : "the functions") \(listed(functions)) \(isOne ? "imports" : "import") "
                + "\(listed(packages)), which \(packages.count == 1 ? "is" : "are") not installed: \(command)"
        }
    }

    private static func listed(_ names: [String]) -> String {
        let more = names.count > namesMax ? " and \(names.count - namesMax) more" : ""
        return names.prefix(namesMax).joined(separator: ", ") + more
    }
}
