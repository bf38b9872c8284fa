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

    package init(_ name: String, _ kind: Kind) {
        self.name = name
        self.kind = kind
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
        package let name: String
        package let partition: Part
        package let sort: Part?

        package init(_ name: String, partition: Part, sort: Part?) {
            self.name = name
            self.partition = partition
            self.sort = sort
        }
    }

    package let name: String
    /// Nil: the project refers to a table that is there already.
    package var partition: Part?
    package var sort: Part?
    package var indexes: [Index] = []

    package init(_ name: String) { self.name = name }
}
