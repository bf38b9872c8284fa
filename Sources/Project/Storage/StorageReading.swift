import Blueprint

/// Whether a Gen 2 project has places for files: `AuthReading` reads them with the rest of the project.
package enum StorageReading {
    private static let endings = [".ts", ".mts", ".js", ".mjs"]

    package static func isIn(_ folder: String, _ surroundings: ProgramSurroundings) -> Bool {
        endings.contains { surroundings.exists("\(folder)/storage/resource\($0)") }
    }
}
