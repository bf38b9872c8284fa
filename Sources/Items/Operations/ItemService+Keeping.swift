import Crypto
import JSON
import Store

extension ItemService {
    /// Makes a table, or gives the one of that name the indexes, the stream and the expiry that it is to have.
    ///
    /// A part of a table that DynamoDB never changes stays as it was made. A part that the table has beside the wanted ones stays, too.
    ///
    /// - Parameter view: the images of its stream; nil: it is to have none.
    /// - Returns: the parts that stay as they were made, for a person.
    package func keep(_ wanted: TableShape, streaming view: StreamView?) async throws(ItemError) -> [String] {
        do throws(ItemFailure) {
            guard !isOfModel(wanted.name) else { throw .refused(.ofModel(wanted.name)) }
            let identifier = Identifier.text(of: RandomBytes.make(count: 16))
            let steadyLabel = steadyLabel(ofStreamOf: wanted.name)
            let stays = try await write { session, now throws(ItemFailure) -> [String] in
                let label = steadyLabel ?? ItemRun.label(now)
                try storing { () throws(StoreError) in try session.bring(TableRows.all) }
                guard let table = try PlainTable.named(wanted.name, in: session) else {
                    var shape = wanted
                    (shape.created, shape.identifier) = (now, identifier)
                    _ = try PlainTable.make(shape, view, label, in: session)
                    session.wake(.tables)
                    return []
                }
                var update = TableUpdate(table, now: now, label: label)
                let stays = try update.keep(wanted, view, in: session)
                let stored = update.shape.stored
                if stored != table.shape.stored {
                    try session.changing(TableRows.tableUpdate, [.utf8(stored), .integer(table.number)])
                    session.wake(.tables)
                }
                return stays
            }
            forgetTables()
            chores.begin()
            return stays
        } catch {
            throw self.error(of: error)
        }
    }
}

extension TableShape {
    /// The table that a program wants, with the limits of one that a request makes. It is paid by request.
    package init(
        _ name: String, _ key: KeySchema, locals: [IndexShape], globals: [IndexShape]
    ) throws(ItemError) {
        self.init(name, key)
        guard ItemRun.isName(name) else { throw .wrongName }
        try demandLocals(locals.count)
        try Self.demandGlobals(globals.count)
        for index in locals {
            lastIndex += 1
            try add(local: index.numbered(lastIndex))
        }
        for index in globals {
            guard self.index(index.name) == nil else { throw .invalidValues("Duplicate index name: \(index.name)") }
            add(global: index)
        }
        for index in indexes where !ItemRun.isName(index.name) { throw .wrongName }
        try checkProjections()
        for attribute in key.attributes + indexes.flatMap(\.key.attributes) {
            guard (1...255).contains(attribute.name.utf8.count) else { throw KeySchema.wrongNameLength }
            if !definitions.contains(where: { $0.name == attribute.name }) { definitions.append(attribute) }
        }
    }

    /// Takes an index in under a number of its own.
    mutating func add(global index: IndexShape) {
        lastIndex += 1
        var index = index.numbered(lastIndex)
        index.throughput = throughput
        globals.append(index)
    }
}

extension IndexShape {
    fileprivate func numbered(_ number: Int64) -> IndexShape {
        IndexShape(name, number: number, key, projection, isLocal: isLocal)
    }

    /// Returns whether it is the same index, with the same key and the same of each item.
    func isSame(as other: IndexShape) -> Bool {
        name == other.name && key.isSame(as: other.key)
            && Set(texts: attributes(of: key) ?? []) == Set(texts: other.attributes(of: key) ?? [])
            && projection.name == other.projection.name
    }
}

extension KeySchema {
    func isSame(as other: KeySchema) -> Bool {
        func isSame(_ one: [KeyAttribute], _ other: [KeyAttribute]) -> Bool {
            one.elementsEqual(other) { $0.name == $1.name && $0.kind == $1.kind }
        }
        return isSame(partitions, other.partitions) && isSame(sorts, other.sorts)
    }
}
