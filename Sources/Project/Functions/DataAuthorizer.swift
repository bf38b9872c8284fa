/// The function that authorizes calls of an API (`lambdaAuthorizationMode`).
package struct DataAuthorizer: Sendable, Equatable {
    package let function: FunctionReference
    /// The seconds for which its answer holds; nil: as many as on AppSync.
    package let cacheSeconds: Int?

    package init(_ function: FunctionReference, cacheSeconds: Int?) {
        (self.function, self.cacheSeconds) = (function, cacheSeconds)
    }
}
