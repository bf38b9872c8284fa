import Blueprint
import JSON

/// A table of a Gen 1 project, as `amplify add storage` keeps it in `amplify/backend/storage/NAME`: in `cli-inputs.json`, in the first
/// years in its template.
package struct Version1Table: Sendable, Equatable {
    /// The name of its folder, by which the parameters of functions name it.
    package let resource: String
    /// Without the name of the environment, which Amplify puts behind it.
    package let name: String
    package let partitionKey: TableResource.Part
    package let sortKey: TableResource.Part?
    private let indexes: [TableResource.Index]

    /// The part of a change that the stream of each such table shows.
    private static let view = "NEW_IMAGE"

    /// Nil where the file is that of a bucket, or of no form that is known.
    package init?(_ resource: String, _ file: JSONValue) {
        guard let name = file["tableName"]?.string, let key = Self.part(file["partitionKey"]) else { return nil }
        self.resource = resource
        self.name = name
        partitionKey = key
        sortKey = Self.part(file["sortKey"])
        indexes = (file["gsi"]?.array ?? []).compactMap { index in
            guard let name = index["name"]?.string, let key = Self.part(index["partitionKey"]) else { return nil }
            return TableResource.Index(name, partition: key, sort: Self.part(index["sortKey"]))
        }
    }

    private static func part(_ value: JSONValue?) -> TableResource.Part? {
        guard let name = value?["fieldName"]?.string else { return nil }
        let type =
            switch value?["fieldType"]?.string {
            case "number": "N"
            case "binary": "B"
            default: "S"
            }
        return TableResource.Part(name: name, type: type)
    }

    /// - Parameters:
    ///   - template: `NAME-cloudformation-template.json`.
    ///   - parameters: `parameters.json`.
    package init?(_ resource: String, template: JSONValue, parameters: JSONObject) {
        let template = StackTemplate(template, parameters: parameters, environment: StackTemplate.noEnvironment)
        guard let table = template.resources("AWS::DynamoDB::Table").first?.properties else { return nil }
        let definitions = table["AttributeDefinitions"]?.array ?? []
        let types = definitions.compactMap { definition -> TableResource.Part? in
            guard let name = template.text(definition["AttributeName"]),
                let type = template.text(definition["AttributeType"])
            else { return nil }
            return TableResource.Part(name: name, type: type)
        }
        func part(_ kind: String, of schema: JSONValue?) -> TableResource.Part? {
            let part = schema?["KeySchema"]?.array?.first { template.text($0["KeyType"]) == kind }
            return template.text(part?["AttributeName"]).flatMap { name in types.first { $0.name == name } }
        }
        func indexes(_ member: String, isLocal: Bool) -> [TableResource.Index] {
            (table[member]?.array ?? []).compactMap { index in
                guard let name = template.text(index["IndexName"]), let key = part("HASH", of: index) else {
                    return nil
                }
                return TableResource.Index(name, partition: key, sort: part("RANGE", of: index), isLocal: isLocal)
            }
        }
        guard let key = part("HASH", of: table) else { return nil }
        self.resource = resource
        name = parameters["tableName"]?.string ?? template.text(table["TableName"]) ?? resource
        partitionKey = key
        sortKey = part("RANGE", of: table)
        self.indexes =
            indexes("GlobalSecondaryIndexes", isLocal: false) + indexes("LocalSecondaryIndexes", isLocal: true)
    }

    package func deployedName(in environment: String) -> String { "\(name)-\(environment)" }

    /// The table that is made.
    package func made(in environment: String) -> TableResource {
        var table = TableResource(deployedName(in: environment))
        table.partition = partitionKey
        table.sort = sortKey
        table.indexes = indexes
        table.stream = Self.view
        return table
    }
}
