import Blueprint

/// What the project around a schema has beside it: sign-in, files, and what it adds for clients.
package struct ProjectResources: Sendable {
    enum Kind: Sendable {
        /// A schema that lies in no project.
        case none
        case version1(Version1Project)
        case version2(AuthReading, folder: String)
    }

    let kind: Kind
    /// Whether there is a schema.
    let hasSchema: Bool

    /// Those of the project of a configuration's schema, or of the project that stands here without one.
    static func find(_ configured: String?) throws(UnreadableSchema) -> ProjectResources {
        let failure: UnreadableSchema
        do throws(UnreadableSchema) {
            return ProjectResources(kind: try kind(at: try SchemaPlace.find(configured)), hasSchema: true)
        } catch {
            failure = error
        }
        // A project may have sign-in and nothing else.
        let folder = SchemaPlace.gen2Folder
        guard configured == nil else { throw failure }
        if AuthReading.isProject(folder, in: ProjectReading.surroundings) {
            return ProjectResources(kind: version2(folder), hasSchema: false)
        }
        guard Version1Project.isThere(Version1Project.usualFolder) else { throw failure }
        let project = try Version1Project(Version1Project.usualFolder)
        if let api = project.api {
            throw UnreadableSchema(
                failure.code,
                "the project has an API called \(api), and there is no schema in \(project.folder)/api/\(api)")
        }
        return ProjectResources(kind: .version1(project), hasSchema: false)
    }

    private static func kind(at place: SchemaPlace) throws(UnreadableSchema) -> Kind {
        if let folder = place.gen2Folder { return version2(folder) }
        guard let folder = Version1Project.folder(ofSchema: place.name) else { return .none }
        return .version1(try Version1Project(folder))
    }

    private static func version2(_ folder: String) -> Kind {
        .version2(AuthReading.read(folder, in: ProjectReading.surroundings), folder: folder)
    }

    /// How people sign in; nil: the project has no sign-in, or does not say.
    var signIn: AuthResource? {
        switch kind {
        case .none: nil
        case .version1(let project): project.auth?.resource
        case .version2(let reading, _): reading.auth
        }
    }

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
            let root = String(project.folder.dropLast(Version1Project.usualFolder.utf8.count))
            // No folder is made for them.
            return (project.frontend?.files ?? []).map { root + $0 }.filter { file in
                guard let slash = file.lastIndex(of: "/") else { return true }
                return ProjectReading.surroundings.exists(String(file[..<slash]))
            }
        }
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

    var storage: ProjectStorage {
        switch kind {
        case .none: .none
        case .version1(let project): project.storage.map(ProjectStorage.version1) ?? .none
        case .version2(let reading, _):
            reading.isRefused ? .refused : reading.storages.isEmpty ? .none : .version2(reading.storages)
        }
    }

    /// A configuration with what its project says of sign-in and of functions. A project that cannot be read says nothing: whoever needs it
    /// says why.
    package static func applied(
        to resolution: ConfigurationResolver.Resolution
    ) -> ConfigurationResolver.Resolution {
        guard let resources = try? find(resolution.configuration.schema) else { return resolution }
        return resolution.taking(resources)
    }

    /// What the project of a configuration says of files.
    static func storage(of configuration: Configuration) throws(StartError) -> ProjectStorage {
        guard configuration.files.buckets.isEmpty else { return .none }
        do throws(UnreadableSchema) { return try find(configuration.schema).storage } catch {
            throw StartError(error.code, error.description)
        }
    }

    /// The topics that it makes, with the functions that follow them.
    var topics: [TopicResource] { if case .version2(let reading, _) = kind { reading.topics } else { [] } }

    /// What is to be said of its files.
    var diagnostics: [Diagnostic] {
        if case .version2(let reading, _) = kind { reading.diagnostics } else { [] }
    }

    /// Whether it has an API; nil where it does not say.
    var hasData: Bool? { if case .version2(let reading, _) = kind { reading.hasData } else { nil } }

    /// What it adds to the file for clients, with what a deployment would make of it, and what is said of what has nothing here.
    func added(_ values: ProjectValues) -> (parts: OutputParts, warnings: [Diagnostic]) {
        guard case .version2(let reading, _) = kind else { return (OutputParts(), []) }
        // Everybody who has the app can read the file.
        return reading.added { $0.hasSecret ? nil : try? values.text(of: $0) }
    }
}
