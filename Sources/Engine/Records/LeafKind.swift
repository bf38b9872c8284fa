import Access
import GraphQL
import JSON
import Store

/// How the value of a column becomes that of a field.
enum LeafKind: Sendable {
    /// Strings, ids, dates and enums, as they are.
    case text
    case integer
    case real
    case boolean
    /// AWSJSON: the stored JSON as a string.
    case json
    /// JSON that goes into the response as it is stored.
    case verbatim
    /// The owner of a record, shown by what follows the last `::`.
    case owner
    case owners

    /// Nil for a value that has to be taken apart: a custom type, or a list of AWSJSON.
    init?(_ type: TypeUse, storedAs kind: ColumnKind, in schema: Schema) {
        guard schema[type.named].isLeaf else { return nil }
        let isJSON = schema[type.named].name == "AWSJSON"
        switch kind {
        case .text: self = .text
        case .integer: self = .integer
        case .real: self = .real
        case .boolean: self = .boolean
        case .json: self = .json
        case .list:
            guard !isJSON else { return nil }
            self = .verbatim
        case .object: return nil
        }
    }

    /// The same for a field that holds owners.
    var ofOwners: LeafKind {
        switch self {
        case .text: .owner
        case .verbatim: .owners
        default: self
        }
    }

    /// Writes a value that is not null. Hot path.
    @inline(__always)
    func write(_ row: borrowing Row, _ column: Int, to out: inout [UInt8]) {
        switch self {
        case .text, .json: row.withText(column) { JSONWriter.writeString($0, to: &out) }
        case .integer: JSONWriter.writeInteger(row.integer(column), to: &out)
        case .real: JSONWriter.writeDouble(row.real(column), to: &out)
        case .boolean: JSONWriter.writeBool(row.boolean(column), to: &out)
        case .verbatim: row.withText(column) { out.append(contentsOf: $0) }
        case .owner: row.withText(column) { JSONWriter.writeString(OwnerText.shown($0), to: &out) }
        case .owners:
            // What is stored was JSON when it was; a file that somebody else changed is no reason to stop.
            let owners = (try? JSONReader.value(of: row.text(column))) ?? .null
            JSONWriter.write(OwnerText.shown(owners), to: &out)
        }
    }
}
