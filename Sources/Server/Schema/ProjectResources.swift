import Blueprint
import Project

/// The resources of the project around a schema: sign-in, files, and what it adds for clients.
package struct ProjectResources: Sendable {
    indirect enum Kind: Sendable {
        /// A schema that lies in no project.
        case none
        case version1(Version1Project)
        case version2(Project, folder: String)
    }

    let kind: Kind
    /// True if there is a schema.
    let hasSchema: Bool

    /// How people sign in as clients are told of it; nil: the project has no sign-in, or does not say.
    var signIn: AuthResource? { if case .declared(let auth) = poolSource { auth } else { nil } }

    /// The user pool of the project.
    var poolSource: ProjectSignIn {
        switch kind {
        case .none: .none
        case .version1(let project):
            isRefused ? .refused : project.auth.map { ProjectSignIn.declared($0.resource) } ?? ProjectSignIn.none
        case .version2(let reading, _): reading.signIn
        }
    }

    /// What the roles of identities are given.
    var identityGrants: IdentityRoleGrants {
        if case .version2(let reading, _) = kind { reading.identityGrants } else { IdentityRoleGrants() }
    }

    var givesIdentities: Bool { identityGrants != IdentityRoleGrants() }

    /// True if something is wrong with the project, so that nothing it says of rights is known.
    var isRefused: Bool { diagnostics.contains(where: \.isError) }

    /// The file that says it.
    var signInFile: String? {
        switch kind {
        case .none: nil
        case .version1(let project): project.auth?.file
        case .version2(_, let folder): "\(folder)/auth/resource.ts"
        }
    }

    /// Where Amplify writes the files for clients: those of a Gen 2 project lie beside its folder, or where apps of Flutter read
    /// them; where those of a Gen 1 project lie, it says itself.
    var usualOutputs: [String] {
        switch kind {
        case .none: return []
        case .version2(_, let folder):
            let root = folder.dropLast(SchemaPlace.gen2Folder.utf8.count)
            let isFlutter = ["pubspec.yaml", "lib"].allSatisfy { ProjectReading.surroundings.exists(root + $0) }
            return [root + (isFlutter ? "lib/amplify_outputs.dart" : "amplify_outputs.json")]
        case .version1(let project):
            // No folder is made for them.
            return Self.outputs(of: project).filter { Self.hasFolder($0) }
        }
    }

    /// The warning about a missing folder that the project names for its app's files.
    var outputsWarning: String? {
        guard case .version1(let project) = kind, let key = project.frontend?.folderKey,
            let file = Self.outputs(of: project).first(where: { !Self.hasFolder($0) }),
            let folder = Self.folder(of: file)
        else { return nil }
        let place = ProjectLayout.shortened("\(project.folder)/\(Version1Project.frontendFile)")
        return
            "\(place): \(key) leads to the folder \(folder), which is not there, so no file is written by which the app finds the "
            + "server; make the folder, or name a file with --outputs"
    }

    private static func outputs(of project: Version1Project) -> [String] {
        let root = String(project.folder.dropLast(Version1Project.usualFolder.utf8.count))
        return (project.frontend?.files ?? []).flatMap { spellings(of: root + $0) }
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

    /// Where the project is deployed, as far as its files say it, and which does: the names of its pools begin with it.
    var region: (name: String, file: String)? {
        switch kind {
        case .none: nil
        case .version1(let project): project.region
        case .version2(let reading, let folder):
            reading.added.value["geo"]?["aws_region"]?.string.map { ($0, "\(folder)/backend.ts") }
        }
    }

    /// True if the project has a place for files.
    var hasFiles: Bool { if case .none = storage { false } else { true } }

    var storage: ProjectStorage {
        switch kind {
        case .none: .none
        case .version1(let project):
            isRefused ? .refused : project.storage.map(ProjectStorage.version1) ?? .none
        case .version2(let reading, let folder):
            if reading.isRefused {
                .refused
            } else if reading.storages.isEmpty,
                Project.program("storage/resource", in: folder, ProjectReading.surroundings) == nil
            {
                .none
            } else {
                // A place for files that nothing leads to is nobody's.
                .version2(reading.storages)
            }
        }
    }

    /// The error that ends a command or a start over a refused project, after its report.
    static let refusal = UnreadableSchema(
        .configuration,
        "the project has errors, so nothing that it says of sign-in and files is known; mend them, and `homeport check` tells when "
            + "all is well")

    /// The files of a configuration's project.
    static func storage(of resolution: ConfigurationResolver.Resolution) throws(StartError) -> ProjectStorage {
        guard resolution.configuration.files.buckets.isEmpty else { return .none }
        do throws(UnreadableSchema) { return try resolution.foundProject().resources.get().storage } catch {
            throw StartError(error.code, error.description)
        }
    }

    /// The topics that it makes, with the functions that follow them.
    var topics: [TopicResource] { if case .version2(let reading, _) = kind { reading.topics } else { [] } }

    /// The notes on its files.
    var diagnostics: [Diagnostic] {
        switch kind {
        case .none: []
        case .version1(let project): project.problems
        case .version2(let reading, _): reading.diagnostics
        }
    }

    /// True if clients are told of an API: there is a schema, and the project does not leave it out.
    var hasData: Bool {
        guard hasSchema else { return false }
        return if case .version2(let reading, _) = kind { reading.hasData ?? true } else { true }
    }

    /// Its additions to the file for clients, with their deployed values, and the warnings about those without a value here.
    func added(_ values: ProjectValues) -> (parts: OutputParts, warnings: [Diagnostic]) {
        guard case .version2(let reading, _) = kind else { return (OutputParts(), []) }
        // Everybody who has the app can read the file.
        return reading.added { $0.hasSecret ? nil : try? values.text(of: $0) }
    }
}
