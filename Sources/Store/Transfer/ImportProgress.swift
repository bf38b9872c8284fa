import JSON

/// How far an import has come. It is written in the transactions of the records, so it is never ahead of them.
struct ImportProgress: Sendable, Equatable {
    /// Nil for a stream, which cannot be gone back to.
    var file: FileIdentity?
    /// True if it fills a new database.
    var isSeed: Bool
    var offset = 0
    var lineCount = 0
    var createdCount = 0
    var presentCount = 0

    var json: JSONValue {
        var members: [(String, JSONValue)] = [
            ("seed", .bool(isSeed)), ("offset", .integer(Int64(offset))), ("lines", .integer(Int64(lineCount))),
            ("created", .integer(Int64(createdCount))), ("present", .integer(Int64(presentCount))),
        ]
        if let file {
            members += [
                ("path", .string(file.path)), ("bytes", .integer(Int64(file.byteCount))),
                ("modified", .integer(file.modified)),
            ]
        }
        return .object(JSONObject(members))
    }

    init(of file: FileIdentity?, isSeed: Bool) {
        self.file = file
        self.isSeed = isSeed
    }

    /// Reads what was written; nil for what this version cannot read, which starts an import anew.
    private init?(json: JSONValue) {
        guard let isSeed = json["seed"]?.bool, let offset = json["offset"]?.integer.flatMap({ Int(exactly: $0) }),
            let lineCount = json["lines"]?.integer.flatMap({ Int(exactly: $0) }),
            let createdCount = json["created"]?.integer.flatMap({ Int(exactly: $0) }),
            let presentCount = json["present"]?.integer.flatMap({ Int(exactly: $0) }), offset >= 0, lineCount >= 0
        else { return nil }
        self.isSeed = isSeed
        self.offset = offset
        self.lineCount = lineCount
        self.createdCount = createdCount
        self.presentCount = presentCount
        if let path = json["path"]?.string, let bytes = json["bytes"]?.integer.flatMap({ Int(exactly: $0) }),
            let modified = json["modified"]?.integer
        {
            file = FileIdentity(path: path, byteCount: bytes, modified: modified)
        }
    }

    /// The import that was not finished, if there is one.
    static func unfinished(in connection: borrowing Connection) throws(StoreError) -> ImportProgress? {
        guard case .text(let text)? = try SettingsTable.value(.importProgress, in: connection),
            let json = try? JSONReader.value(of: text)
        else { return nil }
        return ImportProgress(json: json)
    }
}

extension WriteSession {
    /// Notes how far an import is, or that it is done.
    func note(_ progress: ImportProgress?) throws(StoreError) {
        try noting { () throws(StoreError) in
            let value = progress.map { StoredValue.utf8(JSONWriter.bytes(of: $0.json)) } ?? .null
            try SettingsTable.set(.importProgress, to: value, in: connection)
        }
    }
}
