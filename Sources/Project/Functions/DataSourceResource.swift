import Blueprint

/// What resolvers of a project's own work on, as `amplify/backend.ts` or a template adds it to the API.
package struct DataSourceResource: Sendable, Equatable {
    package enum Kind: Sendable, Equatable {
        /// The table of a model.
        case model(String)
        /// A table of the project's own.
        case table(TableResource)
        /// A service that is called over HTTP, and for what requests to it are signed.
        case http(endpoint: String, signing: Signing?)
        /// A function, by the name that the project calls it.
        case function(String)
        /// A bus of events.
        case events(bus: String)
        /// A domain of OpenSearch, where its address is known.
        case search(endpoint: String?)
        /// A relational database.
        case database
        /// Language models.
        case models
        case none
    }

    package struct Signing: Sendable, Equatable {
        package let service: String
        package let region: String

        package init(service: String, region: String) {
            self.service = service
            self.region = region
        }
    }

    /// By which resolvers name it.
    package let name: String
    package let kind: Kind
    /// The rights of its role, as far as the project says them.
    package var grants: FunctionGrants

    package init(_ name: String, _ kind: Kind, grants: FunctionGrants = FunctionGrants()) {
        self.name = name
        self.kind = kind
        self.grants = grants
    }
}

/// A table of a project's own, as `new Table(...)` says it.
package struct TableResource: Sendable, Equatable {
    /// A part of a key: the attribute, and `S`, `N` or `B`.
    package struct Part: Sendable, Equatable {
        package let name: String
        package let type: String

        package init(name: String, type: String) {
            self.name = name
            self.type = type
        }
    }

    package struct Index: Sendable, Equatable {
        /// What of an item it has beside the keys.
        package enum Projection: Sendable, Equatable {
            case all
            case keysOnly
            case include([String])
        }

        package let name: String
        package let partition: Part
        package let sort: Part?
        package let projection: Projection
        /// True if it has the partition key of its table, and comes and goes with it.
        package let isLocal: Bool

        package init(
            _ name: String, partition: Part, sort: Part?, projection: Projection = .all, isLocal: Bool = false
        ) {
            self.name = name
            self.partition = partition
            self.sort = sort
            self.projection = projection
            self.isLocal = isLocal
        }
    }

    package let name: String
    /// Nil: the project refers to a table that is there already.
    package var partition: Part?
    package var sort: Part?
    package var indexes: [Index] = []
    /// The attribute that says when an item is to go.
    package var expiry: String?
    /// What its stream shows of changes: `NEW_IMAGE` and the like; nil: it has none.
    package var stream: String?

    package init(_ name: String) { self.name = name }

    private static let nameBytesMin = 3
    private static let nameBytesMax = 240

    /// The name of a table that has that of its place: of the characters that DynamoDB's names have, and long enough for one.
    package static func name(ofPlace place: String) -> String {
        let name = ResourceName.of(place, bytesMax: nameBytesMax, signs: "-_.")
        return name.utf8.count < nameBytesMin ? "Table-\(name)" : name
    }
}
