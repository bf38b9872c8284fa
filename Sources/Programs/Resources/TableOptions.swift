import Blueprint
import Project
import Script

/// The options of `new Table(...)` and of its indexes, as the CDK's own parts have them.
struct TableOptions {
    let object: ScriptObject

    init(_ object: ScriptObject) { self.object = object }

    /// Nil: it is no object that the program has made.
    init?(_ value: ProgramValue) {
        guard let object = value.plain else { return nil }
        self.object = object
    }

    func value(_ name: String) -> ProgramValue { object.value(name) }

    /// Returns whether something is said, other than that there is none.
    func has(_ name: String) -> Bool {
        switch value(name) {
        case .undefined, .null, .boolean(false): false
        default: true
        }
    }

    func text(_ name: String) -> String? { DataSourceRun.text(value(name)) }

    func inner(_ name: String) -> TableOptions? { TableOptions(value(name)) }

    func values(_ name: String) -> [ProgramValue] { value(name).elements }

    /// What is in a list; nil for what cannot be read.
    func list(_ name: String) -> [TableOptions?] { values(name).map(TableOptions.init) }

    /// A text, or the last part of `StreamViewType.NEW_IMAGE`.
    func choice(_ name: String) -> String? {
        if case .object(let object as OpaqueObject) = value(name) {
            return object.origin.split(separator: ".").last.map(String.init)
        }
        return text(name)
    }

    // MARK: Tables

    private static let views = ["KEYS_ONLY", "NEW_IMAGE", "OLD_IMAGE", "NEW_AND_OLD_IMAGES"]

    /// What a stream shows of changes.
    func view(_ name: String) -> String? { choice(name).flatMap { Self.views.contains($0) ? $0 : nil } }

    /// `{ name: 'id', type: AttributeType.STRING }`
    func part(_ name: String) -> TableResource.Part? { inner(name).flatMap(Self.part) }

    private static func part(_ part: TableOptions) -> TableResource.Part? {
        guard let attribute = part.text("name") else { return nil }
        return TableResource.Part(name: attribute, type: part.keyType("type"))
    }

    func keyType(_ name: String) -> String {
        switch choice(name) {
        case "NUMBER", "N": "N"
        case "BINARY", "B": "B"
        default: "S"
        }
    }

    /// A part of an index's key, which may be said as a list of one.
    private func part(_ name: String, orOf list: String) -> (part: TableResource.Part?, isRead: Bool) {
        guard has(list) else { return (part(name), part(name) != nil || !has(name)) }
        let parts = values(list)
        guard parts.count == 1, !has(name) else { return (nil, false) }
        let part = TableOptions(parts[0]).flatMap(Self.part)
        return (part, part != nil)
    }

    /// `{ indexName, partitionKey, sortKey, projectionType, nonKeyAttributes }`; nil: it cannot be read.
    func index(_ name: String, isLocal: Bool, of table: TableResource) -> TableResource.Index? {
        let (partition, sort) = (part("partitionKey", orOf: "partitionKeys"), part("sortKey", orOf: "sortKeys"))
        guard partition.isRead, sort.isRead, let key = isLocal ? table.partition : partition.part,
            let projection = projection("projectionType", "nonKeyAttributes")
        else { return nil }
        return TableResource.Index(name, partition: key, sort: sort.part, projection: projection, isLocal: isLocal)
    }

    /// What an index has of an item; nil: it cannot be read, or it is none.
    func projection(_ type: String, _ attributes: String) -> TableResource.Index.Projection? {
        guard has(type) else { return has(attributes) ? nil : .all }
        let names = values(attributes).map(DataSourceRun.text)
        let all = names.compactMap(\.self)
        switch choice(type) {
        case "ALL" where names.isEmpty: return .all
        case "KEYS_ONLY" where names.isEmpty: return .keysOnly
        case "INCLUDE" where !names.isEmpty && all.count == names.count: return .include(all)
        default: return nil
        }
    }
}

/// The options of `new CfnTable(...)`, which are those of CloudFormation.
struct PlainTableOptions {
    let options: TableOptions
    /// The types of the attributes of keys, by their names.
    private let types: [(name: String, type: String)]

    init(_ object: ScriptObject) {
        let options = TableOptions(object)
        self.options = options
        types = options.list("attributeDefinitions").compactMap { definition in
            definition.flatMap { part in
                part.text("attributeName").map { ($0, part.keyType("attributeType")) }
            }
        }
    }

    /// `keySchema: [{ attributeName: 'id', keyType: 'HASH' }]`
    func key(of part: TableOptions) -> (partition: TableResource.Part, sort: TableResource.Part?)? {
        let schema = part.list("keySchema")
        let parts = schema.compactMap { element -> (type: String, part: TableResource.Part)? in
            guard let element, let name = element.text("attributeName"), let kind = element.text("keyType"),
                let type = types.first(where: { $0.name == name })?.type
            else { return nil }
            return (kind, TableResource.Part(name: name, type: type))
        }
        let (partitions, sorts) = (parts.filter { $0.type == "HASH" }, parts.filter { $0.type == "RANGE" })
        guard parts.count == schema.count, partitions.count == 1, sorts.count <= 1, let first = partitions.first else {
            return nil
        }
        return (first.part, sorts.first?.part)
    }

    var stream: String? { options.inner("streamSpecification")?.view("streamViewType") }

    var expiry: String? {
        guard let written = options.inner("timeToLiveSpecification"), case .boolean(true) = written.value("enabled")
        else { return nil }
        return written.text("attributeName")
    }

    func indexes(isLocal: Bool) -> [(name: String?, index: TableResource.Index?)] {
        options.list(isLocal ? "localSecondaryIndexes" : "globalSecondaryIndexes").map { part in
            guard let part, let name = part.text("indexName") else { return (nil, nil) }
            guard let key = key(of: part),
                let projection = part.inner("projection")?.projection("projectionType", "nonKeyAttributes")
            else { return (name, nil) }
            return (
                name,
                TableResource.Index(
                    name, partition: key.partition, sort: key.sort, projection: projection, isLocal: isLocal)
            )
        }
    }
}
