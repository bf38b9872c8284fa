import Blueprint
import JSON

/// A table of a Gen 1 project, as `amplify add storage` keeps it in `amplify/backend/storage/NAME/cli-inputs.json`. Nothing serves it
/// here; clients are told its name.
package struct Version1Table: Sendable, Equatable {
    package struct Key: Sendable, Equatable {
        package let name: String
        /// As DynamoDB writes it: `S`, `N`, `B`.
        package let type: String

        init?(_ value: JSONValue?) {
            guard let name = value?["fieldName"]?.string else { return nil }
            self.name = name
            switch value?["fieldType"]?.string {
            case "number": type = "N"
            case "binary": type = "B"
            default: type = "S"
            }
        }
    }

    /// Without the name of the environment, which Amplify puts behind it.
    package let name: String
    package let partitionKey: Key
    package let sortKey: Key?

    /// Nil where the file is that of a bucket, or of no form that is known.
    package init?(_ file: JSONValue) {
        guard let name = file["tableName"]?.string, let key = Key(file["partitionKey"]) else { return nil }
        self.name = name
        partitionKey = key
        sortKey = Key(file["sortKey"])
    }
}
