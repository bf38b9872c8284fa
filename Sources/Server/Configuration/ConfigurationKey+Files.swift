import Files
import JSON

extension ConfigurationKey {
    /// Files.
    static let files: [ConfigurationKey] = [
        ConfigurationKey(
            "files.sharedFolder", .path, \.files.sharedFolder,
            "With `nodes`: the folder for the files of all servers, on a file system that each of them has. Without it, several servers "
                + "serve no files. A start checks that it is the others' folder."),
        ConfigurationKey(
            "files.buckets",
            .list(
                .object([
                    ConfigurationField("name", .text, isRequired: true, "What the app calls it."),
                    ConfigurationField(
                        "bucketName", bucketName,
                        "What requests call it. Without it, the data folder has a name for it, which `homeport status` prints."
                    ),
                    ConfigurationField(
                        "default", .boolean, "Whether clients mean this one who name none; needed of several."),
                    ConfigurationField(
                        "authenticated", permissions,
                        "What whoever has signed in may do at the levels `public/`, `protected/ID/` and `private/ID/`, as "
                            + "`amplify add storage` has it."),
                    ConfigurationField("guests", permissions, "What guests may do at the level `public/`."),
                    ConfigurationField(
                        "groups", .map(permissions),
                        "What members of a group may do in the whole bucket, and then nothing else."),
                    ConfigurationField(
                        "functions", .map(permissions), "What a function of the app may do in the whole bucket."),
                    ConfigurationField(
                        "paths",
                        .map(
                            .object([
                                ConfigurationField("guest", actions, "What guests may do."),
                                ConfigurationField("authenticated", actions, "What whoever has signed in may do."),
                                ConfigurationField(
                                    "owner", actions, "What the identity may do whose id stands for `{entity_id}`."),
                                ConfigurationField("groups", .map(actions), "What members of a group may do."),
                                ConfigurationField("functions", .map(actions), "What a function may do."),
                            ])),
                        "In place of these four, rules by paths as `defineStorage` has them: `media/*`, `own/{entity_id}/*`."
                    ),
                    ConfigurationField(
                        "onUpload", .text,
                        "The function that is called when a file has come: a name of `functions`, or a URL."),
                    ConfigurationField("onDelete", .text, "The same when one has gone."),
                ])), \.files.buckets,
            "The buckets and who may do what in them. Without any they are those of the project, `amplify/storage/resource.ts` or "
                + "`amplify/backend/storage`; where there are none, one in which whoever has signed in may do everything at "
                + "their levels, and nobody else anything."),
        ConfigurationKey(
            "files.hosts", .list(hostName), \.files.hosts,
            "Names below which every host is a bucket's, such as `photos.s3.localhost`."),
        ConfigurationKey(
            "files.objectBytes", .integer(1...Int64(FileLimits.objectBytesMax)), \.files.objectBytes,
            "The largest object, in one piece or put together from parts, where that is less than S3 takes."),
        ConfigurationKey(
            "files.uploadHours", .integer(1...8_760), \.files.uploadMilliseconds, unit: 3_600_000,
            "How long the parts of an upload are kept that is not ended."),
        ConfigurationKey(
            "files.freeBytes", .integer(0...Int64.max), \.files.freeBytes,
            "Space on the disk that uploads, and calls of services that add data, leave alone; beyond, they are refused."
        ),
    ]

    private static let permissions = ConfigurationKind.list(.choice(FileActions.permissions.map(\.name)))
    private static let actions = ConfigurationKind.list(.choice(FileActions.actions.map(\.name)))
    private static let bucketName = ConfigurationKind.form(
        "bucket", expectation: "3 to 63 small letters, digits, dots and dashes, with a letter or digit at both ends",
        admits: { BucketNaming.isOne($0) })
    private static let hostName = ConfigurationKind.form(
        "host", expectation: "the name of a host such as \"s3.localhost\"", admits: { BucketNaming.isHost($0) })
}
