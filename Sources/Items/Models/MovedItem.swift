import JSON
import Store

/// An item of a table of AWS as a row of a model's table.
package struct MovedItem: Sendable {
    /// The explicit nulls, a text with each field between commas, then the values of the table's columns.
    package let values: [StoredValue]
    /// Attributes that the model has no field for.
    package let unknown: [Item.Attribute]

    /// Why an item is no record of the model.
    package struct Misfit: Error, Sendable {
        package let reason: String

        package init(reason: String) {
            self.reason = reason
        }
    }
}

extension RecordItem {
    /// The time when DynamoDB removes a deleted record; it follows from the record here.
    private static let expiry = "_ttl"

    /// The row of an item that DataStore or AppSync has written. Its sets become lists, and attributes that stand for several fields go.
    ///
    /// - Parameter now: the time of the change of records that are older than their versions.
    package func moved(_ item: Item, nowMilliseconds now: Int64) throws(MovedItem.Misfit) -> MovedItem {
        var values = [StoredValue](repeating: .null, count: table.columns.count + 1)
        var unknown: [Item.Attribute] = []
        var nulls = ""
        for attribute in item {
            if attribute.name == Self.typeAttribute {
                try demandType(attribute.value)
                continue
            }
            guard let number = numbers[attribute.name] else {
                if isComputed(attribute.name) || table.isSynced && attribute.name == Self.expiry { continue }
                unknown.append(attribute)
                continue
            }
            do throws(ItemError) {
                values[number + 1] = try Self.stored(attribute.value, table.columns[number], of: typeName)
            } catch { throw MovedItem.Misfit(reason: error.moved) }
            if values[number + 1].isNull { nulls += "\(attribute.name)," }
        }
        try demandKey(values)
        if table.isSynced { completeVersion(&values, nowMilliseconds: now) } else { try demandLiving(unknown) }
        if !nulls.isEmpty { values[0] = .text(",\(nulls)") }
        return MovedItem(values: values, unknown: unknown)
    }

    /// The names of the attributes that follow from others.
    var passedOver: [String] { composites.map(\.name) + (table.isSynced ? [Self.expiry] : []) }

    /// A row with what every record has; nil where a part of the key is missing.
    func completed(_ values: [StoredValue], nowMilliseconds now: Int64) -> MovedItem? {
        guard (try? demandKey(values)) != nil else { return nil }
        var values = values
        if table.isSynced { completeVersion(&values, nowMilliseconds: now) }
        return MovedItem(values: values, unknown: [])
    }

    private func demandType(_ value: ItemValue) throws(MovedItem.Misfit) {
        guard case .string(let name) = value, name == typeName || name == table.model else {
            throw MovedItem.Misfit(
                reason: "its \(Self.typeAttribute) is \(JSONWriter.text(of: value.json)), and the model is \(typeName)")
        }
    }

    private func demandKey(_ values: [StoredValue]) throws(MovedItem.Misfit) {
        for field in keyFields {
            guard let number = numbers[field], !values[number + 1].isNull else {
                throw MovedItem.Misfit(reason: "it has no \(field), which is a part of the key of \(typeName)")
            }
        }
    }

    /// A record that DataStore has deleted would come back to life in a model without versions.
    private func demandLiving(_ unknown: [Item.Attribute]) throws(MovedItem.Misfit) {
        let mark = unknown.first { $0.name == SyncField.deleted.rawValue }
        guard mark?.value != .bool(true) else {
            throw MovedItem.Misfit(
                reason: "DataStore has deleted it, and \(typeName) keeps no versions (conflict resolution is off)")
        }
    }

    /// Clients cannot read a record without them.
    private func completeVersion(_ values: inout [StoredValue], nowMilliseconds now: Int64) {
        if let number = numbers[SyncField.version.rawValue], values[number + 1].isNull {
            values[number + 1] = .integer(1)
        }
        if let number = numbers[SyncField.lastChangedAt.rawValue], values[number + 1].isNull {
            values[number + 1] = .integer(now)
        }
    }

    /// The fields of the primary key.
    package var keyFields: [String] { table.primaryKey.map { [$0.partition] + $0.sort } ?? [] }

    /// The values of the key in a row.
    package func key(of values: [StoredValue]) -> [StoredValue] {
        keyFields.compactMap { field in
            guard let number = numbers[field], values.indices.contains(number + 1) else { return nil }
            return values[number + 1]
        }
    }

    /// The values of a `RecordLookup` by the primary key, of the key that DynamoDB has of an item.
    package func lookupValues(of keys: Item) throws(MovedItem.Misfit) -> [StoredValue] {
        guard let key = table.primaryKey else { return [] }
        var values: [StoredValue] = []
        func add(_ name: String, _ column: TableLayout.Column?) throws(MovedItem.Misfit) {
            guard let value = keys[name] else { throw MovedItem.Misfit(reason: "its Keys have no \(name)") }
            guard let column else {
                guard case .string(let text) = value else { throw MovedItem.Misfit(reason: "\(name) is no text") }
                values.append(.text(text))
                return
            }
            do throws(ItemError) { values.append(try Self.stored(value, column, of: typeName)) } catch {
                throw MovedItem.Misfit(reason: error.moved)
            }
        }
        try add(key.partition, table.column(of: key.partition))
        switch key.sortAttribute {
        case .field(let field)?: try add(field, table.column(of: field))
        case .composite?: try add(key.sortAttribute?.name ?? "", nil)
        case nil: break
        }
        return values
    }

    /// The name of an item in messages: the values of its key.
    package func name(of item: Item) -> String {
        let values = keyFields.map { field in
            guard let value = item[field] else { return "\(field)=?" }
            let text = JSONWriter.text(of: value.json)
            return "\(field)=\(String(decoding: text.utf8.prefix(Self.shownBytesMax), as: UTF8.self))"
        }
        return "\(typeName) \(values.joined(separator: ", "))"
    }

    private static let shownBytesMax = 200
}

extension ItemError {
    /// The sentence without what a request would be told before it.
    fileprivate var moved: String {
        let prefix = "One or more parameter values were invalid: "
        return message.hasPrefix(prefix) ? String(message.dropFirst(prefix.count)) : message
    }
}
