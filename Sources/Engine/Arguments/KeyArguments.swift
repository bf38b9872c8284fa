import Access
import Blueprint
import JSON
import Store

/// The arguments that say which records of a key are wanted: the partition, and a condition on what sorts it.
///
///     listOrders(customer: "c1", statusDate: {beginsWith: {status: PENDING}}, sortDirection: DESC)
///                partition       sort condition
struct KeyArguments: Sendable {
    let key: KeyLayout
    private let table: TableLayout
    /// The name of the argument with the partition; nil for a relation, whose parent has it.
    private let partition: String?
    /// True if there need not be one: then the whole table is read.
    private let isPartitionOptional: Bool
    private let sortArgument: SortArgument?
    /// Who may compare the partition, where there is an argument for it.
    private let partitionRight: FieldRight?

    private struct SortArgument: Sendable {
        let name: String
        let fields: [String]
        /// True if the key that is read has these fields. If not, the argument is there without effect.
        let isUsed: Bool
        /// Who may compare each of the fields.
        let rights: [FieldRight]
    }

    /// The primary key in a list query.
    init?(of type: RecordType, isPrimary: Bool) {
        guard let key = type.table.primaryKey else { return nil }
        self.init(key, type, partition: key.partition, isOptional: true, sort: key.sort)
    }

    /// The key of an index query.
    init?(of type: RecordType, _ index: ModelIndex) {
        guard let key = type.table.index(named: index.name) else { return nil }
        self.init(key, type, partition: key.partition, argument: index.argument, isOptional: false, sort: key.sort)
    }

    /// The key that a relation reads.
    init(of relation: Relation, _ key: KeyLayout, in target: RecordType) {
        let sort = relation.sortParts.map(\.field)
        self.init(key, target, partition: nil, isOptional: false, sort: sort, isUsed: sort == key.sort)
    }

    private init(
        _ key: KeyLayout, _ type: RecordType, partition: String?, argument: String? = nil, isOptional: Bool,
        sort: [String], isUsed: Bool = true
    ) {
        self.key = key
        table = type.table
        partitionRight = partition.map { type.access.right(to: $0) }
        self.partition = argument ?? partition
        isPartitionOptional = isOptional
        sortArgument =
            sort.isEmpty
            ? nil
            : SortArgument(
                name: sort.count == 1 ? sort[0] : Names.camel(sort), fields: sort, isUsed: isUsed,
                rights: sort.map { type.access.right(to: $0) })
    }

    /// What is asked for; nil for the whole table.
    struct Choice {
        let key: KeyQuery?
        let isDescending: Bool
    }

    /// What a query's arguments choose.
    func choice(_ arguments: JSONObject) throws(FieldFailure) -> Choice {
        guard let partition else { return Choice(key: nil, isDescending: isDescending(arguments)) }
        let hasDirection = arguments["sortDirection"].map { !$0.isNull } ?? false
        if hasDirection, key.sort.isEmpty {
            throw .arguments("sortDirection is not supported for List operations without a Sort key defined.")
        }
        let sent = arguments[partition] ?? .null
        guard !sent.isNull else {
            // Version 1 of the transformer lets the partition be left out of queries that have nothing else to read by.
            guard isPartitionOptional else {
                throw .database(
                    "Either the KeyConditions or KeyConditionExpression parameter must be specified in the request.")
            }
            try refuseWithoutPartition(arguments, partition, hasDirection: hasDirection)
            return Choice(key: nil, isDescending: false)
        }
        let value = value(sent, of: key.partition)
        let query = KeyQuery(key, partition: value, sort: try sortCondition(arguments))
        return Choice(key: query, isDescending: isDescending(arguments))
    }

    /// What a relation's arguments choose of the records that belong to its parent.
    func choice(
        _ arguments: JSONObject, startingWith values: [StoredValue]
    ) throws(FieldFailure) -> Choice? {
        guard let query = KeyQuery(key, startingWith: values) else { return nil }
        let isDescending = isDescending(arguments)
        guard let sort = try sortCondition(arguments), values.count == 1 else {
            return Choice(key: query, isDescending: isDescending)
        }
        return Choice(key: KeyQuery(key, partition: query.partition, sort: sort), isDescending: isDescending)
    }

    /// The choice with values that the caller's rights prescribe for fields of the key; nil when they name another.
    func narrowed(_ choice: Choice, by conditions: [Decision.KeyCondition]) -> Choice? {
        guard var query = choice.key else { return nil }
        for condition in conditions {
            let value = StoredValue(
                .string(condition.value.string), as: table.column(of: condition.field)?.kind ?? .text)
            if condition.field == key.partition {
                query = KeyQuery(key, partition: value, sort: query.sort)
            } else if key.sort == [condition.field] {
                query = KeyQuery(key, partition: query.partition, sort: .compare(.equal, value))
            } else {
                return nil
            }
        }
        return Choice(key: query, isDescending: choice.isDescending)
    }

    /// The fields that a filter must not speak of while this key is read.
    var attributes: [String] {
        // A composite attribute is no field.
        [key.partition] + (key.sort.count == 1 ? key.sort : [])
    }

