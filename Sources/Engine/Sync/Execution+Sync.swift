import Access
import GraphQL
import JSON
import Store

/// Sync queries.
extension Execution {
    /// The rows that a page looks at when the client says nothing.
    static let syncLimitOrdinarily: Int64 = 100

    /// A page of a sync.
    private struct SyncPage {
        let source: SyncPosition.Source
        let startedAt: Int64
        let list: PreparedList
    }

    mutating func complete(sync: PagedPlan, _ field: RootFieldPlan) throws(RunError) {
        guard let log = sync.type.changeLog else { return JSONWriter.writeNull(to: &writer.bytes) }
        let arguments = change?.arguments ?? sync.arguments.values(variables)
        try lookAtTime()
        var filter = FilterReader(sync.type.table)
        let wanted = try ofField { () throws(FieldFailure) in try filter.predicate(arguments["filter"]) }
        let decision = sync.type.access.sync.decision(for: caller)
        var access: Predicate
        var key = SyncKey.query(arguments["filter"], of: sync.type)
        let token = arguments["nextToken"]?.string
        switch decision {
        case .allow: access = .always
        case .filter(let condition):
            access = Predicate(condition)
            if token == nil, let query = key, !SyncKey.isOpen(query, to: condition) { key = nil }
        case .deny, .narrow: throw refusal(of: field)
        }
        if let own = try filters(of: sync.type) {
            access = .all([access, own])
            key = nil
        }
        let rights = try ofField { () throws(FieldFailure) in
            try FilterRights.predicate(FilterRights.rights(to: filter.fields, of: sync.type), for: caller)
        }
        let limit = try Self.limit(arguments, usually: Self.syncLimitOrdinarily)
        let scope = Self.scope(sync, arguments)
        // A page that nothing can be on is the last one.
        let semantics = access == .never ? .filled : context.semantics
        let size = min(limit, context.limits.pageMax, context.limits.syncPageMax)
        let position = try position(of: token, scope)
        let (reader, start) = (reader, syncStart)
        let begin = try ofStore { () throws(StoreError) in
            if let position {
                guard position.source == .log, !(try reader.holds(log, behind: position)) else { return position }
                // What was to follow is gone from the log: all records hold it, and what the client has of them already
                // does no harm.
                return SyncPosition(source: .records, startedAt: position.startedAt, position: .start)
            }
            return try Self.begin(arguments["lastSync"]?.integer ?? 0, start, in: log, reader, hasKey: key != nil)
        }
        // The same table of columns, whichever of the two is read.
        let query = ListQuery(
            begin.source == .log ? log.images : log.table, fields: sync.connection.columns,
            key: begin.source == .key ? key : nil, filter: .all([wanted, access, rights]), limit: size,
            semantics: semantics, after: begin.position == .start ? nil : begin.position)
        let page = SyncPage(source: begin.source, startedAt: begin.startedAt, list: try prepared(query))
        try completePage(sync, page, scope: scope)
    }

    private func position(of token: String?, _ scope: [UInt8]) throws(RunError) -> SyncPosition? {
        guard let token else { return nil }
        do throws(StoreError) {
            return try context.cursors.syncPosition(of: token, scope: scope)
        } catch {
            throw .field(.invalidToken)
        }
    }

    /// Where a sync begins: in the log if that has all changes since the last one, else with all records.
    private static func begin(
        _ lastSync: Int64, _ start: SyncStart, in log: ChangeLog, _ reader: any RecordReading, hasKey: Bool
    ) throws(StoreError) -> SyncPosition {
        if start.isKnown(lastSync), let position = try reader.position(in: log, since: lastSync) {
            return SyncPosition(source: .log, startedAt: start.startedAt, position: position)
        }
        return SyncPosition(source: hasKey ? .key : .records, startedAt: start.startedAt, position: .start)
    }

    /// What a token is good for. The time of the last sync is no part of it: the token knows where it goes on.
    private static func scope(_ sync: PagedPlan, _ arguments: JSONObject) -> [UInt8] {
        var scope = Array(sync.scope.utf8) + [0]
        if let filter = arguments["filter"], !filter.isNull { JSONWriter.write(filter, to: &scope) }
        return scope
    }

    private mutating func completePage(
        _ sync: PagedPlan, _ page: SyncPage, scope: [UInt8]
    ) throws(RunError) {
        let (reader, cursors) = (reader, context.cursors)
        try completeConnection(sync.connection) { row throws(RunError) in
            try reader.listWhile(page.list, row: row)
        } token: { read in
            read.next.map { next in
                cursors.token(
                    of: SyncPosition(source: page.source, startedAt: page.startedAt, position: next), scope: scope)
            }
        } rest: { execution, field throws(RunError) in
            if case .startedAt = field.part {
                JSONWriter.writeInteger(page.startedAt, to: &execution.writer.bytes)
            } else {
                JSONWriter.writeNull(to: &execution.writer.bytes)
            }
            return .written
        }
    }
}

extension ListQuery.Position {
    /// Before everything.
    static let start = ListQuery.Position(sort: .null, row: .min)
}
