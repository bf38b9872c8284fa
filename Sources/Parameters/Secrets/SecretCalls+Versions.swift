import Cloud
import Crypto
import JSON

/// The versions of a secret and their labels, its tags, and passwords that are made for whoever asks.
extension SecretCalls {
    /// `VersionId`s with their labels. Versions without one are told where that is wanted.
    func listVersions(_ input: CallInput) async throws(CloudError) -> JSONObject {
        let (name, secret) = try await kept(input)
        let showsAll = input.flag("IncludeDeprecated") == true
        let versions = (secret["versions"]?.object ?? JSONObject()).members.compactMap { version -> JSONValue? in
            let stages = Self.stages(of: version.value)
            guard showsAll || !stages.isEmpty else { return nil }
            var shown = JSONObject([
                ("VersionId", .string(version.key)), ("CreatedDate", version.value["created"] ?? .double(0)),
            ])
            if !stages.isEmpty { shown.set("VersionStages", to: .array(stages.map(JSONValue.string))) }
            return .object(shown)
        }
        return JSONObject([
            ("ARN", .string(arn(of: name, secret))), ("Name", .string(name)), ("Versions", .array(versions)),
        ])
    }

    /// Moves a label from one version to another, or takes it away.
    func moveStage(_ input: CallInput) async throws(CloudError) -> JSONObject {
        let stage = input.demanded("VersionStage")
        let (from, to) = (input.text("RemoveFromVersionId"), input.text("MoveToVersionId"))
        let now = ParameterCalls.seconds()
        let (name, secret) = try await change(input) { secret throws(CloudError) in
            var versions = secret["versions"]?.object ?? JSONObject()
            func demand(_ version: String) throws(CloudError) {
                guard versions[version] != nil else {
                    throw CloudError(
                        "ResourceNotFoundException",
                        "Secrets Manager can't find the specified secret value for VersionId: \(version)")
                }
            }
            let holder = versions.members.first { member in
                Self.stages(of: member.value).contains { ByteText($0) == ByteText(stage) }
            }?.key
            if let holder {
                guard let from, ByteText(from) == ByteText(holder) else {
                    throw .invalidSecret(
                        "The parameter RemoveFromVersionId can't be empty. Staging label \(stage) is currently attached to version "
                            + "\(holder), so you must explicitly reference that version in RemoveFromVersionId.")
                }
            } else if let from {
                try demand(from)
            }
            if let to { try demand(to) }
            guard to != nil || ByteText(stage) != ByteText(Self.current) else {
                throw .invalidSecret(
                    "You can only move staging label \(Self.current) to a different secret version. It can't be completely removed."
                )
            }
            let isCurrent = ByteText(stage) == ByteText(Self.current)
            for member in versions.members {
                var stages = Self.stages(of: member.value)
                stages.removeAll { label in
                    ByteText(label) == ByteText(stage) || (isCurrent && ByteText(label) == ByteText(Self.previous))
                }
                if isCurrent, let holder, ByteText(member.key) == ByteText(holder) { stages.append(Self.previous) }
                if let to, ByteText(member.key) == ByteText(to) {
                    stages.removeAll { isCurrent && ByteText($0) == ByteText(Self.previous) }
                    stages.append(stage)
                }
                var version = member.value.object ?? JSONObject()
                version.set("stages", to: .array(stages.map(JSONValue.string)))
                versions.set(member.key, to: .object(version))
            }
            secret.set("versions", to: .object(versions))
            secret.set("changed", to: now)
        }
        return JSONObject([("ARN", .string(arn(of: name, secret))), ("Name", .string(name))])
    }

    // MARK: Tags

    func tag(_ input: CallInput) async throws(CloudError) -> JSONObject {
        let added = try Self.tags(input.list("Tags"))
        _ = try await change(input) { secret throws(CloudError) in
            let keys = Set(texts: added.map(\.key))
            let kept = (secret["tags"]?.array ?? []).filter { tag in
                tag["Key"]?.string.map { !keys.contains($0) } ?? false
            }
            let tags = kept + added.map { ["Key": .string($0.key), "Value": .string($0.value)] }
            guard tags.count <= ParameterLimits.tagsMax else {
                throw .invalid("A secret has \(ParameterLimits.tagsMax) tags at most.")
            }
            secret.set("tags", to: .array(tags))
        }
        return JSONObject()
    }

