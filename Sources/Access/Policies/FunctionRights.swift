import JSON
import Synchronization

/// What one function of the app may do with the services that are served here: what its project gives it, and where that cannot all
/// be read, in development, the rest of it too.
///
/// An answer is worked out once for an action and a resource, and remembered: nothing is put together for a call that was asked before.
package final class FunctionRights: Sendable {
    /// What is told of a decision that a person should know of, each once.
    package struct Notice: Sendable {
        package let function: String
        package let action: String
        package let resource: PolicyResource
        /// Why it is allowed though nothing that was read allows it; nil: it is denied.
        package let unread: [String]?
        /// True if a statement denies it.
        package let isDenied: Bool
    }

    package let function: String
    /// The session of its role, as refusals name it.
    package let userARN: String
    private let region: String
    private let accountID: String
    package let policy: RolePolicy
    /// True if what could not be read gives nothing.
    package let isStrict: Bool
    private let report: @Sendable (Notice) -> Void
    private let memory = Mutex(Memory())

    private struct Question: Hashable {
        let action: String
        let resource: PolicyResource

        static func == (left: Question, right: Question) -> Bool {
            left.action == right.action && left.resource == right.resource
        }

        func hash(into hasher: inout Hasher) {
            hasher.combine(ByteText(action))
            hasher.combine(resource)
        }
    }

    private struct Memory {
        var answers: [Question: RolePolicy.Verdict] = [:]
        var told: Set<Question> = []
    }

    /// - Parameters:
    ///   - isStrict: whether what could not be read gives nothing.
    ///   - session: the session of its role; nil: the function's name.
    ///   - report: is told of what a person should know.
    package init(
        _ function: String, _ policy: RolePolicy, isStrict: Bool, region: String,
        accountID: String = IAMPrincipal.exampleAccountID, session: String? = nil,
        report: @escaping @Sendable (Notice) -> Void = { _ in }
    ) {
        (self.function, self.policy, self.isStrict, self.report) = (function, policy, isStrict, report)
        (self.region, self.accountID) = (region, accountID)
        userARN =
            ARN("sts", region: "", account: accountID, "assumed-role/\(function)/\(session ?? function)").description
    }

    /// The statements of a policy without any that could be read: it gives everything in development, and nothing otherwise.
    package static let unknown = RolePolicy(unread: ["nothing says what it may do"])

    // MARK: Decisions

    /// Why the function may not do something; nil: it may.
    ///
    /// - Parameter isRemembered: whether the same is likely to be asked again. Keys of files are not.
    package func refusal(
        of action: String, on resource: PolicyResource, isRemembered: Bool = true
    ) -> Refusal? {
        refusal(of: action, onOneOf: [resource], isRemembered: isRemembered)
    }

    /// The same of something that has several names, each of which a policy may use. What is denied under one is denied.
    package func refusal(
        of action: String, onOneOf names: [PolicyResource], isRemembered: Bool = true
    ) -> Refusal? {
        let verdicts = names.map { verdict(on: action, $0, isRemembered: isRemembered) }
        let resource = names.first ?? .all(of: "")
        if verdicts.contains(.denied) { return denial(of: action, resource, isDenied: true) }
        if verdicts.contains(.allowed) { return nil }
        guard verdicts.contains(.unread), !isStrict else { return denial(of: action, resource, isDenied: false) }
        tellOnce(Question(action: action, resource: .all(of: resource.service))) {
            Notice(
                function: function, action: action, resource: resource, unread: policy.unread, isDenied: false)
        }
        return nil
    }

    /// Hot path: nothing is put together for a question that is remembered.
    private func verdict(
        on action: String, _ resource: PolicyResource, isRemembered: Bool
    ) -> RolePolicy.Verdict {
        guard isRemembered else { return policy.verdict(on: action, resource) }
        let question = Question(action: action, resource: resource)
        if let known = memory.withLock({ $0.answers[question] }) { return known }
        let verdict = policy.verdict(on: action, resource)
        memory.withLock { memory in
            // Names are the callers' own: there may be any number of them.
            if memory.answers.count >= AccessLimits.rightsRemembered { memory.answers = [:] }
            memory.answers[question] = verdict
        }
        return verdict
    }

    private func denial(of action: String, _ resource: PolicyResource, isDenied: Bool) -> Refusal {
        tellOnce(Question(action: action, resource: resource)) {
            Notice(function: function, action: action, resource: resource, unread: nil, isDenied: isDenied)
        }
        return .accessDenied(userARN, action: action, resource: arn(of: resource), isByStatement: isDenied)
    }

    private func tellOnce(_ question: Question, _ notice: () -> Notice) {
        let isNew = memory.withLock { memory in
            guard memory.told.count < AccessLimits.rightsTold else { return false }
            return memory.told.insert(question).inserted
        }
        if isNew { report(notice()) }
    }

    /// The whole name of a resource.
    private func arn(of resource: PolicyResource) -> String {
        guard resource.name != "*" || !resource.kind.isEmpty else { return "*" }
        let name = "\(resource.kind)\(resource.name)"
        return resource.service == "s3"
            ? ARN.file(name).description
            : ARN(resource.service, region: region, account: accountID, name).description
    }
}

extension FunctionRights: Equatable {
    package static func == (left: FunctionRights, right: FunctionRights) -> Bool { left === right }
}

/// What a call asks for: an action, and what it is done to, by all its names.
package struct RightsDemand: Sendable {
    package let action: String
    package let resources: [PolicyResource]

    package init(_ action: String, _ resources: PolicyResource...) {
        (self.action, self.resources) = (action, resources)
    }

    package init(_ action: String, oneOf resources: [PolicyResource]) {
        (self.action, self.resources) = (action, resources)
    }
}

extension FunctionRights {
    /// Why not all of it may be done; nil: it may.
    package func refusal(of demands: [RightsDemand], of service: String, _ action: String) -> Refusal? {
        guard !demands.isEmpty else {
            return refusal(of: "\(service):\(action)", on: .all(of: service), isRemembered: false)
        }
        for demand in demands {
            if let refusal = refusal(of: demand.action, onOneOf: demand.resources) { return refusal }
        }
        return nil
    }
}
