import Blueprint
import Project

/// The project of a configuration, found and read once: a start, a check, each change and each command make one and hand it on. Its
/// programs run here and nowhere else.
package final class FoundProject: Sendable {
    let place: SchemaPlace
    /// The schema in TypeScript; nil: the schema is in SDL, or there is none.
    let schema: Result<TypeScriptSchema, UnreadableSchema>?
    /// All that the project says beside it, or the reason why that cannot be read.
    let value: Result<Project, UnreadableSchema>

    private init(
        _ place: SchemaPlace, _ schema: Result<TypeScriptSchema, UnreadableSchema>?,
        _ value: Result<Project, UnreadableSchema>
    ) {
        (self.place, self.schema, self.value) = (place, schema, value)
    }

    /// The project of the configured schema, or the one in the current folder. Throws where there is neither.
    package static func find(_ configured: String?, _ programs: ProgramReader) throws(UnreadableSchema) -> FoundProject
    {
        let place = try SchemaPlace.find(configured)
        let surroundings = ProjectReading.surroundings
        let text = place.typeScriptFile.map { file in
            (file: file, bytes: Result { () throws(UnreadableSchema) in try ProjectReading.source(file).bytes })
        }
        func schema(_ project: Project? = nil) -> Result<TypeScriptSchema, UnreadableSchema>? {
            text.map { text in
                text.bytes.map { project?.schema ?? programs.schema((text.file, $0), surroundings) }
            }
        }
        if let folder = place.gen2Folder {
            let asked = text.flatMap { text in (try? text.bytes.get()).map { (file: text.file, bytes: $0) } }
            var project = programs.project(folder, asked, surroundings)
            project.hasSchema = place.hasSchema
            return FoundProject(place, schema(project), .success(project))
        }
        let value = Result { () throws(UnreadableSchema) in
            let folder = place.hasSchema ? Version1Project.folder(ofSchema: place.name) : place.folder
            var project = Project()
            if let folder { project = try Project(version1: folder, programs) }
            project.hasSchema = place.hasSchema
            return project
        }
        return FoundProject(place, schema(), value)
    }

    /// A configuration with all that its project says; the same where there is no project. Throws where the project is refused: nothing
    /// that it says of rights is known then.
    package static func applied(
        to resolution: ConfigurationResolver.Resolution, _ output: CommandOutput
    ) throws(UnreadableSchema) -> ConfigurationResolver.Resolution {
        guard let project = try? resolution.findProject() else { return resolution }
        let value = try project.value.get()
        guard !value.isRefused else {
            ShownDiagnostics.report(value.diagnostics.filter(\.isError), output)
            if resolution.configuration.schema == nil, let beside = project.place.version1Beside {
                ShownDiagnostics.report([beside], output)
            }
            throw Project.refusal
        }
        return resolution.taking(project)
    }
}

extension ConfigurationResolver.Resolution {
    /// The project that the configuration has taken; where it has taken none so far, the one that its schema leads to.
    func foundProject() throws(UnreadableSchema) -> FoundProject {
        if let project { return project }
        return try findProject()
    }

    /// The project that its schema leads to, read anew.
    package func findProject() throws(UnreadableSchema) -> FoundProject {
        try FoundProject.find(configuration.schema, given.programs)
    }
}
