import Blueprint
import Project

/// The files by which the apps of a project find the server, and what its program adds to them.
extension Project {
    /// Where Amplify writes the files for clients: those of a Gen 2 project lie beside its folder, or where apps of Flutter read
    /// them; where those of a Gen 1 project lie, it says itself.
    var usualOutputs: [String] {
        switch generation {
        case .none: return []
        case .version2:
            let root = folder.dropLast(SchemaPlace.gen2Folder.utf8.count)
            let isFlutter = ["pubspec.yaml", "lib"].allSatisfy { ProjectReading.surroundings.exists(root + $0) }
            return [root + (isFlutter ? "lib/amplify_outputs.dart" : "amplify_outputs.json")]
        case .version1(let project):
            // No folder is made for them.
            return outputs(of: project).filter { Self.hasFolder($0) }
        }
    }

    /// The warning about a missing folder that the project names for its app's files.
    var outputsWarning: String? {
        guard let project = version1, let key = project.frontend?.folderKey,
            let file = outputs(of: project).first(where: { !Self.hasFolder($0) }),
            let missing = Self.folder(of: file)
        else { return nil }
        let place = ProjectLayout.shortened("\(folder)/\(Version1Project.frontendFile)")
        return
            "\(place): \(key) leads to the folder \(missing), which is not there, so no file is written by which the app finds the "
            + "server; make the folder, or name a file with --outputs"
    }

    private func outputs(of project: Version1Project) -> [String] {
        let root = String(folder.dropLast(Version1Project.usualFolder.utf8.count))
        return (project.frontend?.files ?? []).flatMap { Self.spellings(of: root + $0) }
    }

    /// The names under which an app has a module for JavaScript: `aws-exports.ts` where it has that one in place of `aws-exports.js`.
    private static func spellings(of file: String) -> [String] {
        let ending = ".js"
        guard file.hasSuffix(ending) else { return [file] }
        let stem = file.dropLast(ending.utf8.count)
        let there = [ending, ".ts", ".mjs"].map { "\(stem)\($0)" }.filter(ProjectReading.surroundings.exists)
        return there.isEmpty ? [file] : there
    }

    private static func folder(of file: String) -> String? {
        file.lastIndex(of: "/").map { String(file[..<$0]) }
    }

    private static func hasFolder(_ file: String) -> Bool {
        folder(of: file).map(ProjectReading.surroundings.exists) ?? true
    }

    /// The error that ends a command or a start over a refused project, after its report.
    static let refusal = UnreadableSchema(
        .configuration,
        "the project has errors, so nothing that it says of sign-in and files is known; mend them, and `homeport check` tells when "
            + "all is well")

    /// The files of a configuration's project.
    static func storage(of resolution: ConfigurationResolver.Resolution) throws(StartError) -> ProjectStorage {
        guard resolution.configuration.files.buckets.isEmpty else { return .none }
        do throws(UnreadableSchema) { return try resolution.foundProject().value.get().storage } catch {
            throw StartError(error.code, error.description)
        }
    }

    /// Its additions to the file for clients, with their deployed values, and the warnings about those without a value here.
    func added(_ values: ProjectValues) -> (parts: OutputParts, warnings: [Diagnostic]) {
        // Everybody who has the app can read the file.
        return added { $0.hasSecret ? nil : try? values.text(of: $0) }
    }
}
