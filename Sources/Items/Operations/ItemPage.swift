import JSON
import Store

/// A page of a query or a scan: what is read, what of it is shown, and where the next one begins.
struct ItemPage: Sendable {
    /// Nil where only counts are wanted.
    var items: [Item]?
    var count = 0
    var scanned = 0
    /// What was gone through, in bytes.
    var bytes = 0
    var last: Item?
}

/// What makes a page of a stretch of a table.
struct PageReading: Sendable {
    let table: any ItemTable
    var plan: PagePlan
    var limit: Int64?
    var filter: Condition?
    var projection: RequestedParts?
    var isCount = false
    /// Whether an index shows all of an item, whatever it has of it.
    var isWhole = false

    func page(in reader: some RoomReading) throws(ItemFailure) -> ItemPage {
        var page = ItemPage(items: isCount ? nil : [])
        let shape = table.shape
        try table.items(of: plan, in: reader) { item throws(ItemFailure) in
            let seen = isWhole ? item : plan.index?.projected(item, of: shape.key) ?? item
            page.scanned += 1
            page.bytes += seen.size
            if filter?.holds(for: seen) ?? true {
                page.count += 1
                page.items?.append(projection?.project(seen) ?? seen)
            }
            guard Int64(page.scanned) != limit, page.bytes < TableLimits.pageBytesMax else {
                page.last = key(of: item)
                return false
            }
            return true
        }
        return page
    }

    private func key(of item: Item) -> Item {
        let shape = table.shape
        let attributes = (plan.index?.key.attributes ?? []) + shape.key.attributes
        return Item(attributes.compactMap { attribute in item[attribute.name].map { (attribute.name, $0) } })
    }
}

extension ItemPage {
    /// The page as an answer. What it holds is written without a tree of values.
    func answer(_ capacity: JSONValue?) -> ItemAnswer {
        var bytes: [UInt8] = [UInt8(ascii: "{")]
        if let items {
            JSONWriter.writeKey("Items", to: &bytes)
            bytes.append(UInt8(ascii: "["))
            for (place, item) in items.enumerated() {
                if place > 0 { bytes.append(UInt8(ascii: ",")) }
                item.write(to: &bytes)
            }
            bytes += [UInt8(ascii: "]"), UInt8(ascii: ",")]
        }
        JSONWriter.writeKey("Count", to: &bytes)
        JSONWriter.writeInteger(Int64(count), to: &bytes)
        bytes.append(UInt8(ascii: ","))
        JSONWriter.writeKey("ScannedCount", to: &bytes)
        JSONWriter.writeInteger(Int64(scanned), to: &bytes)
        if let last {
            bytes.append(UInt8(ascii: ","))
            JSONWriter.writeKey("LastEvaluatedKey", to: &bytes)
            last.write(to: &bytes)
        }
        if let capacity {
            bytes.append(UInt8(ascii: ","))
            JSONWriter.writeKey("ConsumedCapacity", to: &bytes)
            JSONWriter.write(capacity, to: &bytes)
        }
        bytes.append(UInt8(ascii: "}"))
        return ItemAnswer(body: bytes)
    }
}
