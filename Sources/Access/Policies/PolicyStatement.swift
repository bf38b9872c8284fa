import JSON

/// One statement of a policy, as IAM has them, with what of it could not be read.
package struct PolicyStatement: Sendable, Equatable {
    package enum Effect: Sendable, Equatable {
        case allow
        case deny
    }

    package var effect: Effect
    package var actions: [ActionPattern]
    /// True if it is for all actions but these (`NotAction`).
    package var isForOtherActions = false
    package var resources: [ResourcePattern]
    /// True if it is for all resources but these (`NotResource`).
    package var isForOtherResources = false
    /// The beginnings of keys under which alone it lets somebody list them (`s3:prefix`); nil: it says nothing of that.
    package var prefixes: [PolicyPattern]?
    /// True if it holds under a condition, which nobody here can judge.
    package var isConditional = false
    /// True if it names more than what is said here, which could not be read.
    package var hasUnreadActions = false
    package var hasUnreadResources = false

    package init(_ effect: Effect, actions: [ActionPattern], resources: [ResourcePattern]) {
        (self.effect, self.actions, self.resources) = (effect, actions, resources)
    }

    /// Whether it speaks of something.
    enum Match {
        case no
        case yes
        /// It depends on what could not be read, or on a condition.
        case perhaps
    }

    /// - Parameter call: what else is known of the call; nil: nothing.
    func match(_ action: [UInt8], _ service: [UInt8], _ ending: [UInt8], _ call: PolicyCall?) -> Match {
        let first = Self.match(
            actions.contains { $0.matches(action) }, isInverted: isForOtherActions, hasUnread: hasUnreadActions)
        guard first != .no else { return .no }
        let second = Self.match(
            resources.contains { $0.matches(service, ending, for: call?.identity) }, isInverted: isForOtherResources,
            hasUnread: hasUnreadResources)
        guard second != .no else { return .no }
        let third = matchPrefixes(call)
        guard third != .no else { return .no }
        return first == .yes && second == .yes && third == .yes && !isConditional ? .yes : .perhaps
    }

    /// A call that asks for no beginning of keys is none of those that the condition is for.
    private func matchPrefixes(_ call: PolicyCall?) -> Match {
        guard let prefixes else { return .yes }
        guard let call else { return .perhaps }
        guard let prefix = call.prefix.map({ Array($0.utf8) }) else { return .no }
        return prefixes.contains { $0.matches(prefix, for: call.identity) } ? .yes : .no
    }

    private static func match(_ isNamed: Bool, isInverted: Bool, hasUnread: Bool) -> Match {
        switch (isNamed, isInverted) {
        case (true, false): .yes
        case (true, true): .no
        case (false, false): hasUnread ? .perhaps : .no
        case (false, true): hasUnread ? .perhaps : .yes
        }
    }
}

/// The facts of a call besides its action and its resource.
package struct PolicyCall: Sendable {
    /// The caller's id in the identity pool.
    package let identity: String?
    /// The beginning of the keys that a list asks for.
    package let prefix: String?

    package init(identity: String?, prefix: String? = nil) { (self.identity, self.prefix) = (identity, prefix) }
}

/// What a role may do: statements of which none by itself denies what another one allows but those that say so.
package struct RolePolicy: Sendable, Equatable {
    package var statements: [PolicyStatement]
    /// Where rights come from that cannot be read at all, in words: a policy that is kept elsewhere.
    package var unread: [String]

    package init(_ statements: [PolicyStatement] = [], unread: [String] = []) {
        (self.statements, self.unread) = (statements, unread)
    }

    package static func == (left: RolePolicy, right: RolePolicy) -> Bool {
        left.statements == right.statements && left.unread == right.unread
    }

    package enum Verdict: Sendable, Equatable {
        case allowed
        /// A statement denies it.
        case denied
        /// Nothing that could be read allows it, and what could not be read may.
        case unread
        /// Nothing allows it.
        case notAllowed
    }

    /// What is to become of an action. What denies it goes over what allows it, also where it only may deny it.
    package func verdict(
        on action: String, _ resource: PolicyResource, _ call: PolicyCall? = nil
    ) -> Verdict {
        let (action, service, ending) = (ActionPattern.name(of: action), Array(resource.service.utf8), resource.ending)
        var verdict = unread.isEmpty ? Verdict.notAllowed : .unread
        for statement in statements {
            switch (statement.effect, statement.match(action, service, ending, call)) {
            case (_, .no): continue
            case (.deny, _): return .denied
            case (.allow, .yes): verdict = .allowed
            case (.allow, .perhaps): if verdict == .notAllowed { verdict = .unread }
            }
        }
        return verdict
    }

    /// The same of whatever lies below a place, where rights on a part of it count as rights on all: `apis/ID/types/Query/`.
    package func verdict(on action: String, below place: PolicyResource) -> Verdict {
        let inside = PolicyResource(place.service, place.kind, place.name + "*")
        let whole = verdict(on: action, inside)
        guard whole == .notAllowed || whole == .unread else { return whole }
        let (action, start) = (ActionPattern.name(of: action), place.ending)
        let isNamed = statements.contains { statement in
            statement.effect == .allow && !statement.isConditional && statement.prefixes == nil
                && !statement.isForOtherResources
                && statement.actions.contains { $0.matches(action) } && !statement.isForOtherActions
                && statement.resources.contains { $0.isBelow(start) }
        }
        return isNamed ? .allowed : whole
    }
}
