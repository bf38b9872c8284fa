import JSON
import Store

/// The lines of a file of users, as JSON or as the table of Cognito's imports: the first line says which.
///
/// Memory is bounded by the longest line.
package struct UserFile: ~Copyable {
    /// A user, or a group that stands on a line of its own.
    enum Line: Sendable {
        case user(UserEntry)
        case group(Group)
    }

    private var reader: LineReader
    private var form = Form.unknown

    private enum Form {
        case unknown
        case lines
        case table(UserTable)
        case objects(Objects)
    }

    package init(_ reader: consuming LineReader) {
        self.reader = reader
    }

    /// Hands out the next object, with the number that messages call it by; nil at the end.
    package typealias Objects = () throws(TransferError) -> (number: Int, object: JSONObject)?

    /// Users that come as objects, of the same members as the lines.
    package init(name: String, objects: @escaping Objects) {
        reader = LineReader(reading: -1, name: name)
        form = .objects(objects)
    }

    /// Bytes that were read.
    var offset: Int { reader.offset }
    var name: String { reader.name }

    /// The next line that holds something, with its number; nil at the end. Throws where the file cannot be read, or is of
    /// another form altogether; what is wrong with a line is in its outcome.
    mutating func next() throws(TransferError) -> (number: Int, outcome: Result<Line, UserEntry.Fault>)? {
        if case .objects(let next) = form {
            guard let (number, object) = try next() else { return nil }
            return (number, Self.line(of: object))
        }
        while var bytes = try nextBytes() {
            let number = reader.lineCount
            if number == 1, bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
            guard bytes.contains(where: { $0 != 0x20 && $0 != 0x09 && $0 != 0x0D }) else { continue }
            switch form {
            case .unknown where bytes.first == UInt8(ascii: "{"):
                form = .lines
                return (number, Self.line(bytes))
            case .unknown:
                do throws(UserEntry.Fault) { form = .table(try UserTable(header: bytes)) } catch {
                    throw .line(number, file: reader.name, error.message)
                }
            case .lines: return (number, Self.line(bytes))
            case .objects: return nil
            case .table(let table):
                // A value may go on over lines; the row is called by its first.
                var lines = 1
                while UserTable.isOpen(bytes), lines <= PoolLimits.importedRowLinesMax,
                    bytes.count <= PoolLimits.importedLineBytesMax, let more = try nextBytes()
                {
                    bytes += [0x0A] + more
                    lines += 1
                }
                guard lines <= PoolLimits.importedRowLinesMax, bytes.count <= PoolLimits.importedLineBytesMax else {
                    return (number, .failure(Self.tooLong))
                }
                return (number, Result { () throws(UserEntry.Fault) in .user(try table.entry(bytes)) })
            }
        }
        return nil
    }

    private static let tooLong = UserEntry.Fault(
        "a line has at most \(PoolLimits.importedLineBytesMax) bytes, and a row \(PoolLimits.importedRowLinesMax) lines"
    )

    private mutating func nextBytes() throws(TransferError) -> [UInt8]? {
        var bytes: [UInt8]?
        // One byte too many says that it is too long.
        _ = try reader.next { line throws(TransferError) in
            bytes = Array(line.prefix(PoolLimits.importedLineBytesMax + 1))
        }
        return bytes
    }

    private static func line(_ bytes: [UInt8]) -> Result<Line, UserEntry.Fault> {
        guard bytes.count <= PoolLimits.importedLineBytesMax else { return .failure(tooLong) }
        let value: JSONValue
        do throws(JSONError) { value = try JSONReader.value(of: bytes) } catch {
            return .failure(
                UserEntry.Fault(
                    "column \(error.position.column): expected \(error.expected), found \(error.found)"))
        }
        guard let object = value.object else { return .failure(UserEntry.Fault("expected an object")) }
        return line(of: object)
    }

    private static func line(of object: JSONObject) -> Result<Line, UserEntry.Fault> {
        Result { () throws(UserEntry.Fault) in
            object["group"] == nil ? .user(try UserEntry(object)) : .group(try group(object))
        }
    }

    private static func group(_ object: JSONObject) throws(UserEntry.Fault) -> Group {
        var group = Group(name: "", description: nil, role: nil, precedence: nil, created: 0, modified: 0)
        for member in object {
            let value = FieldValue(name: member.key, value: member.value)
            switch member.key {
            case "group": group = group.named(try value.text())
            case "description": group.description = try value.text()
            case "role": group.role = try value.text()
            case "precedence":
                guard let number = member.value.integer, number >= 0 else {
                    throw value.fault("is no number from 0 on")
                }
                group.precedence = number
            default:
                throw UserEntry.Fault(
                    "there is no \"\(member.key)\" of a group; what there is: group, description, role, precedence")
            }
        }
        return group
    }
}

extension Group {
    fileprivate func named(_ name: String) -> Group {
        Group(
            name: name, description: description, role: role, precedence: precedence, created: created,
            modified: modified)
    }
}
