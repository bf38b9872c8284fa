import Project

/// The programs of a project, run in the room Script: this is the room's front page.
///
///     amplify/backend.ts ─ Project.read ─┬─► sign-in, buckets, functions, queues, rules, topics, tables, state machines
///                                        └─► TypeScriptSchema: a document in SDL, which Blueprint reads
///
/// `Reading/` decides which programs are run and what becomes of a failure, `Program/` runs one with its modules. `Builders/` has
/// what Amplify's functions give (`a.model`, `defineAuth`, ...) as objects of the host, and `Document/` writes the SDL that they stand
/// for. `Resources/` reads the CDK's constructs, and what is done with them.
///
/// Each program runs once (`Project.read`), and all that it says is read in that run. The schema is read at the call of
/// `defineBackend`, so that what the program does afterwards is no part of it.
///
/// Nothing here opens a file: `ProgramSurroundings` gives programs the files that they may read. The values that come out are those of
/// the room Project. Only the command line imports this room, so that a change here builds little else.
package enum Programs {
    /// The functions by which the server reads projects.
    package static let reader = ProgramReader(
        project: { Project.read($0, schema: $1, in: $2) },
        schema: { TypeScriptSchema.read($0.file, $0.bytes, in: $1) },
        signInOverride: { Version1Override.read($0, over: $1, in: $2) },
        override: { Version1Override.read($0, in: $1) })
}
