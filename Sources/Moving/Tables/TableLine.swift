import Items
import JSON

/// An entry of a file of a table: an item, or what became of one in the time of an incremental export.
package enum TableLine: Sendable {
    case item(Item)
    case change(Change)
    /// An item that was read as a row of its model at once.
    case row(MovedItem)

    /// The last state of an item.
    package struct Change: Sendable {
        package let keys: Item
        /// Nil: it is deleted.
        package let new: Item?
        /// Nil where it is new, or the export has new images only.
        package let old: Item?
        /// When it was written, in microseconds since 1970; nil where the line does not say.
        package let microseconds: Int64?
    }

    /// Why a line is none. Its item is named where it has one.
    package struct Misfit: Error, Sendable {
        package let reason: String
    }
}

extension TableLine {
    /// Reads a line of DynamoDB's JSON.
    package init(json bytes: UnsafeRawBufferPointer) throws(Misfit) {
        self = try TableLine(try Self.object(of: bytes))
    }

    /// Reads a line of Ion's text: one entry, or those of a list.
    package static func lines(ion bytes: UnsafeRawBufferPointer) throws(Misfit) -> [TableLine] {
        let objects: [JSONObject]
        do throws(IonReader.Fault) { objects = try IonReader.objects(of: bytes) } catch {
            throw Misfit(reason: error.message)
        }
        var lines: [TableLine] = []
        for object in objects { lines.append(try TableLine(object)) }
        return lines
    }

    /// Reads an element of a page, which is an item without anything around it.
    package static func element(_ bytes: UnsafeRawBufferPointer) throws(Misfit) -> TableLine {
        let object = try object(of: bytes)
        return .item(try item(.object(object), "the item"))
    }

    private static func object(of bytes: UnsafeRawBufferPointer) throws(Misfit) -> JSONObject {
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONReader.value(of: bytes, limits: JSONLimits(bytesMax: MovingLimits.elementBytesMax))
        } catch {
            throw Misfit(reason: "column \(error.position.column): expected \(error.expected), found \(error.found)")
        }
        guard let object = value.object else { throw Misfit(reason: "expected an object, found \(value.kind)") }
        return object
    }

    private init(_ object: JSONObject) throws(Misfit) {
        if let item = object["Item"] {
            self = .item(try Self.item(item, "Item"))
            return
        }
        guard let keys = object["Keys"] else {
            throw Misfit(reason: #"expected {"Item": {…}}, or Keys and images, found \#(Self.shown(object))"#)
        }
        var moment: Int64?
        if let stamp = object["Metadata"]?["WriteTimestampMicros"]?["N"]?.string { moment = Int64(stamp) }
        self = .change(
            Change(
                keys: try Self.item(keys, "Keys"),
                new: try object["NewImage"].map { image throws(Misfit) in try Self.item(image, "NewImage") },
                old: try object["OldImage"].map { image throws(Misfit) in try Self.item(image, "OldImage") },
                microseconds: moment))
    }

    private static func shown(_ object: JSONObject) -> String {
        object.isEmpty ? "nothing in it" : object.keys.prefix(5).joined(separator: ", ")
    }

    private static func item(_ json: JSONValue, _ name: String) throws(Misfit) -> Item {
        let item: Item
        do throws(ItemError) { item = try Item(json: json, isStrict: true) } catch {
            throw Misfit(reason: "\(name): \(error.message)")
        }
        return try checked(item, name)
    }

    /// Refuses an item that no table can hold.
    static func checked(_ item: Item, _ name: String) throws(Misfit) -> Item {
        let size = item.size
        guard size <= ItemLimits.itemBytesMax else {
            throw Misfit(reason: "\(name) has \(size) bytes, and an item at most \(ItemLimits.itemBytesMax)")
        }
        return item
    }
}

extension Item {
    /// True for an entry of the log that AppSync keeps of DataStore's changes. Its records are in the tables of the models.
    package var isOfDeltaTable: Bool { self["ds_pk"] != nil && self["ds_sk"] != nil }
}
