import Blueprint
import Items
import JSON
import Moving
import Store

/// Writes the records of a copy of the database as exports of DynamoDB's tables, a folder for each.
final class TablesOut {
    private let map: TableMap
    private let reader: Reader
    private let folder: String
    private let format: ExportWriter.Format
    private let moment: Int64
    private let tombstoneMilliseconds: Int64
    private let isWanted: @Sendable () -> Bool
    private let report: MoveProgress

    init(
        _ map: TableMap, of reader: Reader, to folder: String, _ format: ExportWriter.Format, moment: Int64,
        tombstoneMilliseconds: Int64, isWanted: @escaping @Sendable () -> Bool, _ report: MoveProgress
    ) {
        self.map = map
        self.reader = reader
        self.folder = folder
        self.format = format
        self.moment = moment
        self.tombstoneMilliseconds = tombstoneMilliseconds
        self.isWanted = isWanted
        self.report = report
    }

    /// Writes all tables, but for those that an interrupted move has written. Answers with the number of records.
    func run() throws(MoveFailure) -> Int {
        var count = 0
        for form in map.items {
            let place = "\(folder)/\(form.table.model)"
            if ExportWriter.isWhole(place, moment: moment) {
                count += (try? ExportManifest(place))?.itemCount ?? 0
                continue
            }
            let written = try write(form, to: place)
            count += written
            report.clear()
            report.line("\(form.typeName): \(Counted.text(written, "record"))")
            guard isWanted() else { throw MoveFailure.stopped }
        }
        return count
    }

    private func write(_ form: RecordItem, to place: String) throws(MoveFailure) -> Int {
        guard let key = form.table.primaryKey else { return 0 }
        let hasExtras = try MoveFailure.storing { () throws(StoreError) in
            try MoveState.hasExtras(of: form.table.model, in: reader)
        }
        let writer = try MoveFailure.reading { () throws(MovingFault) in
            let writer = try ExportWriter(place, tableName: form.table.model, format, moment: moment)
            try WholeFile.write(
                JSONWriter.bytes(of: form.description.json) + [0x0A], to: "\(place)/\(TableDescription.fileName)")
            return writer
        }
        let deleted = form.table.columns.firstIndex { $0.field == SyncField.deleted.rawValue }
        var fault: MovingFault?
        var failure: MoveFailure?
        do throws(ItemFailure) {
            try reader.records(of: RecordWalk(form.table, by: key)) { row throws(ItemFailure) in
                let isDeleted = deleted.map { form.table.isSynced && row.boolean($0 + 2) } ?? false
                do throws(MovingFault) {
                    if !isDeleted, !hasExtras, writer.takesText {
                        var problem: ItemFailure?
                        try writer.append { buffer in
                            do throws(ItemFailure) { _ = try form.write(row, to: &buffer) } catch { problem = error }
                        }
                        if let problem { throw problem.asFault(place) }
                    } else {
                        var item: Item
                        do throws(ItemFailure) { item = try form.item(row) } catch { throw error.asFault(place) }
                        if isDeleted { addExpiry(to: &item) }
                        if hasExtras {
                            do throws(StoreError) { try addExtras(to: &item, of: form) } catch {
                                throw MovingFault(.unreadable, place, error.message)
                            }
                        }
                        try writer.append(item)
                    }
                } catch {
                    fault = error
                    return false
                }
                report.records(1)
                return true
            }
        } catch {
            failure = MoveFailure(error.asFault(place))
        }
        if let failure { throw failure }
        if let fault { throw MoveFailure(fault) }
        try MoveFailure.reading { () throws(MovingFault) in try writer.finish() }
        return writer.count
    }

    /// When DynamoDB removes a deleted record, in seconds.
    private func addExpiry(to item: inout Item) {
        guard case .number(let changed)? = item[SyncField.lastChangedAt.rawValue], let moment = Int(changed.description)
        else { return }
        item["_ttl"] = .number(ItemNumber((moment + Int(tombstoneMilliseconds)) / 1_000))
    }

    private func addExtras(to item: inout Item, of form: RecordItem) throws(StoreError) {
        guard
            let extras = try MoveState.extras(of: form.name(of: item), model: form.table.model, in: reader),
            let more = try? Item(json: .object(extras))
        else { return }
        for attribute in more where item[attribute.name] == nil { item[attribute.name] = attribute.value }
    }
}

extension ItemFailure {
    fileprivate func asFault(_ place: String) -> MovingFault {
        switch self {
        case .refused(let error): MovingFault(.unreadable, place, error.message)
        case .store(let error): MovingFault(.unreadable, place, error.message)
        case .outdated, .undecided: MovingFault(.unreadable, place, "the copy of the database has changed")
        }
    }
}

extension RecordItem {
    /// The description of the table that an import into DynamoDB needs.
    fileprivate var description: TableDescription {
        TableDescription(
            name: table.model,
            keys: table.keys.map { key in
                let sort: TableDescription.Attribute? =
                    switch key.sortAttribute {
                    case .field(let field)?: attribute(field)
                    case .composite?: key.sortAttribute.map { TableDescription.Attribute($0.name, .text) }
                    case nil: nil
                    }
                return TableDescription.Key(name: key.name, partition: attribute(key.partition), sort: sort)
            })
    }

    private func attribute(_ field: String) -> TableDescription.Attribute {
        switch table.column(of: field)?.kind {
        case .integer?, .real?: TableDescription.Attribute(field, .number)
        default: TableDescription.Attribute(field, .text)
        }
    }
}
