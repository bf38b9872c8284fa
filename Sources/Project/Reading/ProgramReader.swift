import Blueprint

/// The functions by which programs of a project are run: those of the room Programs (`Programs.reader`).
///
/// The command line gives them to the server with its configuration. So the server depends on what projects say, and not on how their
/// programs are read.
package struct ProgramReader: Sendable {
    /// A schema in TypeScript: its file, and the text in it.
    package typealias Schema = (file: String, bytes: [UInt8])

    /// Runs the programs of a Gen 2 project, each once. The schema is that of the project, where it is in TypeScript.
    package let project: @Sendable (_ folder: String, Schema?, ProgramSurroundings) -> Project
    /// Runs the file of a schema that belongs to no such project.
    package let schema: @Sendable (Schema, ProgramSurroundings) -> TypeScriptSchema
    /// Runs `override.ts` of a Gen 1 project's sign-in.
    package let signInOverride:
        @Sendable (_ file: String, AuthResource, ProgramSurroundings) -> (auth: AuthResource, diagnostics: [Diagnostic])
    /// Runs `override.ts` of other resources.
    package let override: @Sendable (_ file: String, ProgramSurroundings) -> (hidesSchema: Bool, problems: [Diagnostic])

    package init(
        project: @escaping @Sendable (_ folder: String, Schema?, ProgramSurroundings) -> Project,
        schema: @escaping @Sendable (Schema, ProgramSurroundings) -> TypeScriptSchema,
        signInOverride:
            @escaping @Sendable (
                _ file: String, AuthResource, ProgramSurroundings
            ) -> (auth: AuthResource, diagnostics: [Diagnostic]),
        override:
            @escaping @Sendable (_ file: String, ProgramSurroundings) -> (hidesSchema: Bool, problems: [Diagnostic])
    ) {
        (self.project, self.schema) = (project, schema)
        (self.signInOverride, self.override) = (signInOverride, override)
    }
}
