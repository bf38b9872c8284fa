import Cloud
import JSON

extension SecretCalls {
    private typealias Member = MemberShape.Member

    private static let id = Member("SecretId", .text(1...ParameterLimits.saidNameMax), isRequired: true)
    private static let name = Member("Name", .text(1...ParameterLimits.secretNameBytesMax), isRequired: true)
    /// Its length has an error of its own.
    private static let token = Member("ClientRequestToken", .text(0...ParameterLimits.saidNameMax))
    private static let version = MemberShape.text(1...ParameterLimits.stageMax)
    private static let key = Member("KmsKeyId", .text(0...ParameterLimits.saidNameMax))
    private static let tagList = MemberShape.list(
        .object([
            Member("Key", .text(1...ParameterLimits.tagKeyMax), isRequired: true),
            Member("Value", .text(0...ParameterLimits.tagValueMax), isRequired: true),
        ]), max: ParameterLimits.tagsMax)
    /// The values that a secret is made or changed with.
    private static let content = [
        token, key, Member("Description", .text(0...ParameterLimits.descriptionMax)),
        Member("SecretString", .text(1...ParameterLimits.secretBytesMax, isSecret: true)),
        Member("SecretBinary", .bytes(1...ParameterLimits.secretBytesMax)),
    ]
    private static let page = [
        Member("MaxResults", .integer(1...ParameterLimits.secretPageMax)), Member("NextToken", .text(0...4_096)),
    ]
    private static let filters = Member(
        "Filters",
        .list(
            .object([
                Member("Key", .choice(SecretFilter.keys), isRequired: true),
                Member("Values", .list(.text(0...512), max: ParameterLimits.filterValuesMax)),
            ]), max: ParameterLimits.filtersMax))

    package var table: ServiceTable {
        let words = ServiceWords(hasCapitalMessage: true)
        let ofSecret = SecretRights.secret
        return ServiceTable(
            "Secrets Manager", service: SecretRights.secrets, sdk: "SecretsManager", target: "secretsmanager",
            json: "1.1",
            .parameters, words,
            [
                CloudOperation(
                    "GetSecretValue",
                    [Self.id, Member("VersionId", Self.version), Member("VersionStage", Self.version)],
                    rights: ofSecret, of: value),
                CloudOperation(
                    "BatchGetSecretValue",
                    [
                        Member(
                            "SecretIdList",
                            .list(.text(1...ParameterLimits.saidNameMax), min: 1, max: ParameterLimits.batchMax)),
                        Self.filters, Member("MaxResults", .integer(1...Int64(ParameterLimits.batchMax))),
                        Member("NextToken", .text(0...4_096)),
                    ], rights: SecretRights.batch, of: values),
                CloudOperation(
                    "PutSecretValue",
                    [
                        Self.id,
                        Member("VersionStages", .list(Self.version, min: 1, max: ParameterLimits.versionsMax)),
                    ] + Self.content, rights: ofSecret, of: put),
                CloudOperation(
                    "CreateSecret", [Self.name, Member("Tags", Self.tagList)] + Self.content, rights: ofSecret,
                    of: create),
                CloudOperation("DescribeSecret", [Self.id], rights: ofSecret, of: describe),
                CloudOperation(
                    "ListSecrets",
                    [
                        Self.filters, Member("SortOrder", .choice(["asc", "desc"])),
                        Member("IncludePlannedDeletion", .boolean),
                    ] + Self.page, rights: ofSecret, of: list),
                CloudOperation("UpdateSecret", [Self.id] + Self.content, rights: ofSecret, of: update),
                CloudOperation(
                    "DeleteSecret",
                    [
                        Self.id, Member("ForceDeleteWithoutRecovery", .boolean),
                        // The days have an error of their own.
                        Member("RecoveryWindowInDays", .anyInteger),
                    ], rights: ofSecret, of: remove),
                CloudOperation("RestoreSecret", [Self.id], rights: ofSecret, of: restore),
                CloudOperation(
                    "ListSecretVersionIds", [Self.id, Member("IncludeDeprecated", .boolean)] + Self.page,
                    rights: ofSecret, of: listVersions),
                CloudOperation(
                    "UpdateSecretVersionStage",
                    [
                        Self.id, Member("VersionStage", Self.version, isRequired: true),
                        Member("RemoveFromVersionId", Self.version), Member("MoveToVersionId", Self.version),
                    ], rights: ofSecret, of: moveStage),
                CloudOperation(
                    "TagResource", [Self.id, Member("Tags", Self.tagList, isRequired: true)], rights: ofSecret,
                    of: tag),
                CloudOperation(
                    "UntagResource",
                    [
                        Self.id,
                        Member(
                            "TagKeys", .list(.text(1...ParameterLimits.tagKeyMax), max: ParameterLimits.tagsMax),
                            isRequired: true),
                    ], rights: ofSecret, of: untag),
                CloudOperation(
                    "GetRandomPassword",
                    [
                        Member("PasswordLength", .integer(ParameterLimits.passwordLength)),
                        Member("ExcludeCharacters", .text(0...4_096)), Member("ExcludeNumbers", .boolean),
                        Member("ExcludePunctuation", .boolean), Member("ExcludeUppercase", .boolean),
                        Member("ExcludeLowercase", .boolean), Member("IncludeSpace", .boolean),
                        Member("RequireEachIncludedType", .boolean),
                    ], rights: ofSecret, of: password),
            ])
    }
}
