import JSON
import Store

/// The table of the room, beside the models' in the same file, and the statements over it.
enum ParameterRows {
    static let tables = RoomTables(
        of: "parameters", turn: .settings,
        versions: [
            [
                // `kind` is 0 for a parameter, 1 for a secret, 2 for a former version; `content` is JSON, and `bytes` its length.
                RoomStatement(
                    """
                    CREATE TABLE _homeport_parameters (
                        kind INTEGER NOT NULL, name TEXT NOT NULL, bytes INTEGER NOT NULL, content TEXT NOT NULL,
                        PRIMARY KEY (kind, name)
                    ) STRICT, WITHOUT ROWID
                    """),
                // Lengths are added up without a look at what is long.
                RoomStatement("CREATE INDEX _homeport_parameters_bytes ON _homeport_parameters (kind, bytes)"),
            ]
        ])

    static let all = RoomStatement("SELECT name, content FROM _homeport_parameters WHERE kind = ?")
    static let between = RoomStatement(
        "SELECT name, content FROM _homeport_parameters WHERE kind = ? AND name > ? AND name < ?")
    static let removal = RoomStatement("DELETE FROM _homeport_parameters WHERE kind = ? AND name = ?")
    static let setting = RoomStatement(
        """
        INSERT INTO _homeport_parameters (kind, name, bytes, content) VALUES (?, ?, ?, ?)
        ON CONFLICT (kind, name) DO UPDATE SET bytes = excluded.bytes, content = excluded.content
        """)
    private static let one = RoomStatement("SELECT content FROM _homeport_parameters WHERE kind = ? AND name = ?")
    private static let sums = RoomStatement(
        "SELECT count(*) FILTER (WHERE kind = ?), coalesce(sum(bytes), 0) FROM _homeport_parameters")

    static func object(_ text: String) -> JSONObject { (try? JSONReader.value(of: text))?.object ?? JSONObject() }

    static func entry(
        _ kind: ParameterStore.Kind, _ name: String, in reader: some RoomReading
    ) throws(StoreError) -> JSONObject? {
        var entry: JSONObject?
        try reader.rows(one, [.integer(kind.rawValue), .text(name)]) { row throws(StoreError) in
            entry = object(row.text(0))
            return false
        }
        return entry
    }

    /// How many there are of a kind, and how long all of them are together.
    static func totals(
        in reader: some RoomReading, _ kind: ParameterStore.Kind?
    ) throws(StoreError) -> (count: Int, bytes: Int) {
        var totals = (count: 0, bytes: 0)
        try reader.rows(sums, [.integer(kind?.rawValue ?? -1)]) { row throws(StoreError) in
            totals = (Int(clamping: row.integer(0)), Int(clamping: row.integer(1)))
            return false
        }
        return totals
    }
}

extension RoomTables {
    /// The table of parameters and secrets.
    package static var ofParameters: [RoomTables] { [ParameterRows.tables] }
}
