import Crypto
import JSON

/// What a call does to one table, as IAM calls it: who is not allowed everything is asked for each.
package struct ItemDemand: Sendable, Equatable {
    /// `dynamodb:GetItem`
    package let action: String
    /// What the end of the ARN is after `table/`: the name of a table, of one with an index or a stream, or `*` for none.
    package let place: String

    static let everywhere = "*"
    private static let service = "dynamodb:"

    init(_ action: String, _ place: String?) {
        self.action = Self.service + action
        self.place = place ?? Self.everywhere
    }

    package static func == (left: ItemDemand, right: ItemDemand) -> Bool {
        left.action == right.action && left.place == right.place
    }

    /// Whether it names a table.
    package var isOfTable: Bool { place != Self.everywhere }
}

extension ItemRun {
    /// What a call asks for. It is read as the operations themselves read it; what they refuse may be named in any way.
    func demands(_ operation: ItemOperation) -> [ItemDemand] {
        let name = operation.rawValue
        switch operation {
        case .query, .scan:
            guard let index = told("IndexName") else { return [ItemDemand(name, toldTable)] }
            return [ItemDemand(name, toldTable.map { "\($0)/index/\(index)" })]
        case .getItem, .putItem, .updateItem, .deleteItem, .createTable, .describeTable, .updateTable, .deleteTable,
            .updateTimeToLive, .describeTimeToLive, .describeContinuousBackups:
            return [ItemDemand(name, toldTable)]
        case .batchGetItem, .batchWriteItem:
            let tables = (fields["RequestItems"]?.object?.keys ?? []).map(service.settings.tableName)
            return tables.isEmpty ? [ItemDemand(name, nil)] : tables.map { ItemDemand(name, $0) }
        case .transactGetItems: return transaction([("Get", "GetItem")])
        case .transactWriteItems:
            return transaction([
                ("ConditionCheck", "ConditionCheckItem"), ("Delete", "DeleteItem"), ("Put", "PutItem"),
                ("Update", "UpdateItem"),
            ])
        case .tagResource, .untagResource, .listTagsOfResource:
            return [ItemDemand(name, told("ResourceArn").flatMap(service.settings.table(ofARN:)))]
        case .describeStream, .getShardIterator:
            return [ItemDemand(name, told("StreamArn").flatMap(service.settings.table(ofARN:)))]
        case .getRecords:
            let stream = told("ShardIterator").flatMap(Self.stream(ofIterator:))
            return [ItemDemand(name, stream.flatMap(service.settings.table(ofARN:)))]
        case .executeStatement: return statementDemands([.object(fields.object)])
        case .batchExecuteStatement: return statementDemands(fields["Statements"]?.array ?? [])
        case .executeTransaction: return statementDemands(fields["TransactStatements"]?.array ?? [])
        case .listStreams, .listTables, .describeLimits, .describeEndpoints:
            return [ItemDemand(name, nil)]
        }
    }

    private func told(_ name: String) -> String? { (try? fields.text(name)) ?? nil }

    private var toldTable: String? { told("TableName").map(service.settings.tableName) }

    /// Each entry is one of the operations that stand alone.
    private func transaction(_ actions: [(member: String, action: String)]) -> [ItemDemand] {
        var demands: [ItemDemand] = []
        for entry in (fields["TransactItems"]?.array ?? []).prefix(TableLimits.transactionItemsMax) {
            for member in entry.object?.members ?? [] {
                guard let action = actions.first(where: { $0.member == member.key })?.action,
                    let inner = try? RequestFields(member.value)
                else { continue }
                let table = (try? inner.text("TableName")) ?? nil
                let demand = ItemDemand(action, table.map(service.settings.tableName))
                if !demands.contains(demand) { demands.append(demand) }
            }
        }
        return demands.isEmpty ? actions.map { ItemDemand($0.action, nil) } : demands
    }
}
