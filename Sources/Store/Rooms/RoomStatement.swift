/// A statement over tables that another room owns and that lie beside the models' (`_homeport_…`).
///
/// Its text is a literal of that room: nothing that comes with a request can become a part of it. Values are bound.
package struct RoomStatement: Sendable {
    let sql: SQLText

    package init(_ text: StaticString) {
        sql = SQLText("\(text)")
    }
}
