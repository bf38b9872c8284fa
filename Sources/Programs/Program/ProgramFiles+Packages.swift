import Blueprint
import JSON
import Project

extension ProgramFiles {
    private static let levelsMax = 32

    /// Whether Amplify's loader takes a file for a module of CommonJS, which has `__dirname` and `require`: by its ending, or because the
    /// nearest `package.json` says nothing of modules.
    func isCommonJS(_ file: String) -> Bool {
        if [".cts", ".cjs"].contains(where: file.hasSuffix) { return true }
        guard [".ts", ".tsx", ".js", ".jsx"].contains(where: file.hasSuffix) else { return false }
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
