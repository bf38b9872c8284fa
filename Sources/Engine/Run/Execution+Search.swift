import Access
import GraphQL
import JSON
import Store

/// Searches.
extension Execution {
    /// What a search asks for, and what of it the caller may see.
    private struct Question {
        let predicate: Predicate
        let access: Predicate
        let aggregates: [Aggregate]

        var all: Predicate { .all([predicate, access]) }
    }

    private struct Aggregate {
        let name: String
        let aggregate: SearchAggregate
        let access: Predicate
        /// True if its values are owners, who are shown as everywhere else.
        let showsOwners: Bool
    }

    mutating func complete(search: PagedPlan, _ field: RootFieldPlan) throws(RunError) {
        let arguments = change?.arguments ?? search.arguments.values(variables)
        let table = search.type.table
        try lookAtTime()
        var filter = FilterReader(table, .search)
        let wishes = try ofField { () throws(FieldFailure) in try filter.predicate(arguments["filter"]) }
        let decision = search.type.access.search.decision(for: caller)
        guard var access = Self.predicate(of: decision) else { throw refusal(of: field) }
        if let own = try filters(of: search.type) { access = .all([access, own]) }
        let sort = Self.sortKeys(arguments["sort"])
        let compared = filter.fields.union(sort.map { ByteText($0.field) })
        let rights = try ofField { () throws(FieldFailure) in
            try FilterRights.predicate(FilterRights.rights(to: compared, of: search.type), for: caller)
        }
        let wanted = try ofField { () throws(FieldFailure) in try aggregates(arguments["aggregates"], search) }
        guard let aggregates = wanted else {
            return completeEmptyConnection(search.connection)
        }
        let question = Question(predicate: .all([wishes, rights]), access: access, aggregates: aggregates)
        let scope = Self.scope(search, arguments)
        var after: TextSearch.Position?
        if let token = arguments["nextToken"]?.string {
            do throws(StoreError) {
                after = try context.cursors.searchPosition(of: token, scope: scope)
            } catch {
                throw .field(.invalidToken)
            }
        }
        let page = TextSearch(
            table, fields: search.connection.columns, filter: question.all, sort: sort,
            from: Int(clamping: arguments["from"]?.integer ?? 0),
            limit: min(
                Int(clamping: arguments["limit"]?.integer ?? Int64(TextSearch.limitOrdinarily)), context.limits.pageMax),
            after: after)
        try completePage(search, page, question, scope: scope)
    }

    private static func predicate(of decision: Decision) -> Predicate? {
        switch decision {
        case .allow: .always
        case .filter(let access): Predicate(access)
        case .deny, .narrow: nil
        }
    }

    private static func sortKeys(_ value: JSONValue?) -> [TextSearch.SortKey] {
        let entries: [JSONValue] = value?.array ?? value.map { [$0] } ?? []
        return entries.compactMap { entry in
            entry["field"]?.string.map {
                TextSearch.SortKey($0, isDescending: entry["direction"]?.string != "asc")
            }
        }
    }

    /// The sums that are asked for; nil when one of them leaves nothing of the search.
    private func aggregates(_ value: JSONValue?, _ search: PagedPlan) throws(FieldFailure) -> [Aggregate]? {
        let entries: [JSONValue] = value?.array ?? value.map { [$0] } ?? []
        guard entries.count <= context.limits.aggregatesMax else {
            throw .arguments("At most \(context.limits.aggregatesMax) aggregates can be asked for at once.")
        }
        var aggregates: [Aggregate] = []
        var isNothing = false
        for entry in entries {
            guard let name = entry["name"]?.string, let field = entry["field"]?.string,
                let kind = entry["type"]?.string.flatMap(SearchAggregate.Kind.init(rawValue:))
            else { continue }
            let access = search.type.access.search
            guard let records = Self.predicate(of: access.aggregation(of: field, for: caller)) else {
                throw FieldFailure(SearchAccess.message(denyingAggregationOf: field), type: Refusals.errorType)
            }
            isNothing = isNothing || access.isEmptied(byAggregationOf: field, for: caller)
            aggregates.append(
                Aggregate(
                    name: name, aggregate: SearchAggregate(kind, of: field), access: records,
                    showsOwners: search.type.access.shortenedOwners.contains(field)))
        }
        return isNothing ? nil : aggregates
    }

    private static func scope(_ search: PagedPlan, _ arguments: JSONObject) -> [UInt8] {
        let others = ["limit", "nextToken", "from", "aggregates"]
        let arguments = JSONObject(
            arguments.lazy.filter { !others.contains($0.key) && !$0.value.isNull }.map { ($0.key, $0.value) })
        return Array(search.scope.utf8) + [0] + JSONWriter.bytes(of: .object(arguments))
    }

    private mutating func completePage(
        _ search: PagedPlan, _ wanted: TextSearch, _ question: Question, scope: [UInt8]
    ) throws(RunError) {
        let (reader, cursors) = (reader, context.cursors)
        try completeConnection(search.connection) { row throws(RunError) in
            try reader.search(wanted) { found throws(RunError) in _ = try row(found) }
        } token: { page in
            page.next.map { cursors.token(of: $0, scope: scope) }
        } rest: { execution, field throws(RunError) in
            switch field.part {
            case .total:
                try execution.countRead()
                let count = try ofStore { () throws(StoreError) in
                    try reader.count(of: wanted.table, where: question.all)
                }
                JSONWriter.writeInteger(Int64(count), to: &execution.writer.bytes)
            case .aggregates(let value):
                let items = try execution.aggregateItems(question, wanted.table)
                return try execution.completeValue(items, value, field.plan, in: search.connection.typeName)
            default: JSONWriter.writeNull(to: &execution.writer.bytes)
            }
            return .written
        }
    }

    /// Owners by what they are shown as: those who are shown alike make one bucket, where the first of them was.
    private static func shownOwners(_ buckets: [SearchAggregate.Bucket]) -> [SearchAggregate.Bucket] {
        var places: [ByteText: Int] = [:]
        var shown: [SearchAggregate.Bucket] = []
        for bucket in buckets {
            let name = OwnerText.shown(bucket.key)
            if let place = places[name] {
                shown[place] = SearchAggregate.Bucket(key: name, count: shown[place].count + bucket.count)
            } else {
                places[name] = shown.count
                shown.append(SearchAggregate.Bucket(key: name, count: bucket.count))
            }
        }
        // The commonest first, as before; those of one count stay in their order.
        return shown.enumerated().sorted { ($1.element.count, $0.offset) < ($0.element.count, $1.offset) }
            .map(\.element)
    }

    private mutating func aggregateItems(
        _ question: Question, _ table: TableLayout
    ) throws(RunError) -> JSONValue {
        var items: [JSONValue] = []
        for aggregate in question.aggregates {
            try countRead()
            let filter = Predicate.all([question.predicate, question.access, aggregate.access])
            let result: JSONValue
            let sum = try ofStore { [reader] () throws(StoreError) in
                try reader.aggregate(aggregate.aggregate, of: table, where: filter)
            }
            switch sum {
            case .number(let number):
                result = ["__typename": "SearchableAggregateScalarResult", "value": .double(number)]
            case .buckets(let buckets):
                let shown = aggregate.showsOwners ? Self.shownOwners(buckets) : buckets
                let values = shown.map { bucket -> JSONValue in
                    ["key": .string(bucket.key), "doc_count": .integer(Int64(bucket.count))]
                }
                result = ["__typename": "SearchableAggregateBucketResult", "buckets": .array(values)]
            case .nothing: result = .null
            }
            items.append(["name": .string(aggregate.name), "result": result])
        }
        return .array(items)
    }
}
