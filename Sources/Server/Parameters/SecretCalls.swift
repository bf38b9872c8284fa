import Crypto
import JSON
import UserPool

/// Secrets, as Secrets Manager answers for them (`secretsmanager.…`).
///
/// A secret has versions, and labels for them: `AWSCURRENT` for the one that counts, `AWSPREVIOUS` for the one before.
struct SecretCalls: Sendable {
    let store: ParameterStore
    let given: GivenSecrets
    let region: String
    let accountID: String

    static let current = "AWSCURRENT"
    static let previous = "AWSPREVIOUS"
    private static let suffixLetters = 6

    private static let table:
        [(name: String, answer: @Sendable (SecretCalls, ParameterInput) throws(ParameterFault) -> JSONObject)] = [
            ("GetSecretValue", { calls, input throws(ParameterFault) in try calls.value(input) }),
            ("PutSecretValue", { calls, input throws(ParameterFault) in try calls.put(input) }),
            ("CreateSecret", { calls, input throws(ParameterFault) in try calls.create(input) }),
            ("DescribeSecret", { calls, input throws(ParameterFault) in try calls.describe(input) }),
            ("ListSecrets", { calls, input throws(ParameterFault) in try calls.list(input) }),
            ("UpdateSecret", { calls, input throws(ParameterFault) in try calls.update(input) }),
            ("DeleteSecret", { calls, input throws(ParameterFault) in try calls.remove(input) }),
            ("RestoreSecret", { calls, input throws(ParameterFault) in try calls.restore(input) }),
            ("ListSecretVersionIds", { calls, input throws(ParameterFault) in try calls.listVersions(input) }),
            ("UpdateSecretVersionStage", { calls, input throws(ParameterFault) in try calls.moveStage(input) }),
            ("TagResource", { calls, input throws(ParameterFault) in try calls.tag(input) }),
            ("UntagResource", { calls, input throws(ParameterFault) in try calls.untag(input) }),
            ("GetRandomPassword", { calls, input throws(ParameterFault) in try calls.password(input) }),
        ]

    /// The names of the operations that are served.
    static var operations: [String] { table.map(\.name) }

    /// Nil where the service has no such operation here.
    func answer(_ operation: String, _ input: ParameterInput) throws(ParameterFault) -> JSONObject? {
        try Self.table.first { $0.name.utf8.elementsEqual(operation.utf8) }?.answer(self, input)
    }

    // MARK: Reading

    private func value(_ input: ParameterInput) throws(ParameterFault) -> JSONObject {
        let (name, secret) = try secret(input, try store.read())
        let (wantedID, wantedStage) = (try input.text("VersionId"), try input.text("VersionStage"))
        let stage = wantedStage ?? Self.current
        let versions = secret["versions"]?.object ?? JSONObject()
        let found = versions.members.first { version in
            if let wantedID {
                return ByteText(version.key) == ByteText(wantedID)
                    && (wantedStage == nil
                        || Self.stages(of: version.value).contains { ByteText($0) == ByteText(stage) })
            }
            return Self.stages(of: version.value).contains { ByteText($0) == ByteText(stage) }
        }
        guard let found, let version = found.value.object else {
            let what = wantedID.map { "VersionId: \($0)" } ?? "staging label: \(stage)"
            throw ParameterFault(
                "ResourceNotFoundException", "Secrets Manager can't find the specified secret value for \(what)")
        }
        var answer = JSONObject([
            ("ARN", .string(arn(of: name, secret))), ("CreatedDate", version["created"] ?? .double(0)),
            ("Name", .string(name)), ("VersionId", .string(found.key)),
            ("VersionStages", .array(Self.stages(of: found.value).map(JSONValue.string))),
        ])
        for member in ["SecretString", "SecretBinary"] {
            if let value = version[member] { answer.set(member, to: value) }
        }
        return answer
    }

    private func describe(_ input: ParameterInput) throws(ParameterFault) -> JSONObject {
        let (name, secret) = try secret(input, try store.read(), evenRemoved: true)
        return description(name, secret, "VersionIdsToStages")
    }

