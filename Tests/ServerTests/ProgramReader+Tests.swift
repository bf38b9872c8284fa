import Programs
import Project

@testable import Server

/// The server's own tests read projects as the program does.
extension ConfigurationResolver {
    static func resolve(
        file: String? = nil, options: [String: [String]] = [:], environment: [String: String] = [:],
        wanted: Set<String>? = nil
    ) throws(ConfigurationError) -> Resolution {
        try resolve(file: file, options: options, environment: environment, wanted: wanted, programs: Programs.reader)
    }
}

extension FoundProject {
    static func find(_ configured: String?) throws(UnreadableSchema) -> FoundProject {
        try find(configured, Programs.reader)
    }
}

extension Project {
    init(version1 folder: String, hasSchema: Bool = true) throws(UnreadableSchema) {
        try self.init(version1: folder, Programs.reader)
        self.hasSchema = hasSchema
    }
}
