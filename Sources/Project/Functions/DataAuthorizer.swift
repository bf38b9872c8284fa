/// The function that says who may call an API, as `lambdaAuthorizationMode` has it.
package struct DataAuthorizer: Sendable, Equatable {
    package let function: FunctionReference
    /// How long what it says holds; nil: as long as AppSync's own.
    package let cacheSeconds: Int?

    package init(_ function: FunctionReference, cacheSeconds: Int?) {
        (self.function, self.cacheSeconds) = (function, cacheSeconds)
    }
}
