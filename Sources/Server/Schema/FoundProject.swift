import Blueprint
import Project

/// The project of a configuration, found and read once: a start, a check, each change and each command make one and hand it on. Its
/// programs run here and nowhere else.
package final class FoundProject: Sendable {
    let place: SchemaPlace
    /// The schema in TypeScript; nil: the schema is in SDL, or there is none.
    let schema: Result<TypeScriptSchema, UnreadableSchema>?
    /// The resources around the schema, or the reason why they cannot be read.
    let resources: Result<ProjectResources, UnreadableSchema>

    private init(
        _ place: SchemaPlace, _ schema: Result<TypeScriptSchema, UnreadableSchema>?,
        _ resources: Result<ProjectResources, UnreadableSchema>
    ) {
        (self.place, self.schema, self.resources) = (place, schema, resources)
    }

    /// The project of the configured schema, or the one in the current folder. Throws where there is neither.
    ///
    /// - Parameter console: takes what the project's programs print.
    package static func find(
        _ configured: String?,
        console: @escaping @Sendable (String) -> Void = { CommandOutput.process.report($0) }
    ) throws(UnreadableSchema) -> FoundProject {
        let place = try SchemaPlace.find(configured)
        var surroundings = ProjectReading.surroundings
        surroundings.console = console
        let text = place.typeScriptFile.map { file in
            (file: file, bytes: Result { () throws(UnreadableSchema) in try ProjectReading.source(file).bytes })
        }
        func schema(_ reading: AuthReading? = nil) -> Result<TypeScriptSchema, UnreadableSchema>? {
            text.map { text in
                text.bytes.map { reading?.schema ?? TypeScriptSchema.read(text.file, $0, in: surroundings) }
            }
        }
        if let folder = place.gen2Folder {
            let asked = text.flatMap { text in (try? text.bytes.get()).map { (file: text.file, bytes: $0) } }
            let reading = AuthReading.read(folder, schema: asked, in: surroundings)
            let resources = ProjectResources(kind: .version2(reading, folder: folder), hasSchema: place.hasSchema)
            return FoundProject(place, schema(reading), .success(resources))
        }
        let resources = Result { () throws(UnreadableSchema) in
            let folder = place.hasSchema ? Version1Project.folder(ofSchema: place.name) : place.folder
            let kind = try folder.map { (folder) throws(UnreadableSchema) in
                ProjectResources.Kind.version1(try Version1Project(folder))
            }
            return ProjectResources(kind: kind ?? .none, hasSchema: place.hasSchema)
        }
        return FoundProject(place, schema(), resources)
    }

    /// A configuration with all that its project says; the same where there is no project. Throws where the project is refused: nothing
    /// that it says of rights is known then.
    package static func applied(
        to resolution: ConfigurationResolver.Resolution, _ output: CommandOutput
    ) throws(UnreadableSchema) -> ConfigurationResolver.Resolution {
        guard let project = try? find(resolution.configuration.schema) else { return resolution }
        let resources = try project.resources.get()
        guard !resources.isRefused else {
            ShownDiagnostics.report(resources.diagnostics.filter(\.isError), output)
            if resolution.configuration.schema == nil, let beside = project.place.version1Beside {
                ShownDiagnostics.report([beside], output)
            }
            throw ProjectResources.refusal
        }
        return resolution.taking(project)
    }
}

extension ConfigurationResolver.Resolution {
    /// The project that the configuration has taken; where it has taken none so far, the one that its schema leads to.
    func foundProject() throws(UnreadableSchema) -> FoundProject {
        if let project { return project }
        return try FoundProject.find(configuration.schema)
    }
}
