import JSON

/// The trigger of a streamed table on a server, and the function that it calls.
///
///     change ─▶ trigger ─▶ is the table among those of this session? ─▶ images, number, row
///
/// PostgreSQL has no triggers of a session over lasting tables. So these stay in the database, and take down what a session changes that has said
/// so (`setting`): imports, migrations and other programs leave no changes behind, as in a file. Names of columns are in the function alone,
/// which looks at them when it runs: a table may change under it until the next start makes it anew.
enum ServerStream {
    /// The tables whose changes a session has taken down, with a comma before and behind each model.
    static let setting: StaticString = "homeport.streams"

    private static let functionText = SQLText(
        """
        SELECT prosrc FROM pg_proc WHERE proname = ? AND pronamespace =
            (SELECT oid FROM pg_namespace WHERE nspname = current_schema())
        """)
    private static let triggerCount = SQLText(
        """
        SELECT count(*) FROM pg_trigger JOIN pg_class ON pg_class.oid = pg_trigger.tgrelid
        WHERE tgname = ? AND relname = ? AND relnamespace =
            (SELECT oid FROM pg_namespace WHERE nspname = current_schema())
        """)

    /// Makes trigger and function, or brings them to the table as it is. Nothing is written where they are right already.
    static func make(for table: TableLayout, on connection: borrowing Connection) throws(StoreError) {
        let name = table.serverName(of: "_homeport_stream \(table.name)")
        let body = body(for: table)
        if try connection.value(functionText, [.text(name)]) != .text(body) {
            try connection.execute(
                "CREATE OR REPLACE FUNCTION \(SQLName.quoted(name))() RETURNS trigger LANGUAGE plpgsql AS "
                    + SQLName.literal(body))
        }
        if try connection.value(triggerCount, [.text(name), .text(table.name)]) == .integer(0) {
            try connection.execute(
                "CREATE TRIGGER \(SQLName.quoted(name)) AFTER INSERT OR UPDATE OR DELETE ON \(table.quotedName) "
                    + "FOR EACH ROW EXECUTE FUNCTION \(SQLName.quoted(name))()")
        }
    }

    /// The function's text. It is the server's own: no translation goes over it.
    private static func body(for table: TableLayout) -> String {
        let model = SQLName.literal(table.model)
        let columns = table.columns.map(\.name) + [SQLName.nulls]
        func row(_ row: String) -> String { columns.map { "\(row).\(SQLName.quoted($0))" }.joined(separator: ", ") }
        return """

            DECLARE
                entry bigint;
                image_before text;
                image_after text;
            BEGIN
                IF coalesce(strpos(current_setting('\(setting)', true), \(SQLName.literal(",\(table.model),"))), 0) = 0 THEN
                    RETURN NULL;
                END IF;
                IF TG_OP = 'UPDATE' THEN
                    IF ROW(\(row("OLD"))) IS NOT DISTINCT FROM ROW(\(row("NEW"))) THEN RETURN NULL; END IF;
                END IF;
                IF TG_OP <> 'INSERT' THEN image_before := \(TableImage.expression(of: table, row: "OLD")); END IF;
                IF TG_OP <> 'DELETE' THEN image_after := \(TableImage.expression(of: table, row: "NEW")); END IF;
                UPDATE _homeport_streams SET last = last + 1 WHERE model = \(model) RETURNING last INTO entry;
                IF entry IS NULL THEN RETURN NULL; END IF;
                IF entry - coalesce((SELECT min(number) FROM _homeport_stream_changes WHERE model = \(model)), entry)
                    >= \(StoreLimits.streamChangesMax) THEN
                    RAISE EXCEPTION '\(TableStreamRows.isFull)' USING ERRCODE = '\(StoreError.tooManyChangesState)';
                END IF;
                INSERT INTO _homeport_stream_changes (model, number, time, old, new)
                VALUES (\(model), entry, CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint), image_before, image_after);
                RETURN NULL;
            END
            """
    }
}