    private func list(_ input: ParameterInput) throws(ParameterFault) -> JSONObject {
        let limit = Int(
            try input.number("MaxResults", from: 1...ParameterLimits.secretPageMax) ?? ParameterLimits.secretPageMax)
        let filters = try SecretFilter.filters(of: input.value("Filters"))
        var after: ByteText?
        if let token = try input.text("NextToken"), !token.isEmpty {
            guard let bytes = Base64.bytes(of: token.utf8, .standard),
                let name = String(validating: bytes, as: UTF8.self)
            else { throw ParameterFault("InvalidNextTokenException", "The NextToken value is invalid.") }
            after = ByteText(name)
        }
        let content = try store.read()
        var secrets = content.secrets.filter { !Self.isRemoved($0.value) }
        for line in given.listed where secrets[line.name] == nil {
            secrets[ByteText(line.name)] = Self.given(line.name, line.value)
        }
        let left = secrets.sorted { $0.key < $1.key }.filter { entry in
            (after.map { $0 < entry.key } ?? true)
                && filters.allSatisfy { $0.passes(entry.key.string, entry.value) }
        }
        var answer = JSONObject([
            (
                "SecretList",
                .array(
                    left.prefix(limit).map { .object(description($0.key.string, $0.value, "SecretVersionsToStages")) })
            )
        ])
        if left.count > limit, let last = left.prefix(limit).last {
            answer.set("NextToken", to: .string(Base64.text(of: Array(last.key.string.utf8), .standard)))
        }
        return answer
    }

    private func description(_ name: String, _ secret: JSONObject, _ member: String) -> JSONObject {
        let versions = (secret["versions"]?.object ?? JSONObject()).members.filter {
            !Self.stages(of: $0.value).isEmpty
        }
        var answer = JSONObject([
            ("ARN", .string(arn(of: name, secret))), ("Name", .string(name)),
            ("CreatedDate", secret["created"] ?? .double(0)), ("LastChangedDate", secret["changed"] ?? .double(0)),
            (
                member,
                .object(
                    JSONObject(versions.map { ($0.key, .array(Self.stages(of: $0.value).map(JSONValue.string))) }))
            ),
        ])
        for (kept, shown) in [("description", "Description"), ("tags", "Tags"), ("removed", "DeletedDate")] {
            if let value = secret[kept] { answer.set(shown, to: value) }
        }
        return answer
    }

    // MARK: Changing

    private func create(_ input: ParameterInput) throws(ParameterFault) -> JSONObject {
        let name = try input.demanded("Name")
        try Self.check(name)
        let value = try Self.content(input, isDemanded: false)
        let version = try Self.version(input)
        let (description, tags) = (try input.text("Description"), input.value("Tags"))
        guard (description?.utf8.count ?? 0) <= ParameterLimits.descriptionBytesMax else {
            throw .invalidSecret("The description has \(ParameterLimits.descriptionBytesMax) bytes at most.")
        }
        let isGiven = given.value(of: name) != nil
        let now = ParameterCalls.seconds()
        let secret = try store.change { content throws(ParameterFault) -> JSONObject in
            if let old = content.secrets[name], !Self.isGone(old) {
                guard !Self.isRemoved(old) else {
                    throw Self.wrongState(
                        "You can't create this secret because a secret with this name is already scheduled for deletion."
                    )
                }
                // The same call once more: its answer was lost.
                if let value, Self.isSame(old, version, value) { return old }
                throw Self.exists(name)
            }
            guard !isGiven else { throw Self.exists(name) }
            guard content.secrets.count < ParameterLimits.countMax else {
                throw ParameterFault("LimitExceededException", "There may be \(ParameterLimits.countMax) secrets.")
            }
            var secret = JSONObject([
                ("suffix", .string(String(Base32.text(of: RandomBytes.make(count: 8)).prefix(Self.suffixLetters)))),
                ("created", now), ("changed", now), ("versions", .object(JSONObject())),
            ])
            if let description { secret.set("description", to: .string(description)) }
            if let tags { secret.set("tags", to: tags) }
            if let value { Self.add(version, value, [Self.current], at: now, to: &secret) }
            content.secrets[ByteText(name)] = secret
            return secret
        }
        var answer = JSONObject([("ARN", .string(arn(of: name, secret))), ("Name", .string(name))])
        if value != nil { answer.set("VersionId", to: .string(version)) }
        return answer
    }

