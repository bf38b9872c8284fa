import Blueprint
import JSON

extension ProgramFiles {
    private static let levelsMax = 32

    /// Whether Node takes a file for a CommonJS module: by its ending, or by the `type` of the nearest `package.json`.
    func isCommonJS(_ file: String) -> Bool {
        guard [".ts", ".tsx", ".js"].contains(where: file.hasSuffix) else { return false }
        var folder = Self.folder(of: file)
        for _ in 0..<Self.levelsMax where project.contains(folder) {
            if let bytes = bytes(of: Self.join(folder, "package.json")) {
                let type = (try? JSONReader.value(of: String(decoding: bytes, as: UTF8.self)))?["type"]?.string
                return type != "module"
            }
            let outer = Self.join(folder, "..")
            guard outer != folder else { break }
            folder = outer
        }
        return true
    }
}
