import JSON
import Store

/// How far a move is, in the database that it fills: a row for each source of it, written in the transactions of what came from there.
enum MoveState {
    static let tables = RoomTables(
        of: "moving", turn: .models,
        versions: [
            [
                RoomStatement(
                    """
                    CREATE TABLE _homeport_moves (source TEXT PRIMARY KEY NOT NULL, content TEXT NOT NULL)
                    STRICT, WITHOUT ROWID
                    """),
                RoomStatement(
                    """
                    CREATE TABLE _homeport_move_extras (model TEXT NOT NULL, record TEXT NOT NULL,
                    attributes TEXT NOT NULL, PRIMARY KEY (model, record)) STRICT, WITHOUT ROWID
                    """),
            ]
        ])

    private static let selection = RoomStatement("SELECT content FROM _homeport_moves WHERE source = ?")
    private static let assignment = RoomStatement(
        """
        INSERT INTO _homeport_moves (source, content) VALUES (?, ?)
        ON CONFLICT (source) DO UPDATE SET content = excluded.content
        """)
    private static let extraInsertion = RoomStatement(
        """
        INSERT INTO _homeport_move_extras (model, record, attributes) VALUES (?, ?, ?)
        ON CONFLICT (model, record) DO UPDATE SET attributes = excluded.attributes
        """)
    private static let extra = RoomStatement(
        "SELECT attributes FROM _homeport_move_extras WHERE model = ? AND record = ?")

    /// The note about a source; nil for none.
    static func content(of source: String, in reading: some RoomReading) throws(StoreError) -> JSONObject? {
        guard try reading.has(tables) else { return nil }
        var found: JSONObject?
        try reading.rows(selection, [.text(source)]) { row throws(StoreError) in
            found = (try? JSONReader.value(of: row.text(0)))?.object
            return false
        }
        return found
    }

    static func note(_ content: JSONObject, of source: String, in session: WriteSession) throws(StoreError) {
        try session.change(assignment, [.text(source), .utf8(JSONWriter.bytes(of: .object(content)))])
    }

    static func keep(
        _ attributes: [UInt8], of record: String, model: String, in session: WriteSession
    ) throws(StoreError) {
        try session.change(extraInsertion, [.text(model), .text(record), .utf8(attributes)])
    }

    /// Attributes that the schema has no field for, kept for the way out.
    static func extras(
        of record: String, model: String, in reading: some RoomReading
    ) throws(StoreError) -> JSONObject? {
        var found: JSONObject?
        try reading.rows(extra, [.text(model), .text(record)]) { row throws(StoreError) in
            found = (try? JSONReader.value(of: row.text(0)))?.object
            return false
        }
        return found
    }

    private static let anyExtra = RoomStatement("SELECT 1 FROM _homeport_move_extras WHERE model = ? LIMIT 1")

    static func hasExtras(of model: String, in reading: some RoomReading) throws(StoreError) -> Bool {
        guard try reading.has(tables) else { return false }
        var isAny = false
        try reading.rows(anyExtra, [.text(model)]) { _ throws(StoreError) in
            isAny = true
            return false
        }
        return isAny
    }
}
