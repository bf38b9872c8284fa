import JSON

/// Changing a secret as a whole, and deleting it: at once, or after a time in which it can be restored.
extension SecretCalls {
    /// A value that becomes the current one, a description, or both.
    func update(_ input: ParameterInput) throws(ParameterFault) -> JSONObject {
        let value = try Self.content(input, isDemanded: false)
        let version = try Self.version(input)
        let description = try input.text("Description")
        guard (description?.utf8.count ?? 0) <= ParameterLimits.descriptionBytesMax else {
            throw .invalidSecret("The description has \(ParameterLimits.descriptionBytesMax) bytes at most.")
        }
        let now = ParameterCalls.seconds()
        let (name, secret) = try store.change { content throws(ParameterFault) -> (String, JSONObject) in
            var (name, secret) = try self.secret(input, content)
            if let description { secret.set("description", to: .string(description)) }
            if let value {
                if secret["versions"]?[version] == nil {
                    Self.add(version, value, [Self.current], at: now, to: &secret)
                } else if !Self.isSame(secret, version, value) {
                    throw ParameterFault(
                        "ResourceExistsException",
                        "You can't modify an existing version of a secret; you can only create new versions.")
                }
            }
            secret.set("changed", to: now)
            content.secrets[ByteText(name)] = secret
            return (name, secret)
        }
        var answer = JSONObject([("ARN", .string(arn(of: name, secret))), ("Name", .string(name))])
        if value != nil { answer.set("VersionId", to: .string(version)) }
        return answer
    }

    func remove(_ input: ParameterInput) throws(ParameterFault) -> JSONObject {
        let isForced = try input.flag("ForceDeleteWithoutRecovery")
        let days = try input.number("RecoveryWindowInDays", from: ParameterLimits.recoveryDays)
        guard !isForced || days == nil else {
            throw .invalidSecret(
                "You can't use ForceDeleteWithoutRecovery in conjunction with RecoveryWindowInDays.")
        }
        let now = Self.now
        let seconds = isForced ? 0 : (days ?? ParameterLimits.recoveryDays.upperBound) * 86_400
        let (name, secret) = try store.change { content throws(ParameterFault) -> (String, JSONObject) in
            var (name, secret) = try self.secret(input, content, evenRemoved: isForced)
            guard content.secrets[name] != nil else {
                throw Self.wrongState(
                    "\(name) is not a secret that was put: take its line out of the file secrets, or its variable away."
                )
            }
            secret.set("removed", to: .double(now))
            secret.set("gone", to: .double(now + Double(seconds)))
            content.secrets[ByteText(name)] = isForced ? nil : secret
            return (name, secret)
        }
        return JSONObject([
            ("ARN", .string(arn(of: name, secret))), ("Name", .string(name)),
            ("DeletionDate", .double(now + Double(seconds))),
        ])
    }

    func restore(_ input: ParameterInput) throws(ParameterFault) -> JSONObject {
        let (name, secret) = try store.change { content throws(ParameterFault) -> (String, JSONObject) in
            var (name, secret) = try self.secret(input, content, evenRemoved: true)
            secret.remove("removed")
            secret.remove("gone")
            if content.secrets[name] != nil { content.secrets[ByteText(name)] = secret }
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

    static func wrongState(_ message: String) -> ParameterFault { ParameterFault("InvalidRequestException", message) }
}
