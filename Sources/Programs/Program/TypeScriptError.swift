import Blueprint
import GraphQL
import Project

/// Why a schema in TypeScript is refused: what is wrong, and where in which of its modules.
struct TypeScriptError: Error, Hashable {
    let message: String
    let position: Position
    var hint: String?

    init(_ message: String, at position: Position, hint: String? = nil) {
        self.message = message
        self.position = position
        self.hint = hint
    }
}

extension Diagnostic {
    /// What is wrong with a program, at its place in the sources.
    init(_ error: TypeScriptError, in sources: [Source]) {
        let number = error.position.isKnown ? error.position.source : 0
        guard sources.indices.contains(number) else {
            self.init(severity: .error, message: error.message, hint: error.hint)
            return
        }
        let position = error.position.isKnown ? error.position : Position(offset: 0, source: number)
        self.init(
            severity: .error, message: error.message, hint: error.hint, file: sources[number].name, at: position,
            in: LineMap(sources[number]))
    }
}
