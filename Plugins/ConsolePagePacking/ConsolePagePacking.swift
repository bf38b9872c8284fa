import Foundation
import PackagePlugin

/// Packs the files of the console's page while the program is built: no file that is made lies in the repository, and one that is
/// added or taken away is so by that alone.
@main
struct ConsolePagePacking: BuildToolPlugin {
    /// The ends of names of files that belong to the page; `PageFile` has a type for each.
    private static let endings = ["html", "js", "css", "svg", "png", "ico", "json", "txt", "woff2"]

    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let folder = context.package.directoryURL.appending(path: "Sources/Console/Page", directoryHint: .isDirectory)
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
            .filter { name in Self.endings.contains { name.hasSuffix(".\($0)") } }
            .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        let packed = context.pluginWorkDirectoryURL.appending(path: "Packed.swift")
        return [
            .buildCommand(
                displayName: "Packing the console's page", executable: try context.tool(named: "pack-console-page").url,
                arguments: [packed.path, folder.path] + names,
                inputFiles: names.map { folder.appending(path: $0) }, outputFiles: [packed])
        ]
    }
}
