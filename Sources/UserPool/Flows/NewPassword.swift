import Cloud
import Crypto
import JSON

/// An invited user's answer to `NEW_PASSWORD_REQUIRED`: a password of their own, and what they tell of themselves with it.
extension PoolRun {
    private static let attributePrefix = "userAttributes."

    func answerNewPassword(for client: AppClient) async throws(PoolError) -> JSONObject {
        let progress = try await progress(waitingFor: .newPassword, of: client)
        let password = try demandedParameter("NEW_PASSWORD", of: "ChallengeResponses")
        guard password.unicodeScalars.count <= PoolLimits.passwordLengthMax, MemberPattern.solid.admits(password)
        else {
            throw .invalidParameter(
                "NEW_PASSWORD must have at most \(PoolLimits.passwordLengthMax) characters, and no blanks among them.")
        }
        if let fault = settings.password.fault(of: password) { throw .invalidPassword(fault) }
        let attributes = answeredAttributes()
        try client.demandWritable(attributes.map(\.key))
        guard let user = try await user(progress.user) else { throw .invalidSession }
        let stored = try await storedPassword(password, name: user.name)
        return try await lead(progress.user, client) { change throws(PoolError) in
            guard var user = try change.session.user(progress.user), progress.firstFactor.holds(for: user),
                user.status == .mustChangePassword, let stored
            else { return .refused(.invalidSession) }
            guard user.isEnabled else { return .refused(.disabled) }
            if let refusal = user.refusalOfTemporaryPassword(at: change.now) { return .refused(refusal) }
            try change.complete(attributes, of: &user)
            user.password = stored
            user.temporaryUntil = nil
            user.status = .confirmed
            try change.save(user)
            var progress = progress
            progress.firstFactor = .password(stored.verifier)
            return try change.step(progress)
        }
    }

    /// The attributes among the answers.
    private func answeredAttributes() -> JSONObject {
        var attributes = JSONObject()
        for answer in input.object("ChallengeResponses") ?? JSONObject()
        where answer.key.hasPrefix(Self.attributePrefix) {
            let name = answer.key.utf8.dropFirst(Self.attributePrefix.utf8.count)
            attributes.set(String(decoding: name, as: UTF8.self), to: answer.value)
        }
        return attributes
    }
}

extension PoolWriting {
    /// Puts in what an invited user tells of themselves. What stood there of addresses and of what everybody has to give stays as
    /// whoever invited them wrote it.
    fileprivate func complete(_ attributes: JSONObject, of user: inout User) throws(PoolError) {
        let before = user
        for attribute in attributes {
            let name = attribute.key
            let value = attribute.value.string ?? ""
            let former = user.attribute(name) ?? ""
            let isAddress = name == "email" || name == "phone_number"
            guard value.unicodeScalars.count <= AttributeSchema.valueBytesMax else {
                throw .invalidParameter(
                    "Attributes did not conform to the schema: \(name): String must be no longer than "
                        + "\(AttributeSchema.valueBytesMax) characters")
            }
            let fault = settings.attributes.fault(of: name, value, isByAdministrator: false, isNew: former.isEmpty)
            if let fault { throw fault }
            guard !value.isEmpty, value != former else { continue }
            guard former.isEmpty || !(isAddress || settings.attributes.required.contains(name)) else {
                throw .invalidParameter("Cannot modify an already provided \(name)")
            }
            user.attributes.set(name, to: .string(value))
            guard isAddress else { continue }
            user.attributes.remove("\(name)_verified")
            try endCodes(of: name, for: user)
        }
        try nameByAddresses(user, formerly: before, movesAlias: false)
        if let missing = settings.attributes.missing(in: user.attributes) {
            throw .invalidParameter("Invalid attributes given, \(missing) is missing")
        }
    }
}

extension User {
    /// Why a temporary password is no good any more; nil while it is.
    func refusalOfTemporaryPassword(at now: Int64) -> PoolError? {
        guard let temporaryUntil, temporaryUntil <= now else { return nil }
        return .notAuthorized("Temporary password has expired and must be reset by an administrator.")
    }
}
