import JSON

/// The form of Cognito's own imports: rows of values with commas between them, of which the first names the attributes.
///
///     cognito:username,cognito:mfa_enabled,name,email,email_verified,phone_number,phone_number_verified
///     ann,FALSE,"Ann, of course",ann@example.com,TRUE,,FALSE
///
/// There are no passwords in it: who comes by it has to reset theirs. A comma in a value is written behind a backslash, or the
/// value between quotation marks.
struct UserTable: Sendable {
    private let names: [String]

    private static let username = "cognito:username"
    private static let secondFactor = "cognito:mfa_enabled"
    private static let columnsMax = 200

    /// The table of a first row.
    init(header bytes: [UInt8]) throws(UserEntry.Fault) {
        names = try Self.fields(of: bytes)
        guard names.contains(Self.username) else {
            throw UserEntry.Fault(
                "expected lines of JSON, or a row that names the columns, with \(Self.username) among them")
        }
        guard names.count <= Self.columnsMax else {
            throw UserEntry.Fault("a table has at most \(Self.columnsMax) columns")
        }
        guard Set(texts: names).count == names.count else { throw UserEntry.Fault("two columns have one name") }
    }

    /// The user of a further row.
    func entry(_ bytes: [UInt8]) throws(UserEntry.Fault) -> UserEntry {
        let values = try Self.fields(of: bytes)
        guard values.count == names.count else {
            throw UserEntry.Fault("the row has \(values.count) values, and the table \(names.count) columns")
        }
        var entry = UserEntry()
        entry.status = .mustReset
        for (name, value) in zip(names, values) where !value.isEmpty {
            switch name {
            case Self.username: entry.username = value
            case Self.secondFactor:
                // What is asked for then is the number.
                if try Self.flag(value, name) == "true" { entry.secondFactors.enabled = [.sms] }
            case "sub": entry.sub = value
            case "email_verified", "phone_number_verified":
                entry.attributes.set(name, to: .string(try Self.flag(value, name)))
            default: entry.attributes.set(name, to: .string(value))
            }
        }
        guard entry.secondFactors.enabled.isEmpty || entry.attributes["phone_number"] != nil else {
            throw UserEntry.Fault("\(Self.secondFactor) is true, and there is no phone_number to send codes to")
        }
        return entry
    }

    private static func flag(_ value: String, _ name: String) throws(UserEntry.Fault) -> String {
        switch value.lowercased() {
        case "true": "true"
        case "false": "false"
        default: throw UserEntry.Fault("\(name) is \"\(value)\", not true or false")
        }
    }

    // MARK: Rows

    /// Returns whether a value between quotation marks goes on in the next line.
    static func isOpen(_ bytes: [UInt8]) -> Bool {
        var index = 0
        // A mark within a value is a mark.
        var isAtStart = true
        while index < bytes.count {
            let byte = bytes[index]
            if byte == quote, isAtStart {
                index += 1
                while index < bytes.count, bytes[index] != quote || bytes.dropFirst(index + 1).first == quote {
                    index += bytes[index] == quote ? 2 : 1
                }
                guard index < bytes.count else { return true }
            } else if byte == backslash, isEscapable(bytes.dropFirst(index + 1).first) {
                index += 1
            }
            isAtStart = byte == comma
            index += 1
        }
        return false
    }

    private static func isEscapable(_ byte: UInt8?) -> Bool { byte == comma || byte == quote || byte == backslash }

    private static let quote = UInt8(ascii: "\"")
    private static let backslash = UInt8(ascii: "\\")
    private static let comma = UInt8(ascii: ",")

    /// The values of a row.
    static func fields(of bytes: [UInt8]) throws(UserEntry.Fault) -> [String] {
        var fields: [[UInt8]] = [[]]
        var index = 0
        let row = bytes.last == UInt8(ascii: "\r") ? bytes.dropLast() : bytes[...]
        while index < row.endIndex {
            let byte = row[index]
            let next = index + 1 < row.endIndex ? row[index + 1] : nil
            switch byte {
            case comma: fields.append([])
            case backslash where isEscapable(next):
                fields[fields.count - 1].append(next ?? comma)
                index += 1
            case quote where fields[fields.count - 1].isEmpty:
                index = try quoted(row, index + 1, into: &fields[fields.count - 1])
                guard index + 1 >= row.endIndex || row[index + 1] == comma else {
                    throw UserEntry.Fault("something follows a value behind its quotation mark")
                }
            default: fields[fields.count - 1].append(byte)
            }
            index += 1
        }
        var texts: [String] = []
        for field in fields {
            guard let text = String(validating: field, as: UTF8.self) else {
                throw UserEntry.Fault("the row is no UTF-8")
            }
            texts.append(text)
        }
        return texts
    }

    /// Reads a value up to the quotation mark behind it, and answers where that stands. Two marks are one in the value.
    private static func quoted(
        _ row: ArraySlice<UInt8>, _ start: Int, into field: inout [UInt8]
    ) throws(UserEntry.Fault) -> Int {
        var index = start
        while index < row.endIndex {
            if row[index] == quote {
                guard index + 1 < row.endIndex, row[index + 1] == quote else { return index }
                index += 1
            }
            field.append(row[index])
            index += 1
        }
        throw UserEntry.Fault("a value between quotation marks has no end")
    }
}
