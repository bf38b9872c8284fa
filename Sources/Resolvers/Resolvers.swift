// Resolvers: the code that an app's developers write for fields, as AppSync runs it. This is the room's front page.
//
//     text ─▶ ResolverCode ─▶ run(.request, ResolverContext)  ─▶ ResolverOutcome
//             (read once)     run(.response, ResolverContext)
//
// - `ResolverCode` is what resolvers in both languages have in common: it is read once, and each handler runs afresh.
// - `ResolverContext` is what a handler is told, `ResolverOutcome` what comes of it: a value, a stash, errors, lines of a log, filters.
//
// - `JavaScript/` is the runtime APPSYNC_JS, on the room Script: what reads a text, AppSync's lint with a rule a file, and what runs
//   a handler in a realm that serves one after the other.
// - `Velocity/` is what mapping templates run on: a tree for each, and values that behave like Java's, with their methods.
// - `Library/` is what code in either language finds as `util`, `extensions` and modules.
// - `Tables/` makes what handlers ask of a table into calls of DynamoDB's API, and its answers into what they get.
//
// The room knows nothing of a project, a schema, a data source or a request: it is told all that handlers can see.
