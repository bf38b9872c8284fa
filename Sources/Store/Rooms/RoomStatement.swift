/// A statement over tables that another room owns and that lie beside the models' (`_homeport_…`).
///
/// Its text is a literal of that room: nothing that comes with a request can become a part of it. Values are bound.
///
/// SQLite and PostgreSQL take the same text, but for types, parameters and a few words, which `ServerText` knows. Where no text can be both,
/// as of a trigger, a statement has two.
package struct RoomStatement: Sendable {
    let sql: SQLText

    /// - Parameters:
    ///   - server: PostgreSQL's own text. Its parameters and types are written as SQLite's are.
    ///   - isOpen: the rows have no LIMIT, and their reader ends the walk. A server hands them over piece by piece.
    package init(_ text: StaticString, server: StaticString? = nil, isOpen: Bool = false) {
        sql = SQLText(text, server: server, isOpen: isOpen)
    }
}
