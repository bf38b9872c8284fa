import Cloud
import Crypto
import JSON

/// Secrets, as Secrets Manager answers for them (`secretsmanager.…`).
///
/// A secret has versions, and labels for them: `AWSCURRENT` for the one that counts, `AWSPREVIOUS` for the one before.
package struct SecretCalls: Sendable {
    let store: ParameterStore
    let given: any GivenSecrets
    let region: String
    let accountID: String

    static let current = "AWSCURRENT"
    static let previous = "AWSPREVIOUS"
    private static let pending = "AWSPENDING"
    private static let suffixLetters = 6

    package init(store: ParameterStore, given: any GivenSecrets, region: String, accountID: String) {
        (self.store, self.given, self.region, self.accountID) = (store, given, region, accountID)
    }

    // MARK: Reading

    func value(_ input: CallInput) async throws(CloudError) -> JSONObject {
        let (name, secret) = try await kept(input)
        return try value(of: name, secret, input.text("VersionId"), input.text("VersionStage"))
    }

    func value(
        of name: String, _ secret: JSONObject, _ wantedID: String? = nil, _ wantedStage: String? = nil
    ) throws(CloudError) -> JSONObject {
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
            if wantedStage != nil, let wantedID, versions[wantedID] != nil {
                throw Self.wrongState("You provided a VersionStage that is not associated to the provided VersionId.")
            }
            let what = wantedID.map { "VersionId: \($0)" } ?? "staging label: \(stage)"
            throw CloudError(
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

    func describe(_ input: CallInput) async throws(CloudError) -> JSONObject {
        let (name, secret) = try await kept(input, evenRemoved: true)
        return description(name, secret, "VersionIdsToStages")
    }

    func list(_ input: CallInput) async throws(CloudError) -> JSONObject {
        let (page, goesOn) = try await page(input, ParameterLimits.secretPageMax)
        let shown = page.map { JSONValue.object(description($0.name, $0.secret, "SecretVersionsToStages")) }
        var answer = JSONObject([("SecretList", .array(shown))])
        if goesOn, let last = page.last { answer.set("NextToken", to: NameToken.text(behind: last.place)) }
        return answer
    }

    typealias PlacedSecret = (place: ByteText, name: String, secret: JSONObject)

    /// A page of the secrets that pass the filters of a call, and whether there are more.
    func page(
        _ input: CallInput, _ max: Int64
    ) async throws(CloudError) -> (secrets: [PlacedSecret], goesOn: Bool) {
        let limit = Int(input.integer("MaxResults") ?? max)
        let filters = try SecretFilter.filters(of: input.list("Filters"))
        let after = try NameToken.name(
            of: input.text("NextToken"),
            orElse: CloudError("InvalidNextTokenException", "The NextToken value is invalid."))
        let showsRemoved = input.flag("IncludePlannedDeletion") == true
        var secrets = try await store.all(.secret).filter {
            !Self.isGone($0.value) && (showsRemoved || !Self.isRemoved($0.value))
        }
        for line in given.listed where secrets[line.name] == nil {
            secrets[ByteText(line.name)] = Self.given(line.name, line.value)
        }
        let isDescending = input.text("SortOrder").map { ByteText($0) == ByteText("desc") } ?? false
        let places = secrets.filter { filters.isEmpty || SecretFilter.all(filters, $0.key.string, $0.value) }
            .map { (place: Self.place($0.key, $0.value), name: $0.key.string, secret: $0.value) }
        let left = places.sorted { isDescending ? $1.place < $0.place : $0.place < $1.place }
            .filter { entry in after.map { isDescending ? entry.place < $0 : $0 < entry.place } ?? true }
        return (Array(left.prefix(limit)), left.count > limit)
    }

    /// The text by which secrets are in the order in which they were made.
    private static func place(_ name: ByteText, _ secret: JSONObject) -> ByteText {
        let milliseconds = Int64(exactly: ((secret["created"]?.number ?? 0) * 1_000).rounded()) ?? 0
        let digits = "\(max(0, milliseconds))"
        return ByteText("\(String(repeating: "0", count: max(0, 19 - digits.utf8.count)))\(digits):\(name.string)")
    }

    private func description(_ name: String, _ secret: JSONObject, _ member: String) -> JSONObject {
        let versions = (secret["versions"]?.object ?? JSONObject()).members.filter {
            !Self.stages(of: $0.value).isEmpty
        }
        var answer = JSONObject([
            ("ARN", .string(arn(of: name, secret))), ("Name", .string(name)),
            ("CreatedDate", secret["created"] ?? .double(0)), ("LastChangedDate", secret["changed"] ?? .double(0)),
        ])
        if !versions.isEmpty {
            let labels = versions.map { ($0.key, JSONValue.array(Self.stages(of: $0.value).map(JSONValue.string))) }
            answer.set(member, to: .object(JSONObject(labels)))
        }
        for (kept, shown) in [
            ("description", "Description"), ("key", "KmsKeyId"), ("tags", "Tags"), ("removed", "DeletedDate"),
        ] {
            if let value = secret[kept], value != "" { answer.set(shown, to: value) }
        }
        return answer
    }

    // MARK: Changing

    func create(_ input: CallInput) async throws(CloudError) -> JSONObject {
        let name = input.demanded("Name")
        try Self.check(name)
        let value = try Self.content(input, isDemanded: false)
        let version = try Self.version(input)
        let (description, tags, key) = (input.text("Description"), input.value("Tags"), input.text("KmsKeyId"))
        let isGiven = given.value(of: name) != nil
        let now = ParameterCalls.seconds()
        let secret = try await store.change(.secret) { secrets throws(CloudError) -> JSONObject in
            if let old = secrets[name], !Self.isGone(old) {
                guard !Self.isRemoved(old) else {
                    throw Self.wrongState(
                        "You can't create this secret because a secret with this name is already scheduled for deletion."
                    )
                }
                // The same call once more: its answer was lost.
                if let value, Self.isSame(old, version, value) { return old }
                throw old["versions"]?[version] == nil ? Self.exists(name) : self.taken(version, name, old)
            }
            guard !isGiven else { throw Self.exists(name) }
            guard secrets.count < ParameterLimits.countMax else {
                throw CloudError("LimitExceededException", "There may be \(ParameterLimits.countMax) secrets.")
            }
            var secret = JSONObject([
                ("suffix", Self.suffix()),
                ("created", now), ("changed", now), ("versions", .object(JSONObject())),
            ])
            if let description { secret.set("description", to: .string(description)) }
            if let tags { secret.set("tags", to: tags) }
            if let key { secret.set("key", to: .string(key)) }
            if let value { Self.add(version, value, [Self.current], at: now, to: &secret) }
            secrets[name] = secret
            return secret
        }
        var answer = JSONObject([("ARN", .string(arn(of: name, secret))), ("Name", .string(name))])
        if value != nil { answer.set("VersionId", to: .string(version)) }
        return answer
    }

    func put(_ input: CallInput) async throws(CloudError) -> JSONObject {
        let value = try Self.content(input, isDemanded: true) ?? JSONObject()
        let version = try Self.version(input)
        let said = input.texts("VersionStages") ?? [Self.current]
        let now = ParameterCalls.seconds()
        let (name, secret, stages) = try await store.change(.secret) {
            secrets throws(CloudError) -> (String, JSONObject, [String]) in
            var (name, secret) = try self.secret(input, in: { secrets[$0] })
            if secret["versions"]?[version] != nil {
                guard Self.isSame(secret, version, value) else { throw self.taken(version, name, secret) }
                return (name, secret, said)
            }
            // The first version is the current one, whatever it is called.
            let isFirst = secret["versions"]?.object?.isEmpty ?? true
            let stages = isFirst && !said.contains(Self.current) ? said + [Self.current] : said
            Self.add(version, value, stages, at: now, to: &secret)
            secrets[name] = secret
            return (name, secret, stages)
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
            // The service takes the label of a rotation from it too.
            if wasCurrent, becomesCurrent { left = left.filter { ByteText($0) != ByteText(pending) } + [previous] }
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

    /// The names under which the secret may be kept that a call names.
    static func candidates(_ said: String) -> [String] {
        guard said.utf8.starts(with: "arn:".utf8) else { return [said] }
        guard let start = said.range(ofBytesOf: ":secret:") else { return [] }
        let rest = String(said[start.upperBound...])
        guard let dash = rest.utf8.lastIndex(of: UInt8(ascii: "-")) else { return [rest] }
        return [String(rest[..<dash]), rest]
    }

    /// The same as `secret`, for calls that change nothing.
    func kept(_ input: CallInput, evenRemoved: Bool = false) async throws(CloudError) -> (
        name: String, secret: JSONObject
    ) {
        let found = try await store.found(.secret, Self.candidates(input.demanded("SecretId")))
        return try secret(input, in: { found[$0] }, evenRemoved: evenRemoved)
    }

    /// The secret that a call names: by its name, or by its ARN with or without the letters behind the name.
    ///
    /// - Parameter evenRemoved: whether one will do that is to be deleted.
    func secret(
        _ input: CallInput, in secrets: (String) -> JSONObject?, evenRemoved: Bool = false
    ) throws(CloudError) -> (name: String, secret: JSONObject) {
        try secret(input.demanded("SecretId"), in: secrets, evenRemoved: evenRemoved)
    }

    func secret(
        _ said: String, in secrets: (String) -> JSONObject?, evenRemoved: Bool = false
    ) throws(CloudError) -> (name: String, secret: JSONObject) {
        for name in Self.candidates(said) {
            guard let secret = secrets(name) ?? given.value(of: name).map({ Self.given(name, $0) }) else {
                continue
            }
            let arn = arn(of: name, secret)
            let isMeant =
                !said.utf8.starts(with: "arn:".utf8) || ByteText(arn) == ByteText(said)
                || ByteText(String(arn.dropLast(Self.suffixLetters + 1))) == ByteText(said)
            guard isMeant else { continue }
            guard !Self.isGone(secret) else { throw CloudError.secretNotFound }
            guard evenRemoved || !Self.isRemoved(secret) else {
                throw Self.wrongState(
                    "You can't perform this operation on the secret because it was marked for deletion.")
            }
            return (name, secret)
        }
        if !said.utf8.starts(with: "arn:".utf8) { try Self.check(said) }
        throw CloudError.secretNotFound
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
        ARN(
            "secretsmanager", region: region, account: accountID,
            "secret:\(name)-\(secret["suffix"]?.string ?? "")"
        ).description
    }

    // MARK: What is sent

    /// The letters behind the name in an ARN.
    static func suffix() -> JSONValue {
        .string(String(Base32.text(of: RandomBytes.make(count: 8)).prefix(suffixLetters)))
    }

    static func stages(of version: JSONValue) -> [String] {
        version["stages"]?.array?.compactMap(\.string) ?? []
    }

    static func isSame(_ secret: JSONObject, _ version: String, _ value: JSONObject) -> Bool {
        guard let old = secret["versions"]?[version]?.object else { return false }
        return old["SecretString"] == value["SecretString"] && old["SecretBinary"] == value["SecretBinary"]
    }

    static func content(_ input: CallInput, isDemanded: Bool) throws(CloudError) -> JSONObject? {
        let (text, binary) = (input.text("SecretString"), input.text("SecretBinary"))
        guard text == nil || binary == nil else {
            throw .invalidSecret(
                "You can't specify both a binary secret value and a string secret value in the same secret.")
        }
        if let binary { return JSONObject([("SecretBinary", .string(binary))]) }
        guard let text else {
            guard !isDemanded else {
                throw .invalidSecret("You must provide either SecretString or SecretBinary.")
            }
            return nil
        }
        guard text.utf8.count <= ParameterLimits.secretBytesMax else {
            throw .invalid("The secret value has 1 to \(ParameterLimits.secretBytesMax) bytes.")
        }
        return JSONObject([("SecretString", .string(text))])
    }

    /// The caller's name for the version, or a new one.
    static func version(_ input: CallInput) throws(CloudError) -> String {
        guard let token = input.text("ClientRequestToken") else { return UUIDText.random() }
        guard ParameterLimits.tokenBytes.contains(token.utf8.count) else {
            throw .invalidSecret(
                "ClientRequestToken has \(ParameterLimits.tokenBytes.lowerBound) to \(ParameterLimits.tokenBytes.upperBound) characters."
            )
        }
        return token
    }

    /// The refusal of another value for a version that there is.
    func taken(_ version: String, _ name: String, _ secret: JSONObject) -> CloudError {
        CloudError(
            "ResourceExistsException",
            "You can't use ClientRequestToken \(version) because that value is already in use for a version of secret "
                + "\(arn(of: name, secret)).")
    }

    private static func exists(_ name: String) -> CloudError {
        CloudError("ResourceExistsException", "The operation failed because the secret \(name) already exists.")
    }

    private static let nameForm = MemberPattern("", lettersAnd: "/_+=.@-!")

    private static func check(_ name: String) throws(CloudError) {
        guard nameForm.admits(name) else {
            throw .invalid(
                "Invalid name. Must be a valid name containing alphanumeric characters, or any of the following: -/_+=.@!"
            )
        }
    }
}

extension CloudError {
    static let secretNotFound = CloudError(
        "ResourceNotFoundException", "Secrets Manager can't find the specified secret.")

    static func invalidSecret(_ message: String) -> CloudError { CloudError("InvalidParameterException", message) }
}
