import Blueprint
import Engine
import Glibc
import GraphQL
import Network

/// A project's schema as it was read: the blueprint and the API, unless it is refused, and all that is to be said of it.
package struct ProjectSchema: Sendable {
    package let files: [String]
    /// Where it was found: a file or a folder.
    package let place: String
    /// The texts that positions in the blueprint are in.
    let sources: [Source]
    /// Errors, warnings and notes, in the order in which the transformer would come to them.
    package let diagnostics: [Diagnostic]
    /// Nil when there are errors.
    package let api: APISchema?
    package let blueprint: Blueprint?
    /// What people call the functions that Amplify gives names of its own, by the name in the schema.
    package let givenNames: [String: String]
    /// Why files that handlers name are not found: what stands in the way of deploying the schema, but not of serving it.
    let missingFiles: [Diagnostic]

    /// All files of a schema together.
    private static let bytesMax = 4 << 20

    /// Finds the schema of a configuration, reads it, and makes its API. `whenRead` is told of the blueprint when the
    /// API is still to be made, and may yet be refused.
    package static func read(
        _ resolution: ConfigurationResolver.Resolution, whenRead: (Blueprint) -> Void = { _ in }
    ) throws(UnreadableSchema) -> ProjectSchema {
        let place = try SchemaPlace.find(resolution.configuration.schema)
        if let file = typeScriptFile(of: place) {
            let schema = try typeScript(file)
            let settings = try ProjectSettings.settings(resolution, over: schema.settings)
            let reading = schema.reading(settings: settings)
            let check = SchemaCheck(of: reading, in: schema.sources, whenRead: whenRead)
            return ProjectSchema(
                check, schema.files, at: place.name, schema.sources, givenNames: schema.givenNames,
                missingFiles: schema.missingFiles)
        }
        let project = try ProjectSettings.settings(resolution, in: place.folder)
        let sources = try sources(of: place)
        let handlers = ProjectHandlers.handlers(beside: place.folder)
        let check = SchemaCheck(
            of: sources, settings: project.settings, handlers: handlers, whenRead: whenRead)
        return ProjectSchema(check, place.files, at: place.name, sources, notes: project.notes)
    }

    /// The schema as Amplify's SDL with directives, or what is wrong with it: of a schema in TypeScript what it stands
    /// for, of one in SDL that itself.
    package static func amplify(
        _ resolution: ConfigurationResolver.Resolution
    ) throws(UnreadableSchema) -> (text: String?, diagnostics: [Diagnostic]) {
        let place = try SchemaPlace.find(resolution.configuration.schema)
        if let file = typeScriptFile(of: place) {
            let schema = try typeScript(file)
            return (schema.document?.printed, schema.diagnostics)
        }
        let (document, diagnostics) = SDLReader.document(of: try sources(of: place))
        return (document?.printed, diagnostics)
    }

    /// What the schema asks of an engine; nil when it has errors. Throws what is wrong with it where Amplify's
    /// transformer lets pass what AppSync refuses.
    func design(_ settings: EngineSettings) throws(SchemaErrors) -> EngineDesign? {
        guard let api, let blueprint else { return nil }
        return try EngineDesign(api, of: blueprint, settings)
    }

    /// What is said of a schema whose API AppSync would refuse: the same at a start as in a check.
    static func refusal(_ errors: SchemaErrors) -> Diagnostic {
        Diagnostic(severity: .error, message: "AppSync would refuse the API of this schema: \(errors)")
    }

    // MARK: TypeScript

    private static let typeScriptEndings = [".ts", ".mts", ".js", ".mjs"]

    private static func typeScriptFile(of place: SchemaPlace) -> String? {
        place.files.first { file in typeScriptEndings.contains { file.hasSuffix($0) } }
    }

    private static func typeScript(_ file: String) throws(UnreadableSchema) -> TypeScriptSchema {
        let source = try source(file, bytesMax: bytesMax)
        return TypeScriptSchema.read(file, source.bytes, in: surroundings)
    }

    private static var surroundings: ProgramSurroundings {
        ProgramSurroundings(
            currentFolder: currentFolder, environment: ProcessEnvironment.variables,
            exists: { access($0, F_OK) == 0 },
            // What a schema's program prints is no part of what a command prints.
            console: { line in CommandOutput.process.report(line) },
            load: { name in
                // A folder can be opened like a file, and cannot be read.
                try? SmallFile.read(name, bytesMax: bytesMax)
            })
    }

    private static var currentFolder: String {
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

    private init(
        _ check: SchemaCheck, _ files: [String], at place: String, _ sources: [Source],
        givenNames: [String: String] = [:], missingFiles: [Diagnostic] = [], notes: [Diagnostic] = []
    ) {
        self.files = files
        self.place = place
        self.sources = sources
        self.givenNames = givenNames
        self.missingFiles = missingFiles
        (diagnostics, api, blueprint) = (notes + check.diagnostics, check.api, check.blueprint)
    }

    private static func source(_ file: String, bytesMax: Int) throws(UnreadableSchema) -> Source {
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