    /// The rights to the fields that arguments compare: those of the partition and of the condition on what sorts. Of a
    /// key with several sort fields only those that are given count; what stands behind them is not compared.
    func rights(_ arguments: JSONObject) -> [FieldRight] {
        var rights: [FieldRight] = []
        if let partition, let right = partitionRight, arguments[partition].map({ !$0.isNull }) ?? false {
            rights.append(right)
        }
        guard let sort = sortArgument, sort.isUsed, case .object(let condition)? = arguments[sort.name] else {
            return rights
        }
        let operands = condition.members.map(\.value).filter { !$0.isNull }
        guard !operands.isEmpty else { return rights }
        guard sort.rights.count > 1 else { return rights + sort.rights }
        let given = operands.flatMap { $0.array ?? [$0] }
        return rights + sort.rights.filter { right in given.contains { $0[right.field].map { !$0.isNull } ?? false } }
    }

    private func isDescending(_ arguments: JSONObject) -> Bool { arguments["sortDirection"]?.string == "DESC" }

    private func refuseWithoutPartition(
        _ arguments: JSONObject, _ partition: String, hasDirection: Bool
    ) throws(FieldFailure) {
        if let sort = sortArgument, let value = arguments[sort.name], !value.isNull {
            throw sort.fields.count == 1
                ? .arguments("When providing argument '\(sort.name)' you must also provide arguments \(partition)")
                : .arguments("When providing argument '\(sort.name)' you must also provide '\(partition)'.")
        }
        if hasDirection {
            throw .arguments("When providing argument 'sortDirection' you must also provide argument '\(partition)'.")
        }
    }

    private func value(_ value: JSONValue, of field: String) -> StoredValue {
        StoredValue(value, as: table.column(of: field)?.kind ?? .text)
    }

    // MARK: The condition on what sorts

    private func sortCondition(_ arguments: JSONObject) throws(FieldFailure) -> KeyQuery.SortCondition? {
        guard let sort = sortArgument, case .object(let condition)? = arguments[sort.name] else { return nil }
        let operators = condition.members.filter { !$0.value.isNull }
        let found: KeyQuery.SortCondition?
        if sort.fields.count == 1 {
            guard operators.count <= 1 else {
                throw .database("KeyConditionExpressions must only contain one condition per key")
            }
            found = try operators.first.flatMap { member throws(FieldFailure) in
                try self.condition(member.key, member.value) { value(value: $0, of: sort.fields[0]) }
            }
        } else {
            guard operators.count <= 1 else {
                throw .arguments("Argument \(sort.name) must specify at most one key condition operation.")
            }
            found = try operators.first.flatMap { member throws(FieldFailure) in
                try compositeCondition(member.key, member.value, sort)
            }
        }
        return sort.isUsed ? found : nil
    }

    private func value(value: JSONValue, of field: String) -> StoredValue { self.value(value, of: field) }

    private func condition(
        _ name: String, _ value: JSONValue, _ stored: (JSONValue) -> StoredValue
    ) throws(FieldFailure) -> KeyQuery.SortCondition? {
        switch name {
        case "eq": return .compare(.equal, stored(value))
        case "lt": return .compare(.less, stored(value))
        case "le": return .compare(.lessOrEqual, stored(value))
        case "gt": return .compare(.greater, stored(value))
        case "ge": return .compare(.greaterOrEqual, stored(value))
        case "beginsWith":
            guard case .text(let prefix) = stored(value) else { return nil }
            return .beginsWith(prefix)
        case "between":
            guard case .array(let ends) = value, ends.count == 2 else { throw .unrecognizedFilter }
            return .between(stored(ends[0]), stored(ends[1]))
        default: return nil
        }
    }

    private func compositeCondition(
        _ name: String, _ value: JSONValue, _ sort: SortArgument
    ) throws(FieldFailure) -> KeyQuery.SortCondition? {
        let path = "\(sort.name).\(name)"
        guard name == "between" else {
            let text = try compositeText(value, sort, path: path)
            return try condition(name, value) { _ in .text(text) }
        }
        guard case .array(let ends) = value, ends.count == 2 else {
            throw .arguments("Argument '\(path)' expects exactly two elements.")
        }
        let low = try compositeText(ends[0], sort, path: path + "[0]")
        let high = try compositeText(ends[1], sort, path: path + "[1]")
        return .between(.text(low), .text(high))
    }

    /// The given leading fields as one text. None may be left out before another.
    private func compositeText(
        _ value: JSONValue, _ sort: SortArgument, path: String
    ) throws(FieldFailure) -> String {
        var values: [StoredValue] = []
        var missing: String?
        for field in sort.fields {
            guard let given = value[field], !given.isNull else {
                missing = missing ?? field
                continue
            }
            if let missing {
                throw .arguments(
                    "When providing argument '\(path).\(field)' you must also provide '\(path).\(missing)'.")
            }
            values.append(self.value(given, of: field))
        }
        return CompositeKey.text(of: values)
    }
}