    private func put(_ input: ParameterInput) throws(ParameterFault) -> JSONObject {
        let value = try Self.content(input, isDemanded: true) ?? JSONObject()
        let version = try Self.version(input)
        let stages = try input.texts("VersionStages") ?? [Self.current]
        guard (1...ParameterLimits.versionsMax).contains(stages.count) else {
            throw .invalidSecret("VersionStages has 1 to \(ParameterLimits.versionsMax) labels.")
        }
        let now = ParameterCalls.seconds()
        let (name, secret) = try store.change { content throws(ParameterFault) -> (String, JSONObject) in
            var (name, secret) = try self.secret(input, content)
            if secret["versions"]?[version] != nil {
                guard Self.isSame(secret, version, value) else {
                    throw ParameterFault(
                        "ResourceExistsException",
                        "You can't modify an existing version of a secret; you can only create new versions.")
                }
                return (name, secret)
            }
            Self.add(version, value, stages, at: now, to: &secret)
            content.secrets[ByteText(name)] = secret
            return (name, secret)
        }
        return JSONObject([
            ("ARN", .string(arn(of: name, secret))), ("Name", .string(name)), ("VersionId", .string(version)),
            ("VersionStages", .array(stages.map(JSONValue.string))),
        ])
    }

    /// Adds a version, takes its labels from those that have them, and calls the one that counted before the previous one.
    static func add(
        _ version: String, _ value: JSONObject, _ stages: [String], at now: JSONValue, to secret: inout JSONObject
    ) {
        let taken = Set(texts: stages)
        let becomesCurrent = taken.contains(current)
        var versions: [(String, JSONValue)] = []
        for member in secret["versions"]?.object?.members ?? [] {
            var left = Self.stages(of: member.value)
            let wasCurrent = left.contains { ByteText($0) == ByteText(current) }
            left.removeAll { taken.contains($0) || (becomesCurrent && ByteText($0) == ByteText(previous)) }
            if wasCurrent, becomesCurrent { left.append(previous) }
            var kept = member.value.object ?? JSONObject()
            kept.set("stages", to: .array(left.map(JSONValue.string)))
            versions.append((member.key, .object(kept)))
        }
        while versions.count >= ParameterLimits.versionsMax,
            let oldest = versions.firstIndex(where: { Self.stages(of: $0.1).isEmpty }) ?? versions.indices.first
        {
            versions.remove(at: oldest)
        }
        var added = value
        added.set("created", to: now)
        added.set("stages", to: .array(stages.map(JSONValue.string)))
        versions.append((version, .object(added)))
        secret.set("versions", to: .object(JSONObject(versions)))
        secret.set("changed", to: now)
    }

    // MARK: Which one

    /// The secret that a call names: by its name, or by its ARN with or without the letters behind the name.
    ///
    /// - Parameter evenRemoved: whether one will do that is to be deleted.
    func secret(
        _ input: ParameterInput, _ content: ParameterStore.Content, evenRemoved: Bool = false
    ) throws(ParameterFault) -> (name: String, secret: JSONObject) {
        let said = try input.demanded("SecretId")
        var names = [said]
        if said.utf8.starts(with: "arn:".utf8) {
            guard let start = said.range(ofBytesOf: ":secret:") else { throw ParameterFault.secretNotFound }
            let rest = String(said[start.upperBound...])
            names = [rest]
            if let dash = rest.utf8.lastIndex(of: UInt8(ascii: "-")) { names.insert(String(rest[..<dash]), at: 0) }
        }
        for name in names {
            guard let secret = content.secrets[name] ?? given.value(of: name).map({ Self.given(name, $0) }) else {
                continue
            }
            let arn = arn(of: name, secret)
            let isMeant =
                !said.utf8.starts(with: "arn:".utf8) || ByteText(arn) == ByteText(said)
                || ByteText(String(arn.dropLast(Self.suffixLetters + 1))) == ByteText(said)
            guard isMeant else { continue }
            guard !Self.isGone(secret) else { throw ParameterFault.secretNotFound }
            guard evenRemoved || !Self.isRemoved(secret) else {
                throw Self.wrongState(
                    "You can't perform this operation on the secret because it was marked for deletion.")
            }
            return (name, secret)
        }
        throw ParameterFault.secretNotFound
    }

