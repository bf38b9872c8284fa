import Access
import GraphQL
import JSON
import Store

/// How the value of a column becomes that of a field.
enum LeafKind: Sendable {
    /// Strings and ids, as they are.
    case text
    /// Dates, addresses and values of enums, as they are: texts of which the schema does not allow every one.
    case form(TextForm)
    case integer(IntegerForm)
    case real
    case boolean
    /// AWSJSON: the stored JSON as a string.
    case json
    /// JSON that goes into the response as it is stored, where the schema allows what is in it.
    case list(ListForm)
    /// The owner of a record, shown by what follows the last `::`.
    case owner
    case owners

    /// Nil for a value that has to be taken apart: a custom type, a list of AWSJSON, or a list of lists.
    init?(_ type: TypeUse, storedAs kind: ColumnKind, in schema: Schema) {
        let named = schema[type.named]
        guard named.isLeaf else { return nil }
        switch kind {
        case .text: self = TextForm(named).map { .form($0) } ?? .text
        case .integer: self = .integer(IntegerForm(named))
        case .real: self = .real
        case .boolean: self = .boolean
        case .json: self = .json
        case .list:
            guard type.isList, !type.item.isList, let kind = ColumnKind(ofElements: named),
                let element = LeafKind(type.item.nullable, storedAs: kind, in: schema)
            else { return nil }
            self = .list(ListForm(of: element, mayHoldNull: !type.item.isNonNull))
        case .object: return nil
        }
    }

    /// The same for a field that holds owners.
    var ofOwners: LeafKind {
        switch self {
        case .text, .form: .owner
        case .list: .owners
        default: self
        }
    }

    /// Writes a value that is not null; false when the schema does not allow it, and nothing was written then.
    @inline(__always)
    func write(_ row: borrowing Row, _ column: Int, to out: inout [UInt8]) -> Bool {
        switch self {
        case .text, .json: row.withText(column) { JSONWriter.writeString($0, to: &out) }
        case .form(let form):
            return row.withText(column) { text in
                guard form.allows(text) else { return false }
                JSONWriter.writeString(text, to: &out)
                return true
            }
        case .integer(let form):
            let integer = row.integer(column)
            guard form.allows(integer) else { return false }
            JSONWriter.writeInteger(integer, to: &out)
        case .real: JSONWriter.writeDouble(row.real(column), to: &out)
        case .boolean: JSONWriter.writeBool(row.boolean(column), to: &out)
        case .list(let form):
            return row.withText(column) { list in
                guard form.allows(list) else { return false }
                out.append(contentsOf: list)
                return true
            }
        case .owner: row.withText(column) { JSONWriter.writeString(OwnerText.shown($0), to: &out) }
        case .owners:
            // What is stored was JSON when it was; a file that somebody else changed is no reason to stop.
            let owners = (try? JSONReader.value(of: row.text(column))) ?? .null
            JSONWriter.write(OwnerText.shown(owners), to: &out)
        }
        return true
    }
}

extension ColumnKind {
    /// How an element of a list would be kept alone; nil for what has to be taken apart.
    fileprivate init?(ofElements type: NamedType) {
        if case .enum = type {
            self = .text
            return
        }
        switch type.name {
        case "AWSJSON": return nil
        case "Int", "AWSTimestamp": self = .integer
        case "Float": self = .real
        case "Boolean": self = .boolean
        case "String", "ID": self = .text
        default:
            guard TextForm(type) != nil else { return nil }
            self = .text
        }
    }
}
