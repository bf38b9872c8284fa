import Cloud
import JSON

/// Changing a secret as a whole, and deleting it: at once, or after a time in which it can be restored.
extension SecretCalls {
    /// A value that becomes the current one, a description, or both.
    func update(_ input: CallInput) async throws(CloudError) -> JSONObject {
        let value = try Self.content(input, isDemanded: false)
        let version = try Self.version(input)
        let (description, key) = (input.text("Description"), input.text("KmsKeyId"))
        let now = ParameterCalls.seconds()
        let (name, secret) = try await store.change(.secret) { secrets throws(CloudError) -> (String, JSONObject) in
            var (name, secret) = try self.secret(input, in: { secrets[$0] })
            if let description { secret.set("description", to: .string(description)) }
            if let key { secret.set("key", to: .string(key)) }
            if let value {
                if secret["versions"]?[version] == nil {
                    Self.add(version, value, [Self.current], at: now, to: &secret)
                } else if !Self.isSame(secret, version, value) {
                    throw self.taken(version, name, secret)
                }
            }
            secret.set("changed", to: now)
            secrets[name] = secret
            return (name, secret)
        }
        var answer = JSONObject([("ARN", .string(arn(of: name, secret))), ("Name", .string(name))])
        if value != nil { answer.set("VersionId", to: .string(version)) }
        return answer
    }

    func remove(_ input: CallInput) async throws(CloudError) -> JSONObject {
        let isForced = input.flag("ForceDeleteWithoutRecovery") == true
        let days = input.integer("RecoveryWindowInDays")
        guard !isForced || days == nil else {
            throw .invalidSecret(
                "You can't use ForceDeleteWithoutRecovery in conjunction with RecoveryWindowInDays.")
        }
        guard days.map(ParameterLimits.recoveryDays.contains) ?? true else {
            throw .invalidSecret(
                "The RecoveryWindowInDays value must be between \(ParameterLimits.recoveryDays.lowerBound) and "
                    + "\(ParameterLimits.recoveryDays.upperBound) days (inclusive).")
        }
        let now = Self.now
        let seconds = isForced ? 0 : (days ?? ParameterLimits.recoveryDays.upperBound) * 86_400
        let (name, secret) = try await store.change(.secret) { secrets throws(CloudError) -> (String, JSONObject) in
            var (name, secret): (String, JSONObject)
            do throws(CloudError) {
                (name, secret) = try self.secret(input, in: { secrets[$0] }, evenRemoved: isForced)
            } catch {
                // Whoever wants it gone at once has what they want.
                guard isForced, error == .secretNotFound else { throw error }
                let name = Self.candidates(input.demanded("SecretId")).first ?? ""
                return (name, JSONObject([("suffix", Self.suffix())]))
            }
            guard secrets[name] != nil else {
                throw Self.wrongState(
                    "\(name) is not a secret that was put: take its line out of the file secrets, or its variable away."
                )
            }
            secret.set("removed", to: .double(now))
            secret.set("gone", to: .double(now + Double(seconds)))
            secrets[name] = isForced ? nil : secret
            return (name, secret)
        }
        return JSONObject([
            ("ARN", .string(arn(of: name, secret))), ("Name", .string(name)),
            ("DeletionDate", .double(now + Double(seconds))),
        ])
    }

    func restore(_ input: CallInput) async throws(CloudError) -> JSONObject {
        let (name, secret) = try await store.change(.secret) { secrets throws(CloudError) -> (String, JSONObject) in
            var (name, secret) = try self.secret(input, in: { secrets[$0] }, evenRemoved: true)
            secret.remove("removed")
            secret.remove("gone")
            if secrets[name] != nil { secrets[name] = secret }
            return (name, secret)
        }
        return JSONObject([("ARN", .string(arn(of: name, secret))), ("Name", .string(name))])
    }

    // MARK: What is deleted

    /// Seconds since 1970.
    private static var now: Double { ParameterCalls.seconds().number ?? 0 }

    /// Returns whether it is to be deleted.
    static func isRemoved(_ secret: JSONObject) -> Bool { secret["removed"] != nil }

    /// Returns whether the time is over in which it could be restored.
    static func isGone(_ secret: JSONObject) -> Bool { secret["gone"]?.number.map { $0 <= now } ?? false }

    static func wrongState(_ message: String) -> CloudError { CloudError("InvalidRequestException", message) }
}
