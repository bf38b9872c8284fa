import Blueprint

/// A function that hears of some of the files of a place, as `bucket.addEventNotification(...)` in `amplify/backend.ts` says it.
package struct StorageListener: Sendable, Equatable {
    /// What the project calls the function.
    package let function: String
    /// What it hears of, in S3's words without `s3:`, such as `ObjectCreated:*`.
    package let events: [String]
    /// What keys begin and end with that it hears of.
    package let prefix: String
    package let suffix: String

    package init(_ function: String, of events: [String], prefix: String = "", suffix: String = "") {
        self.function = function
        self.events = events
        self.prefix = prefix
        self.suffix = suffix
    }
}
