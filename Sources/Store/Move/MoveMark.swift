import Crypto
import JSON

/// The mark in a database to which another one is moved: which one that is, and how far the move is. It is written in the transactions of the
/// rows, so it is never ahead of them. A database with a mark that is not whole has no layout yet, and nobody serves it.
struct MoveMark: Sendable, Equatable {
    /// The part of the move that is done next.
    enum Part: String, Sendable {
        case rows, indexes, check, whole
    }

    /// Tells the database that is moved from all others, wherever it lies.
    let source: String
    /// Tells its states apart.
    let state: String
    /// The source for people.
    let shown: String
    var part = Part.rows
    /// The table that is filled. Those before it, in the order of their names, are.
    var table = ""
    /// The key of its last row; empty: none.
    var key: [StoredValue] = []
    /// All rows that came, and values in which U+0000 was replaced.
    var rowCount: Int64 = 0
    var replacedCount: Int64 = 0

    init(of source: String, at state: String, shown: String) {
        (self.source, self.state, self.shown) = (source, state, shown)
    }

    /// The name of a database, whatever its place: it has one secret for ever.
    static func name(ofKey key: [UInt8]) -> String {
        Hexadecimal.text(of: Array(HMACSHA256.code(of: Array("moved database".utf8), key: key).prefix(16)))
    }

    // MARK: In the database

    static func found(in connection: borrowing Connection) throws(StoreError) -> MoveMark? {
        guard case .text(let text)? = try SettingsTable.value(.move, in: connection) else { return nil }
        guard let json = try? JSONReader.value(of: text), let mark = MoveMark(json: json) else {
            throw StoreError(
                .unknownFormat,
                "database \(connection.path): a move to it was begun by another version of Homeport. Complete it with that one, or "
                    + "drop the database and move again")
        }
        return mark
    }

    /// Refuses a database to which a move is under way.
    static func demandWhole(in connection: borrowing Connection) throws(StoreError) {
        guard let mark = try found(in: connection), mark.part != .whole else { return }
        throw StoreError(
            .cannotOpen,
            "database \(connection.path): the move of \(mark.shown) to it has not ended. Run homeport move again, or drop this "
                + "database")
    }

    func write(in connection: borrowing Connection) throws(StoreError) {
        try SettingsTable.set(.move, to: .text(JSONWriter.text(of: json)), in: connection)
    }

    private var json: JSONValue {
        .object(
            JSONObject([
                ("source", .string(source)), ("state", .string(state)), ("from", .string(shown)),
                ("part", .string(part.rawValue)), ("table", .string(table)), ("key", .array(key.map(Self.json))),
                ("rows", .integer(rowCount)), ("replaced", .integer(replacedCount)),
            ]))
    }

    private init?(json: JSONValue) {
        guard let source = json["source"]?.string, let state = json["state"]?.string, let shown = json["from"]?.string,
            let part = json["part"]?.string.flatMap(Part.init(rawValue:)), let table = json["table"]?.string,
            let members = json["key"]?.array, let rowCount = json["rows"]?.integer,
            let replacedCount = json["replaced"]?.integer
        else { return nil }
        (self.source, self.state, self.shown) = (source, state, shown)
        (self.part, self.table, self.rowCount, self.replacedCount) = (part, table, rowCount, replacedCount)
        for member in members {
            guard let value = Self.value(of: member) else { return nil }
            key.append(value)
        }
    }

    /// A value of a key. Texts are bytes: one of a file may have U+0000, which no text of a server has.
    private static func json(of value: StoredValue) -> JSONValue {
        switch value {
        case .null: .null
        case .integer(let integer): .integer(integer)
        case .real(let real): .double(real)
        case .text(let text): .object(JSONObject([("text", .string(Hexadecimal.text(of: Array(text.utf8))))]))
        case .utf8(let bytes): .object(JSONObject([("text", .string(Hexadecimal.text(of: bytes)))]))
        case .blob(let bytes): .object(JSONObject([("bytes", .string(Hexadecimal.text(of: bytes)))]))
        }
    }

    private static func value(of json: JSONValue) -> StoredValue? {
        switch json {
        case .null: return .null
        case .integer(let integer): return .integer(integer)
        case .double(let real): return .real(real)
        default:
            if let text = json["text"]?.string { return Hexadecimal.bytes(of: text.utf8).map { .utf8($0) } }
            return json["bytes"]?.string.flatMap { Hexadecimal.bytes(of: $0.utf8) }.map { .blob($0) }
        }
    }
}
