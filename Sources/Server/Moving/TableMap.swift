import Blueprint
import Items
import JSON
import Moving
import Store

/// Which model the items of a table are records of.
struct TableMap: Sendable {
    /// By the numbers of the layout's tables.
    let items: [RecordItem]
    private let numbers: [ByteText: Int]
    /// The columns of the fields that the schema requires, by the same numbers.
    let required: [[Int]]

    /// - Parameter layout: has the tables of the blueprint's models.
    init(_ blueprint: Blueprint, _ layout: DatabaseLayout) {
        var names: [ByteText: String] = [:]
        for model in blueprint.models { names[model.storedName] = model.name }
        items = layout.tables.map { RecordItem(table: $0, typeName: names[$0.model] ?? $0.model) }
        var numbers: [ByteText: Int] = [:]
        for (number, item) in items.enumerated() { numbers[item.table.model] = number }
        // A model that `@mapsTo` gives the name of another one's data keeps its own where nobody else has it.
        for (number, item) in items.enumerated() where numbers[item.typeName] == nil { numbers[item.typeName] = number }
        self.numbers = numbers
        required = items.map { item in
            guard let model = blueprint.models.first(where: { ByteText($0.storedName) == ByteText(item.table.model) })
            else {
                return []
            }
            return item.table.columns.indices.filter {
                model.storedType(of: item.table.columns[$0].field)?.isRequired == true
            }
        }
    }

    /// The model of a table, by its name.
    func number(ofTable name: String) -> Int? { numbers[AmplifyTable(name)?.model ?? name] }

    /// The models whose key an item has, and all of whose attributes have fields.
    func number(of item: Item) throws(MovedItem.Misfit) -> Int {
        if case .string(let name)? = item["__typename"] {
            guard let number = numbers[name] else {
                throw MovedItem.Misfit(reason: "its __typename is \(name), and the schema has no such model")
            }
            return number
        }
        let fitting = items.indices.filter { number in
            (try? items[number].moved(item, nowMilliseconds: 0))?.unknown.isEmpty == true
        }
        guard fitting.count == 1, let number = fitting.first else {
            let names = fitting.map { items[$0].typeName }.joined(separator: ", ")
            throw MovedItem.Misfit(
                reason: "it has no __typename, the name of its table is not known, and "
                    + (fitting.isEmpty ? "no model fits it" : "it fits \(names)"))
        }
        return number
    }
}
