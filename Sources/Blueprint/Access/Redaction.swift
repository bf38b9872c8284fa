/// Whether a relation is emptied in the results of mutations.
///
/// What a mutation returns is also what subscribers get, and they are judged by the rules of the record's own model.
/// So a relation whose other side may be read by fewer people is left out there. It is decided from the rules alone,
/// for each direction by itself.
extension Blueprint {
    /// Returns whether the relation is null, or has no items, in a mutation's result.
    package func isRedacted(_ relation: Relation) -> Bool {
        guard let parent = model(named: relation.model), let matrix = parent.matrix,
            parent.operations.level == .on
        else { return false }
        let isRestricted = matrix.isRestricted(field: relation.field)
        let isRequired = relation.isRequired && !relation.kind.isMany
        guard !isRequired else { return false }
        if isRestricted { return true }
        guard !settings.subscriptionsInheritPrimaryAuth else { return false }
        guard let related = target(of: relation)?.matrix else { return false }
        return hasOtherAudience(parent: matrix, field: relation.field, related: related)
    }

    /// Returns true where a caller can have the right to read the field and no right to the related model.
    private func hasOtherAudience(parent: AccessMatrix, field: String, related: AccessMatrix) -> Bool {
        var relatedRoles = related.roles.indices
            .filter { number in related.fields.contains { related.mayRead(number, field: $0) } }
        var fieldRoles = parent.roles.indices.filter { parent.mayRead($0, field: field) }
        for provider in [AccessRule.Provider.userPools, .oidc] {
            if relatedRoles.contains(where: { related.roles[$0].isPrivate(of: provider) }) {
                relatedRoles.removeAll { related.roles[$0].isHidden(byPrivate: provider) }
            }
            let dominates = fieldRoles.contains {
                parent.roles[$0].isPrivate(of: provider) && parent.allows($0, .read, field: field)
            }
            if dominates { fieldRoles.removeAll { parent.roles[$0].isHidden(byPrivate: provider) } }
        }
        let theirs = relatedRoles.map { related.roles[$0] }
        let ours = fieldRoles.map { parent.roles[$0] }
        // The first role that could also be a role of the other side decides.
        guard ours.contains(where: { role in theirs.contains { role.overlaps($0) } }) else { return false }
        let isSameAudience =
            ours.count == theirs.count
            && theirs.allSatisfy { role in role.meansTheSameEverywhere && ours.contains { $0.isIdentical(to: role) } }
        return !isSameAudience
    }
}

extension Role {
    /// Returns whether a private role of the provider makes this one irrelevant.
    fileprivate func isHidden(byPrivate other: AccessRule.Provider) -> Bool {
        provider == other && strategy != .private
    }

    /// Returns whether it is the same role, on whatever model.
    fileprivate func isIdentical(to other: Role) -> Bool {
        provider == other.provider && strategy == other.strategy && isStatic == other.isStatic
            && claim == other.claim && entity == other.entity
    }

    /// Returns whether one caller could have both.
    fileprivate func overlaps(_ other: Role) -> Bool {
        if isIdentical(to: other) { return true }
        guard provider == other.provider, strategy == .private || other.strategy == .private else { return false }
        // The old spelling `iam` is not compared by AppSync either.
        return provider == .userPools || provider == .oidc || provider == .identityPool
    }

    /// True if it means the same people whatever the record: an owner or a group in a field does not.
    fileprivate var meansTheSameEverywhere: Bool { isStatic && strategy != .custom }
}
