import Foundation
import Testing
import TestSupport

/// Documents say what is there: the folders of the rooms, and the files that they link to.
@Suite("Documents")
struct DocumentTests {
    private static let sources = repositoryFile("Sources")

    private static func folders(in path: String) throws -> Set<String> {
        let names = try FileManager.default.contentsOfDirectory(atPath: path)
        return Set(
            names.filter { name in
                var isFolder: ObjCBool = false
                return FileManager.default.fileExists(atPath: "\(path)/\(name)", isDirectory: &isFolder)
                    && isFolder.boolValue
                    && !name.hasPrefix(".")
            })
    }

    /// The rooms that have folders, each with the file of its name as a front page.
    static let rooms = [
        "Access", "Blueprint", "Engine", "Files", "Functions", "Language", "Moving", "Network", "Project", "Realtime",
        "Resolvers",
        "Server", "Store", "UserPool",
    ]

    @Test("a room's front page names the folders that the room has, and no others", arguments: rooms)
    func frontPages(room: String) throws {
        let page = try String(contentsOfFile: "\(Self.sources)/\(room)/\(room).swift", encoding: .utf8)
        let comments = page.split(separator: "\n").filter { $0.hasPrefix("//") }.joined(separator: "\n")
        let named = Set(
            comments.matches(of: /(?:^|[ `(])([A-Z][A-Za-z0-9]+)\//.anchorsMatchLineEndings()).map { String($0.1) })
        let there = try Self.folders(in: "\(Self.sources)/\(room)")
        #expect(named.subtracting(there) == [], "named, and not there")
        #expect(there.subtracting(named) == [], "there, and not named")
    }

    static let documents = [
        "README.md", "DIFFERENCES.md", "CHANGELOG.md", "docs/ai.md", "docs/clients.md", "docs/command-line.md",
        "docs/configuration.md",
        "docs/data.md", "docs/functions.md", "docs/moving.md", "docs/operating.md", "docs/testing.md",
        "docs/upgrading.md", "docs/web-app.md",
    ]

    @Test("links within the repository lead to files that are there", arguments: documents)
    func links(document: String) throws {
        let text = try String(contentsOfFile: repositoryFile(document), encoding: .utf8)
        let folder = document.contains("/") ? "docs/" : ""
        for link in text.matches(of: /\]\(([^)]+)\)/) where !link.1.contains("://") && !link.1.hasPrefix("#") {
            let path = link.1.prefix { $0 != "#" }
            #expect(FileManager.default.fileExists(atPath: repositoryFile(folder + path)), "\(document): \(link.1)")
        }
    }

    @Test("the page on clients shows configurations that are JSON, and the commands that it names are there")
    func clients() throws {
        let text = try String(contentsOfFile: repositoryFile("docs/clients.md"), encoding: .utf8)
        let blocks = text.matches(of: /```json\n((?:.|\n)*?)```/)
        #expect(blocks.count >= 2)
        for block in blocks {
            #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(block.1.utf8)) }
        }
        let reference = try String(contentsOfFile: repositoryFile("docs/command-line.md"), encoding: .utf8)
        for command in text.matches(of: /homeport ([a-z]+)((?: --[a-z-]+)*)/) {
            #expect(reference.contains("## `homeport \(command.1)`"), "\(command.0)")
            for option in command.2.split(separator: " ") {
                #expect(reference.contains("\n  \(option)"), "\(command.0)")
            }
        }
    }
}
