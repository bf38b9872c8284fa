import Foundation
import Testing
import TestSupport

/// Pages for readers name what is there.
@Suite("Front pages")
struct FrontPageTests {
    private static let sources = repositoryFile("Sources")
    static let rooms = [
        "Access", "Blueprint", "Cloud", "Delivery", "Engine", "Functions", "GraphQL", "Language", "Network",
        "Parameters",
        "Postgres",
        "Programs", "Project",
        "Realtime", "Resolvers", "Script", "Server", "Store",
    ]

    private static func text(_ path: String) -> String {
        (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    }

    private static func folders(in path: String) -> Set<String> {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return Set(
            names.filter { name in
                var isFolder: ObjCBool = false
                return FileManager.default.fileExists(atPath: "\(path)/\(name)", isDirectory: &isFolder)
                    && isFolder.boolValue
            })
    }

    @Test("the front page of a room names the folders that it has, and no others", arguments: rooms)
    func folders(room: String) {
        let page = Self.text("\(Self.sources)/\(room)/\(room).swift")
        let there = Self.folders(in: "\(Self.sources)/\(room)")
        let named = Set(page.matches(of: /\b(?<name>[A-Z][A-Za-z0-9]+)\//).map { String($0.output.name) })
        #expect(there.subtracting(named).isEmpty, "folders that the front page leaves out")
        #expect(named.subtracting(there).isEmpty, "names of folders that are not there")
    }

    @Test("the page on the architecture names types and rooms that are there")
    func architecture() throws {
        let page = Self.text(repositoryFile("docs/architecture.md"))
        let names = Set(page.matches(of: /`(?<name>[A-Z][A-Za-z]+)`/).map { String($0.output.name) })
        #expect(names.count > 60)
        var there: Set<String> = ["ROOM", "SQL", "JSON"]
        there.formUnion(Self.folders(in: Self.sources))
        // A debug build of a pattern of ours takes a quarter of a minute for all sources.
        let declared = try ChildProcess.said(
            ["grep", "-rhoE", "--include=*.swift", #"\b(class|struct|enum|protocol) [A-Z][A-Za-z]+"#, Self.sources])
        there.formUnion(
            declared.text.split(separator: "\n").compactMap { $0.split(separator: " ").last.map(String.init) })
        #expect(names.subtracting(there).isEmpty)
    }
}
