import Blueprint
import JSON
import Store

/// The rules of a model for the values of a mutation: worked out once, when somebody changes a record of it first.
final class InputRules: Sendable {
    /// True if its create has the name that it gets when nobody gives it one: defaults and validations hang on that.
    let hasUsualCreate: Bool
    let hasUsualUpdate: Bool
    /// The fields that have a value where none is given; none if the create has an unusual name.
    let defaults: [(field: String, value: JSONValue)]
    /// The fields that want the next whole number of their column.
    let generatedFields: [String]
    let validatedFields: [ModelField]
    /// The fields that get the time of a create or an update. Its text goes into a text only: in the cloud it is stored into a number
    /// too, which then cannot be read.
    let creationTimes: [String]
    let updateTimes: [String]
    /// The fields of keys in the order in which the cloud's database looks at them.
    let keyAttributes: [CheckedAttribute]

    init(_ model: Model, in table: TableLayout) {
        hasUsualCreate = model.operations.create == Names.operation("create", model.name)
        hasUsualUpdate = model.operations.update == Names.operation("update", model.name)
        defaults =
            hasUsualCreate
            ? model.fields.compactMap { field in
                guard let text = field.defaultValue, let column = table.column(of: field.name) else { return nil }
                return (field.name, Self.value(text, as: column.kind))
            } : []
        generatedFields = model.fields.filter(\.isGenerated).map(\.name)
        validatedFields = model.fields.filter { !$0.validations.isEmpty }
        let times = model.timestamps
        let fields = [times.createdAt, times.updatedAt].compactMap(\.self)
        creationTimes = fields.filter { table.column(of: $0)?.kind == .text }
        updateTimes = creationTimes.filter { $0 == times.updatedAt }
        var attributes: [CheckedAttribute] = []
        if let key = table.primaryKey {
            attributes = ([key.partition] + key.sort).map { CheckedAttribute(ofPrimaryKey: $0) }
        }
        let declared = model.indexes.map { (index: $0, isDeclared: true) }
        let added = model.relationIndexes.map { (index: $0, isDeclared: model.indexes.contains($0)) }
        for (index, isDeclared) in declared + added {
            // Several sort fields are one attribute, which is text and never empty.
            let parts = index.sort.count > 1 ? [index.partition] : index.parts
            for (place, part) in parts.enumerated() {
                attributes.append(CheckedAttribute(part, of: index, dropsNull: isDeclared && place == 0))
            }
        }
        keyAttributes = attributes
    }

    private static func value(_ text: String, as kind: ColumnKind) -> JSONValue {
        switch kind {
        case .text: .string(text)
        case .integer: Int64(text).map { .integer($0) } ?? .null
        case .real: Double(text).map { .double($0) } ?? .null
        case .boolean: .bool(text.lowercased() == "true")
        case .json, .list, .object: (try? JSONReader.value(of: text)) ?? .string(text)
        }
    }
}

/// A field that is part of a key in the cloud's database, with the database's words on values that it does not take there.
struct CheckedAttribute: Sendable {
    let field: String
    let refusalOfEmptyText: String
    /// Nil for a primary key: others look at its nulls.
    let refusalOfNull: String?
    /// True if a create leaves a null out instead of being refused.
    let dropsNull: Bool

    init(ofPrimaryKey field: String) {
        self.field = field
        refusalOfEmptyText =
            "One or more parameter values are not valid. The AttributeValue for a key attribute cannot "
            + "contain an empty string value. Key: \(field)"
        refusalOfNull = nil
        dropsNull = false
    }

    init(_ part: KeyPart, of index: ModelIndex, dropsNull: Bool) {
        field = part.field
        refusalOfEmptyText =
            "One or more parameter values are not valid. A value specified for a secondary index key is "
            + "not supported. The AttributeValue for a key attribute cannot contain an empty string "
            + "value. IndexName: \(index.name), IndexKey: \(part.field)"
        let isNumber = ScalarKind(scalar: part.typeName).map { $0 == .int || $0 == .float } ?? false
        refusalOfNull =
            "One or more parameter values were invalid: Type mismatch for Index Key \(part.field) "
            + "Expected: \(isNumber ? "N" : "S") Actual: NULL IndexName: \(index.name)"
        self.dropsNull = dropsNull
    }
}
