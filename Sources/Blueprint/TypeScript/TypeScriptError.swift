import GraphQL

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