    /// One of the file or of a variable: it has one version, always the same.
    private static func given(_ name: String, _ value: String) -> JSONObject {
        let digest = Digest.sha256.of(Array(name.utf8))
        let version = JSONObject([
            ("SecretString", .string(value)), ("stages", .array([.string(current)])), ("created", .double(0)),
        ])
        let id = UUIDText.text(of: digest)
        return JSONObject([
            ("suffix", .string(String(Base32.text(of: digest).prefix(suffixLetters)))),
            ("versions", .object(JSONObject([(id, .object(version))]))),
        ])
    }

    func arn(of name: String, _ secret: JSONObject) -> String {
        "arn:aws:secretsmanager:\(region):\(accountID):secret:\(name)-\(secret["suffix"]?.string ?? "")"
    }

    // MARK: What is sent

    static func stages(of version: JSONValue) -> [String] {
        version["stages"]?.array?.compactMap(\.string) ?? []
    }

    static func isSame(_ secret: JSONObject, _ version: String, _ value: JSONObject) -> Bool {
        guard let old = secret["versions"]?[version]?.object else { return false }
        return old["SecretString"] == value["SecretString"] && old["SecretBinary"] == value["SecretBinary"]
    }

    static func content(_ input: ParameterInput, isDemanded: Bool) throws(ParameterFault) -> JSONObject? {
        let (text, binary) = (try input.text("SecretString"), try input.text("SecretBinary"))
        guard text == nil || binary == nil else {
            throw .invalidSecret(
                "You can't specify both a binary secret value and a string secret value in the same secret.")
        }
        if let binary {
            guard let bytes = Base64.bytes(of: binary.utf8, .standard), !bytes.isEmpty else {
                throw ParameterFault("SerializationException", "SecretBinary must be Base64.")
            }
            try check(length: bytes.count)
            return JSONObject([("SecretBinary", .string(binary))])
        }
        guard let text else {
            guard !isDemanded else {
                throw .invalidSecret("You must provide either SecretString or SecretBinary.")
            }
            return nil
        }
        try check(length: text.utf8.count)
        return JSONObject([("SecretString", .string(text))])
    }

    private static func check(length: Int) throws(ParameterFault) {
        guard (1...ParameterLimits.secretBytesMax).contains(length) else {
            throw .invalid("The secret value has 1 to \(ParameterLimits.secretBytesMax) bytes.")
        }
    }

    /// The caller's name for the version, or a new one.
    static func version(_ input: ParameterInput) throws(ParameterFault) -> String {
        guard let token = try input.text("ClientRequestToken") else { return UUIDText.random() }
        guard ParameterLimits.tokenBytes.contains(token.utf8.count) else {
            throw .invalidSecret(
                "ClientRequestToken has \(ParameterLimits.tokenBytes.lowerBound) to \(ParameterLimits.tokenBytes.upperBound) characters."
            )
        }
        return token
    }

    private static func exists(_ name: String) -> ParameterFault {
        ParameterFault("ResourceExistsException", "The operation failed because the secret \(name) already exists.")
    }

    private static func check(_ name: String) throws(ParameterFault) {
        let isNamed = name.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                || Array("/_+=.@-!".utf8).contains(byte)
        }
        guard isNamed, name.utf8.count <= ParameterLimits.secretNameBytesMax else {
            throw .invalid(
                "Invalid name. Must be a valid name containing alphanumeric characters, or any of the following: -/_+=.@!"
            )
        }
    }
}
