import JSON

/// What is known of a schema beside its document, when that was made from another language.
package struct DocumentNotes: Sendable {
    /// True if its author writes TypeScript, and is to be advised in that.
    package var isOfTypeScript = false
    /// True if API keys may use types without rules.
    package var isSandbox = false
    /// What computes fields without a directive that says so.
    package var resolvers: [FieldPath: FieldResolver] = [:]
    /// Files in the place of what Amplify makes to call functions, by Amplify's names.
    package var invocations: [ByteText: CustomHandler] = [:]
    /// The handlers of conversations that are Amplify's own, by the names that the schema has for them.
    package var amplifysHandlers: Set<String> = []
    /// The models that lie in an SQL database.
    package var sqlModels: Set<String> = []
    /// The fields of root types that belong to one.
    package var sqlFields: Set<FieldPath> = []
    /// True if the project is known to have no user pool, so that Amplify would refuse rules that need one.
    package var lacksUsers = false

    package init(isOfTypeScript: Bool = false, isSandbox: Bool = false) {
        (self.isOfTypeScript, self.isSandbox) = (isOfTypeScript, isSandbox)
    }

    /// The steps of a field are in their order.
    package mutating func add(_ handlers: [CustomHandler]) {
        for handler in handlers {
            guard handler.role != .invocation else {
                invocations[handler.fieldName] = handler
                continue
            }
            let path = FieldPath(type: handler.typeName, field: handler.fieldName)
            var steps: [CustomHandler] = []
            if case .scripts(let before)? = resolvers[path] { steps = before }
            resolvers[path] = .scripts(steps + [handler])
        }
    }
}