    func untag(_ input: CallInput) async throws(CloudError) -> JSONObject {
        let keys = Set(texts: input.texts("TagKeys") ?? [])
        _ = try await change(input) { secret throws(CloudError) in
            let kept = (secret["tags"]?.array ?? []).filter { tag in
                tag["Key"]?.string.map { !keys.contains($0) } ?? true
            }
            secret.set("tags", to: .array(kept))
        }
        return JSONObject()
    }

    private static func tags(_ list: [JSONValue]?) throws(CloudError) -> [(key: String, value: String)] {
        var tags: [(key: String, value: String)] = []
        for tag in list ?? [] {
            let (key, value) = (tag["Key"]?.string ?? "", tag["Value"]?.string ?? "")
            guard !key.utf8.starts(with: "aws:".utf8) else {
                throw .invalid("The tag \(key) begins with aws:, which is reserved.")
            }
            tags.append((key, value))
        }
        return tags
    }

    /// Changes a secret that was put. One of the file or of a variable stays what it is.
    private func change(
        _ input: CallInput, _ body: @escaping @Sendable (inout JSONObject) throws(CloudError) -> Void
    ) async throws(CloudError) -> (String, JSONObject) {
        try await store.change(.secret) { secrets throws(CloudError) -> (String, JSONObject) in
            var (name, secret) = try self.secret(input, in: { secrets[$0] })
            guard secrets[name] != nil else {
                throw Self.wrongState("\(name) is not a secret that was put: it has no versions and no tags to change.")
            }
            try body(&secret)
            secrets[name] = secret
            return (name, secret)
        }
    }

    // MARK: Passwords

    private static let kinds: [(excluding: String, letters: String)] = [
        ("ExcludeLowercase", "abcdefghijklmnopqrstuvwxyz"), ("ExcludeUppercase", "ABCDEFGHIJKLMNOPQRSTUVWXYZ"),
        ("ExcludeNumbers", "0123456789"), ("ExcludePunctuation", ##"!"#$%&'()*+,-./:;<=>?@[\]^_`{|}~"##),
    ]

    func password(_ input: CallInput) throws(CloudError) -> JSONObject {
        let length = Int(input.integer("PasswordLength") ?? 32)
        let excluded = Set(Array((input.text("ExcludeCharacters") ?? "").utf8))
        var kinds: [[UInt8]] = []
        for kind in Self.kinds where input.flag(kind.excluding) != true {
            kinds.append(kind.letters.utf8.filter { !excluded.contains($0) })
        }
        // A space is no type of its own, which a password must have.
        let spaces: [UInt8] = input.flag("IncludeSpace") == true && !excluded.contains(0x20) ? [0x20] : []
        let isEach = input.flag("RequireEachIncludedType") ?? true
        let all = kinds.flatMap(\.self) + spaces
        guard !isEach || kinds.allSatisfy({ !$0.isEmpty }), !all.isEmpty,
            !isEach || kinds.count <= length
        else {
            throw .invalidSecret(
                "The password has no characters left of a type that it must have, or it is too short for them.")
        }
        // One of each type comes first, and then all are put in an order of chance.
        var password = isEach ? kinds.map(Self.one) : []
        while password.count < length { password.append(Self.one(of: all)) }
        for place in password.indices.dropFirst().reversed() { password.swapAt(place, Self.number(below: place + 1)) }
        return JSONObject([("RandomPassword", .string(String(decoding: password, as: UTF8.self)))])
    }

    private static func one(of letters: [UInt8]) -> UInt8 { letters[number(below: letters.count)] }

    /// A number of chance, each as likely as the others.
    ///
    /// - Parameter count: more than 0.
    private static func number(below count: Int) -> Int {
        let bound = (256 * 256 / max(1, count)) * max(1, count)
        while true {
            let bytes = RandomBytes.make(count: 2)
            let number = Int(bytes[0]) << 8 | Int(bytes[1])
            if number < bound { return number % max(1, count) }
        }
    }
}
