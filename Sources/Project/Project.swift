/// What an Amplify project says beside its data model: this is the room's front page.
///
/// A Gen 2 project is a folder of programs. `TypeScript/` runs them in the room Script and keeps what they define; a Gen 1
/// project is a folder of JSON files and CloudFormation templates, which the `Version1…` types read. Both give the same values.
///
///     amplify/backend.ts ─ AuthReading ─┬─► sign-in, buckets, functions, queues, rules, topics, tables, state machines
///                                       └─► TypeScriptSchema: a document in SDL, which Blueprint reads
///     amplify/backend/… (Gen 1) ─ Version1Auth, Version1Function, Version1Storage, StackTemplate ─► the same
///
/// `TypeScript/` has the builders (`a.model`, `defineAuth`, ...) and the CDK's constructs as objects of the host, `SignIn/` how
/// people sign in, `Storage/` who may do what with files, and `Functions/` the functions and what they work with.
///
/// Each program runs once (`AuthReading.read`), and all that it says is read in that run. The schema is read at the call of
/// `defineBackend`, so that what the program does afterwards is no part of it.
///
/// The room Server lays its configuration over these values. Nothing here opens a file: `ProgramSurroundings` gives programs
/// the files that they may read. A file that cannot be read is refused with its place; it never counts as one that says nothing.
package enum Project {}
