import Foundation
import Testing
import TestSupport

/// Pages for readers name what is there.
@Suite("Front pages")
struct FrontPageTests {
    private static let sources = repositoryFile("Sources")
    static let rooms = [
        "Access", "Blueprint", "Engine", "Functions", "GraphQL", "Language", "Network", "Project", "Realtime",
        "Resolvers", "Script", "Server", "Store",
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
        let enumerator = try #require(FileManager.default.enumerator(atPath: Self.sources))
        for case let path as String in enumerator where path.hasSuffix(".swift") {
            let text = Self.text("\(Self.sources)/\(path)")
            for match in text.matches(of: /\b(?:class|struct|enum|protocol) (?<name>[A-Z][A-Za-z]+)/) {
                there.insert(String(match.output.name))
            }
        }
        #expect(names.subtracting(there).isEmpty)
    }
}
