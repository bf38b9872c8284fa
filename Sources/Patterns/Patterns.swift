// Patterns: Java's regular expressions, bounded in time and memory whatever the pattern and the text. This is the
// room's front page.
//
//     pattern ─▶ PatternSource ─▶ PatternParser ─▶ PatternNode ─▶ PatternCompiler ─▶ PatternProgram
//                (\Q…\E undone)   (Java's syntax)   (a tree)                            │
//     text ─▶ PatternText ─▶ StateSimulation (all that is regular: one pass, no going back)
//                        └─▶ Backtracker (back references, look-around, atomic groups: steps are counted)
//
// `Pattern` asks whether a whole text matches. `PatternFinder` finds matches within one, with the backtracking matcher: what is found
// depends on the order of the ways, and on what groups have matched.
//
// It imports no other room, since rooms that may not import each other need the same matcher: `Engine` for
// `@validate(type: matches)`, `Access` for the clients and tokens that a configuration admits, `Server` to say what is
// wrong with a configuration's pattern. `Unicode/` holds what Java knows of code points. All limits stand in
// `PatternLimits`.
