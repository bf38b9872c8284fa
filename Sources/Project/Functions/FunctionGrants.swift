import Blueprint

/// What a project gives the role of a function or of a data source, as far as its files say it.
package struct FunctionGrants: Sendable, Equatable {
    /// One statement of a policy, with the parts of it that cannot be read.
    package struct Statement: Sendable, Equatable {
        package var isAllowing = true
        /// `dynamodb:GetItem`, `s3:*`
        package var actions: [String] = []
        package var isForOtherActions = false
        package var hasUnreadActions = false
        /// ARNs, some of which are known only when the server runs.
        package var resources: [FunctionVariable.Value] = []
        package var isForOtherResources = false
        package var hasUnreadResources = false
        /// The beginnings of keys under which alone it lets somebody list them (`s3:prefix`); nil: it says nothing of that.
        package var prefixes: [String]?
        /// True if it holds under another condition, which nobody here can judge.
        package var isConditional = false

        package init() {}

        package init(_ actions: [String], on resources: [FunctionVariable.Value] = [.text("*")]) {
            (self.actions, self.resources) = (actions, resources)
        }
    }

    package private(set) var statements: [Statement] = []
    /// Where rights come from that cannot be read, in words.
    package private(set) var unread: [String] = []

    /// As many as any role has.
    private static let countMax = 1_000

    package init() {}

    package init(_ statements: [Statement]) { self.statements = statements }

    package mutating func add(_ statement: Statement) {
        guard statements.count < Self.countMax else { return add(unread: "more than \(Self.countMax) statements") }
        statements.append(statement)
    }

    package mutating func add(unread what: String) {
        guard unread.count < Self.countMax, !unread.contains(what) else { return }
        unread.append(what)
    }

    package mutating func add(_ others: FunctionGrants) {
        for statement in others.statements { add(statement) }
        for what in others.unread { add(unread: what) }
    }

    /// A policy of AWS's own, by its name or its ARN.
    package mutating func add(managed name: String) {
        guard let actions = ManagedPolicies.actions(of: name) else { return add(unread: "the policy \(name)") }
        if !actions.isEmpty { add(Statement(actions)) }
    }

    /// Without a project there is nothing to be read.
    package var isEmpty: Bool { statements.isEmpty && unread.isEmpty }
}
