// Resolvers: the code that an app's developers write for fields, as AppSync runs it. This is the room's front page.
//
//     text ─▶ ResolverCode ─▶ run(.request, ResolverContext)  ─▶ ResolverOutcome
//             (read once)     run(.response, ResolverContext)
//
// - `ResolverCode` is what resolvers in both languages have in common: it is read once, and each handler runs afresh.
// - `ResolverContext` is what a handler is told, `ResolverOutcome` what comes of it: a value, a stash, errors, lines of a log, filters.
//
// `JavaScript/` is the runtime APPSYNC_JS, on the room Script: `Reading/` makes a program of a text, `Lint/` says what AppSync's own
// lint says of it, a rule a file, `Running/` evaluates a handler in a realm that serves one after the other.
// `Velocity/` runs mapping templates: `Syntax/` reads one into a tree, `Running/` runs it on `Values/`, which are Java's, with their
// `Methods/`; its `Library/` is what only templates have. `Library/` is what code in either language finds as `util`, `extensions` and
// modules. `Tables/` makes what handlers ask of a table into calls of DynamoDB's API, and its answers into what they get.
//
// The room knows nothing of a project, a schema, a data source or a request: it is told all that handlers can see.
