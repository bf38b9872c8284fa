import Blueprint
import Glibc
import GraphQL
import Network
import Project

/// A project's schema as its author wrote it: its blueprint, unless it is refused, of which no API is made yet.
package struct ProjectReading: Sendable {
    let files: [String]
    /// Where it was found: a file or a folder.
    package let place: String
    /// The texts that positions in the blueprint are in.
    let sources: [Source]
    /// The blueprint, and what is to be said of it.
    let reading: Reading
    /// The notes on the project around it.
    let notes: [Diagnostic]
    /// People's names for functions that Amplify names itself, by the name in the schema.
    let givenNames: [String: String]
    /// The rights of functions at the API, by their names; the schema names no others.
    let functionGrants: [String: DataOperations]
    /// Why files that handlers name are not found: what stands in the way of deploying the schema, but not of serving it.
    let missingFiles: [Diagnostic]

    /// The modes that the project itself says, without the one of the built-in user pool.
    let ownModes: [AuthMode]
    /// The meaning of a schema in TypeScript.
    let written: Document?

    /// All files of a schema together.
    private static let bytesMax = 4 << 20

    /// Reads the schema of a configuration's project.
    init(_ resolution: ConfigurationResolver.Resolution) throws(UnreadableSchema) {
        let project = try resolution.foundProject()
        let place = project.place
        self.place = place.name
        let schema = try project.schema?.get()
        guard place.hasSchema, schema?.isLeftOut != true else {
            notes = schema?.diagnostics.map { Diagnostic(asWarning: $0) } ?? []
            (files, sources, givenNames, missingFiles) = ([], [], [:], [])
            (functionGrants, written) = ([:], nil)
            let settings = try Self.settingsWithoutAPI(resolution, of: project)
            reading = Reading(blueprint: .withoutAPI(settings), diagnostics: [])
            ownModes = []
            return
        }
        if let schema {
            (files, sources) = (schema.files, schema.sources)
            (givenNames, missingFiles) = (schema.givenNames, schema.missingFiles)
            functionGrants = schema.functionGrants
            let settings = try ProjectSettings.settings(resolution, over: schema.settings)
            reading = schema.reading(settings: settings)
            ownModes = resolution.setsModes ? settings.modes : schema.settings.modes
            written = schema.document
            let isRefused = reading.diagnostics.contains(where: \.isError)
            let beside = isRefused && resolution.configuration.schema == nil ? place.version1Beside : nil
            notes = schema.warnings + [beside].compactMap { $0 }
        } else {
            let project = try ProjectSettings.settings(resolution, in: place.folder)
            (files, sources) = (place.files, try Self.sources(of: place))
            (givenNames, missingFiles) = ([:], [])
            functionGrants = [:]
            var handlers = ProjectHandlers.handlers(beside: place.folder)
            var found = SDLReader.read(sources, settings: project.settings, handlers: handlers)
            let unused = ProjectHandlers.unused(handlers, in: found.blueprint)
            if !unused.isEmpty {
                handlers.removeAll(where: unused.contains)
                found = SDLReader.read(sources, settings: project.settings, handlers: handlers)
            }
            reading = found
            notes = project.notes + unused.map(ProjectHandlers.warning(ofUnused:))
            (ownModes, written) = (project.ownModes, nil)
        }
    }

    /// True if the project has an API.
    var hasAPI: Bool { !files.isEmpty }

    /// The message for callers of the API of a project that has none.
    static func noAPI(_ place: String) -> String {
        if place.contains(bytesOf: "data/resource.") {
            return "the project of \(place) defines no API: defineBackend is given no data"
        }
        let missing =
            place.hasSuffix(".json")
            ? "\(Version1Project.usualFolder)/api/NAME/schema.graphql" : SchemaPlace.usualPlaces[0]
        return "the project of \(place) defines no API: there is no \(missing)"
    }

    /// Users of the pool and of its identities are whom a project without an API knows.
    private static func settingsWithoutAPI(
        _ resolution: ConfigurationResolver.Resolution, of project: FoundProject
    ) throws(UnreadableSchema) -> Settings {
        if case .success(let value) = project.value, value.hasData == true {
            throw UnreadableSchema(
                .unreadableInput,
                "\(project.place.name) gives defineBackend an API, and there is no \(SchemaPlace.usualPlaces[0]): name the file of "
                    + "defineData with --schema")
        }
        var settings = Settings()
        (settings.defaultMode, settings.additionalModes) = (.userPools, [.iam])
        return try ProjectSettings.settings(resolution, over: settings)
    }

    /// The schema in Amplify's SDL with directives; nil when it cannot be read.
    var document: Document? { written ?? SDLReader.document(of: sources).document }

    /// The schema as Amplify's SDL with directives, or what is wrong with it: of a schema in TypeScript what it stands
    /// for, of one in SDL that itself.
    static func amplify(
        _ resolution: ConfigurationResolver.Resolution
    ) throws(UnreadableSchema) -> (text: String?, diagnostics: [Diagnostic]) {
        let project = try resolution.foundProject()
        let place = project.place
        guard place.hasSchema else { throw UnreadableSchema(.unreadableInput, noAPI(place.name)) }
        if let schema = try project.schema?.get() { return (schema.document?.printed, schema.diagnostics) }
        let (document, diagnostics) = SDLReader.document(of: try sources(of: place))
        return (document?.printed, diagnostics)
    }

    // MARK: TypeScript

    /// The surroundings of a project's programs.
    static var surroundings: ProgramSurroundings {
        let variables = ProcessEnvironment.variables
        return ProgramSurroundings(
            currentFolder: currentFolder, environment: ProgramVariables.given(of: variables),
            exists: { access($0, F_OK) == 0 },
            realPath: { path in
                guard let real = realpath(path, nil) else { return nil }
                defer { free(real) }
                return String(cString: real)
            },
            names: { folder in FileStatus.isFolder(folder) ? ProjectFile.names(in: folder) : nil },
            missingVariable: { name in
                if variables[name] != nil { ProgramVariables.tell(of: name) }
            },
            // What a schema's program prints is no part of what a command prints.
            console: { line in CommandOutput.process.report(line) },
            load: { name in
                // A folder can be opened like a file, and cannot be read.
                try? SmallFile.read(name, bytesMax: bytesMax)
            })
    }

    static var currentFolder: String {
        guard let path = getcwd(nil, 0) else { return "/" }
        defer { free(path) }
        return String(cString: path)
    }

    // MARK: SDL

    private static func sources(of place: SchemaPlace) throws(UnreadableSchema) -> [Source] {
        var sources: [Source] = []
        var bytes = 0
        for file in place.files {
            let source = try Self.source(file, bytesMax: bytesMax - bytes)
            bytes += source.bytes.count
            sources.append(source)
        }
        return sources
    }

    /// A file of a schema, within the limit.
    static func source(_ file: String, bytesMax: Int = bytesMax) throws(UnreadableSchema) -> Source {
        do throws(SystemError) {
            return Source(try SmallFile.read(file, bytesMax: bytesMax), name: file)
        } catch {
            let reason =
                switch error.code {
                case EFBIG: "the schema has more than \(Self.bytesMax) bytes"
                case SmallFile.notAFile: "it is a pipe or a device, expected a file"
                default: String(cString: strerror(error.code))
                }
            throw UnreadableSchema(.unreadableInput, "cannot read the schema \(file): \(reason)")
        }
    }
}
