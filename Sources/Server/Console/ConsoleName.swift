/// The name of a project, by the place of its schema.
enum ConsoleName {
    private static let usual: Set<String> = ["schema", "resource", "data", "amplify", "backend", "api", "src", "."]

    static func of(_ place: String) -> String {
        var parts = place.split(separator: "/").map(String.init)
        if var last = parts.popLast() {
            if let point = last.lastIndex(of: "."), point != last.startIndex { last = String(last[..<point]) }
            parts.append(last)
        }
        if let name = parts.last(where: { !usual.contains($0) }) { return name }
        let folder = ProjectReading.currentFolder.split(separator: "/").last.map(String.init)
        return folder ?? "homeport"
    }
}
