import Server

/// Every command with its options.
enum CommandTable {
    static let help = CommandOption(name: "help", value: .none, summary: "Say what this command does.")

    static let shells = ["bash", "zsh", "fish"]

    private static let config = CommandOption(
        name: "config", value: .path("FILE"), summary: "The configuration file, JSON.")

    private static let schema = Command.Operand(name: "SCHEMA", isRequired: false, option: "schema")

    /// All commands, for those who list them.
    static var all: [Command] { entries.map { $0.make() } }

    /// A command by its name. It is made when it is asked for: a start needs one of them.
    private struct Entry: Sendable {
        let name: String
        let make: @Sendable () -> Command

        init(_ name: String, _ make: @escaping @autoclosure @Sendable () -> Command) {
            (self.name, self.make) = (name, make)
        }
    }

    private static let entries: [Entry] = [
        Entry(
            "serve",
            Command(
                name: "serve", summary: "Serve the API of a schema.",
                operand: schema,
                options: [config] + settings(ConfigurationKey.all.compactMap(\.option)) + [
                    CommandOption(
                        name: "verbose", value: .none,
                        summary:
                            "Print what the pools, buckets and functions are called too, and the keys for this machine."
                    ),
                    CommandOption(
                        name: "print-config", value: .none,
                        summary: "Print each setting and where it came from, and end. Secrets are masked."),
                ],
                notes: [
                    "Every key of the configuration file is an environment variable too: log.level is HOMEPORT_LOG_LEVEL.",
                    "Precedence: options, environment variables, the file, defaults.",
                ])),
        Entry(
            "exec",
            Command(
                name: "exec", summary: "Run a command, such as an app's tests, beside a server of its own.",
                operand: schema,
                options: [config] + settings(ConfigurationKey.all.compactMap(\.option)) + [
                    CommandOption(
                        name: "seed-command", value: .text("COMMAND"),
                        summary: "A command of the shell that fills the database before."),
                    CommandOption(
                        name: "stdio", value: .none,
                        summary:
                            "Run no command: print the address and the keys as a line of JSON, and serve until the input ends."
                    ),
                ],
                program: Command.Operand(name: "COMMAND", isRequired: true, option: "stdio"),
                notes: [
                    "The server has a free port of this machine and an empty database in memory, unless --port, --host or",
                    "--database say otherwise. It ends with the command, and the exit code is the command's.",
                    "HOMEPORT_URL and AWS_ENDPOINT_URL say where it is (the API is at $HOMEPORT_URL/graphql), and",
                    "HOMEPORT_API_KEY is a key of it; AMPLIFY_OUTPUTS names the file that apps load. AWS's keys are those",
                    "of an administrator. HOMEPORT_TEST_KEY lets tests reset it, and more: docs/testing.md. Within it,",
                    "homeport token, users, files, mail, export, import, outputs and health speak to that server.",
                    "homeport exec --seed-command 'npm run seed' -- npm test",
                ])),
        Entry(
            "status",
            Command(
                name: "status",
                summary: "Say what runs here: where, since when, with which pools, buckets and functions.",
                options: [config] + settings(["data"]) + [
                    CommandOption(name: "json", value: .none, summary: "Print JSON.")
                ],
                notes: ["It is the server that uses the data folder. Exit code 1 when none runs."])),
        Entry(
            "new",
            Command(
                name: "new", summary: "Write a small project to begin with.",
                operand: Command.Operand(name: "PROJECT", isRequired: true, choices: NewCommand.projects),
                secondOperand: Command.Operand(name: "FOLDER", isRequired: false), options: [],
                notes: [
                    "todo is one model that everybody may use; blog has users, groups and relations; gen2 is a project of",
                    "Amplify Gen 2 with sign-in. Without FOLDER it is written here. No file is written over.",
                ])),
        Entry(
            "check",
            Command(
                name: "check", summary: "Check a schema and print what is wrong with it.",
                operand: schema,
                options: [config] + settings(["schema", "database", "data"]) + [
                    CommandOption(
                        name: "files", value: .none,
                        summary: "Check the files of the store instead: each one by its checksum.")
                ],
                notes: [
                    "Prints every error and warning with its place. Exit code 1 when there is an error.",
                    "--files reads every byte of the files that are kept, and names what was changed, is missing or is",
                    "nobody's. A server may run meanwhile. Nothing is changed.",
                ])),
        Entry(
            "evaluate",
            Command(
                name: "evaluate", summary: "Evaluate a handler of a resolver, as AppSync's EvaluateCode does.",
                options: [
                    CommandOption(
                        name: "code", value: .path("FILE"), summary: "A module in JavaScript, or a template (.vtl).",
                        isRequired: true),
                    CommandOption(
                        name: "context", value: .path("FILE"),
                        summary: "The context as JSON: arguments, identity, source, stash, result, prev, error."),
                    CommandOption(
                        name: "function", value: .choice(EvaluateCommand.functions),
                        summary: "Which function of a module: request (without it), or response."),
                ],
                notes: [
                    "Prints evaluationResult, logs, stash and outErrors; exit code 1 and error where it fails.",
                    "A server answers the same over AppSync's own API, so tests that call it through an SDK run here.",
                ])),
        Entry(
            "schema",
            Command(
                name: "schema", summary: "Print the API's schema.",
                operand: schema,
                options: [config] + settings(["schema"]) + [
                    CommandOption(
                        name: "auth-directives", value: .none, summary: "Keep AppSync's authorization directives."),
                    CommandOption(
                        name: "amplify", value: .none,
                        summary: "Print Amplify's SDL with its directives, which a schema in TypeScript stands for."),
                    CommandOption(
                        name: "standalone", value: .none,
                        summary:
                            "Define the scalars and directives that are used too, for tools that do not know AppSync."),
                    CommandOption(
                        name: "json", value: .none,
                        summary: "Print the API's introspection, as Amplify's schema.json has it."),
                ],
                notes: [
                    "Amplify's generators take what is printed without options, or with --json.",
                    "GraphQL Code Generator, Relay, genql and graphql-tools take --standalone or --json.",
                ])),
        Entry(
            "outputs",
            Command(
                name: "outputs", summary: "Print the file by which an app finds this server.",
                operand: schema,
                options: [config] + settings(["schema"])
                    + settings(
                        ["host", "port"], as: ["The host that the file names.", "The port that the file names."])
                    + settings(["data"]) + [
                        CommandOption(
                            name: "format", value: .choice(OutputsCommand.formats),
                            summary:
                                "The form of the file. Without it, that of the file's name, or else gen2: amplify_outputs.json."
                        ),
                        CommandOption(
                            name: "outputs-version", value: .choice(OutputsCommand.versions),
                            summary: "The version of that form. Without it, the newest."),
                        CommandOption(
                            name: "out", value: .path("FILE"), summary: "Write it there instead of printing it."),
                        CommandOption(
                            name: "restore", value: .none,
                            summary: "Put back the files that were there before `serve` wrote its own."),
                    ],
                notes: [
                    "gen2 is amplify_outputs.json, gen2-javascript the same for version 6 of aws-amplify in a browser,",
                    "which is what it is without --format where package.json has that version.",
                    "gen1 is amplifyconfiguration.json of native apps, and",
                    "gen1-javascript that of web apps; aws-exports and awsconfiguration are the files of those names;",
                    "dart is the one for Flutter of the project's generation, gen2-dart that of Gen 2.",
                    "Those of Gen 1 are made of any project: legacy-json, legacy-json-mobile, legacy-mjs, legacy-ts",
                    "and legacy-dart are what Amplify's tools call them in a Gen 2 project.",
                    "A Gen 2 project says in amplify/auth/resource.ts how people sign in; amplify/backend.ts is run too.",
                    "A Gen 1 project says it in amplify/backend.",
                ])),
        Entry(
            "token",
            Command(
                name: "token", summary: "Print a token of a user, to send with a request.",
                options: [config] + settings(["schema", "data", "database"]) + [
                    CommandOption(name: "username", value: .text("NAME"), summary: "Whose token.", isRequired: true),
                    CommandOption(
                        name: "use", value: .choice(TokenCommand.uses),
                        summary:
                            "Which of a user pool's tokens: id (without it), or access, which Amplify's libraries send."
                    ),
                    CommandOption(
                        name: "group", value: .text("NAME"), summary: "A group of the user.", isRepeatable: true),
                    CommandOption(
                        name: "claim", value: .text("NAME=VALUE"),
                        summary: "A further claim; the value is JSON, or else a text.", isRepeatable: true),
                    CommandOption(
                        name: "expires", value: .text("TIME"),
                        summary: "How long it is good: 90s, 15m, 1h, 7d. Without it, an hour."),
                ],
                notes: [
                    "curl ... -H \"authorization: $(homeport token --username ann)\"",
                    "The same name is the same user: the pool's, with sub, attributes and groups, where the pool has it.",
                    "--group adds groups. The key that signs lies in the data folder: use the server's.",
                ])),
        Entry(
            "certificate",
            Command(
                name: "certificate",
                summary: "Make a certificate for this machine, and a local authority that signs it.",
                options: [
                    config,
                    CommandOption(
                        name: "trust", value: .none,
                        summary:
                            "Make one for all projects of this user, and have this machine and its browsers trust it."),
                    CommandOption(
                        name: "name", value: .text("NAME"), summary: "A further name or address that it is for.",
                        isRepeatable: true),
                ] + settings(["data"]),
                notes: [
                    "Without --trust it is for the servers of one data folder, and their files for apps say https.",
                    "With --trust it lies in the user's configuration folder (~/.config/homeport), and every `serve` of",
                    "this user that only this machine reaches speaks https beside http on its port. Files in a browser",
                    "need it.",
                ])),
        Entry(
            "export",
            Command(
                name: "export", summary: "Print all records as JSON lines.",
                options: [config] + settings(["database", "data"]) + [
                    CommandOption(
                        name: "out", value: .path("FILE"), summary: "Write them there instead of printing them.")
                ],
                notes: [
                    "Each line is a record: {\"type\": \"Post\", \"record\": {\"id\": \"1\", \"title\": \"First\"}}",
                    "They are the records of one moment, also while a server runs. No schema is needed.",
                ])),
        Entry(
            "import",
            Command(
                name: "import", summary: "Read records from JSON lines, as export prints them.",
                operand: Command.Operand(name: "FILE", isRequired: false, option: "in"),
                options: [config] + settings(["schema", "database", "data"]) + [
                    CommandOption(name: "in", value: .path("FILE"), summary: "The same as FILE."),
                    CommandOption(
                        name: "replace", value: .none,
                        summary: "Replace records that are there already, instead of leaving them as they are."),
                    CommandOption(
                        name: "lenient", value: .none,
                        summary: "Take records exactly as they stand, also what the schema would refuse today."),
                ],
                notes: [
                    "Without FILE it reads standard input. A record without id or timestamps gets them.",
                    "An import that was interrupted goes on where it stopped when it is started again.",
                    "A server may run meanwhile; its subscribers do not hear of imported records.",
                ])),
        Entry(
            "backup",
            Command(
                name: "backup", summary: "Write one archive of everything that a server keeps, as of one moment.",
                operand: Command.Operand(name: "FILE", isRequired: true),
                options: [config] + settings(["database", "data"]),
                notes: [
                    "The database, the files, the names of pools, clients and buckets, the keys of the issuer, parameters",
                    "and secrets, with checksums: a plain tar archive. Anyone with it has the keys, so keep it safe.",
                    "A server may run meanwhile. FILE appears when it is whole; until then its folder needs room for",
                    "the database a second time. With backup.every a server makes backups by itself.",
                ])),
        Entry(
            "restore",
            Command(
                name: "restore", summary: "Make a backend of an archive that backup wrote.",
                operand: Command.Operand(name: "FILE", isRequired: true),
                options: [config] + settings(["database", "data"]) + [
                    CommandOption(
                        name: "replace", value: .none,
                        summary:
                            "Remove the data that is in the folder. Without it, a folder that is not empty is refused."
                    )
                ],
                notes: [
                    "homeport restore monday.tar --data .homeport",
                    "Users, tokens and links of the backup are valid again. Clients that sync get all records.",
                    "Every checksum is compared before anything is replaced. Stop the server before.",
                ])),
        Entry(
            "move",
            Command(
                name: "move", summary: "Move a whole database from a file to PostgreSQL, or back.",
                options: [
                    CommandOption(
                        name: "from", value: .path("URL-OR-FILE"),
                        summary: "The database that moves. It stays as it is.",
                        isRequired: true),
                    CommandOption(
                        name: "to", value: .path("URL-OR-FILE"),
                        summary: "The place that it moves to: an empty schema, or a new file.",
                        isRequired: true),
                    CommandOption(
                        name: "replace-nul", value: .none,
                        summary:
                            "Put U+FFFD in the place of U+0000. Without it, such a text is refused."
                    ),
                ],
                notes: [
                    "homeport move --from .homeport/data.sqlite --to postgres://app@db.example.com/app",
                    "Stop the server before. Passwords: in the URLs, or PGPASSWORD for both.",
                    "All data moves, with users, keys and names, so tokens stay valid. Files of buckets do not.",
                    "An interrupted move continues when you give the same command again. Both sides are compared.",
                ])),
        Entry(
            "move-in",
            Command(
                name: "move-in", summary: "Bring an app's records, users and files out of AWS into a data folder.",
                options: [config] + settings(["schema", "database", "data"]) + [
                    CommandOption(
                        name: "tables", value: .path("FOLDER"),
                        summary: "Exports of DynamoDB's tables to S3, and pages of scans: one folder for all tables.",
                        isRepeatable: true),
                    CommandOption(
                        name: "since", value: .path("FOLDER"),
                        summary: "Incremental exports on top of what came, also beside a server that serves it.",
                        isRepeatable: true),
                    CommandOption(
                        name: "users", value: .path("FILE-OR-FOLDER"),
                        summary: "What Cognito lists of users, groups and members, and its table (CSV).",
                        isRepeatable: true),
                    CommandOption(
                        name: "pool", value: .path("FILE"),
                        summary: "What describe-user-pool says, and its clients: print it as configuration.",
                        isRepeatable: true),
                    CommandOption(
                        name: "identities", value: .path("FILE"),
                        summary: "Which identity of the identity pool is whose: a sub, a comma and an identity a line.",
                        isRepeatable: true),
                    CommandOption(
                        name: "files", value: .path("FOLDER[:BUCKET]"),
                        summary: "Files as aws s3 sync writes them, with FOLDER.jsonl beside for types and metadata.",
                        isRepeatable: true),
                    CommandOption(
                        name: "keep-unknown", value: .none,
                        summary: "Keep attributes that the schema has no field for, for the way out."),
                    CommandOption(
                        name: "project", value: .path("FOLDER"),
                        summary: "The project, where it is not the folder here."),
                    CommandOption(
                        name: "dry-run", value: .none, summary: "Read and check everything, and write nothing."),
                ],
                notes: [
                    "homeport move-in --tables exports/ --data .homeport",
                    "A table's name says the model: Post-APIID-ENV. What does not fit the schema is listed.",
                    "An interrupted move continues when you give the same command again: docs/moving.md.",
                ])),
        Entry(
            "move-out",
            Command(
                name: "move-out", summary: "Write an app's records, users and files in the forms that AWS takes.",
                operand: Command.Operand(name: "FOLDER", isRequired: true),
                options: [config] + settings(["schema", "database", "data"]) + [
                    CommandOption(
                        name: "format", value: .choice(MoveOutCommand.Wish.formats),
                        summary: "How records are written (dynamodb-json).")
                ],
                notes: [
                    "tables/MODEL/ is an export that DynamoDB's ImportTable takes, with table.json for its keys.",
                    "users/ has Cognito's table (CSV) and what ListUsers and ListGroups say. Passwords are not in it.",
                    "files/BUCKET/ is for aws s3 sync, with types and metadata in files/BUCKET.jsonl.",
                    "Records and users are of one moment. A server may run meanwhile. An interrupted move continues.",
                ])),
        Entry(
            "users",
            Command(
                name: "users", summary: "List, change, import and export the users of the built-in pool.",
                operand: Command.Operand(
                    name: "ACTION", isRequired: true, choices: UsersCommand.Action.allCases.map(\.rawValue)),
                secondOperand: Command.Operand(name: "NAME", isRequired: false),
                options: [config] + settings(["schema", "database", "data"]) + [
                    CommandOption(
                        name: "email", value: .text("ADDRESS"), summary: "add: their address, taken as proved."),
                    CommandOption(
                        name: "phone", value: .text("NUMBER"),
                        summary: "add: their number, as +15555550100, taken as proved."),
                    CommandOption(
                        name: "attribute", value: .text("NAME=VALUE"), summary: "add: a further attribute.",
                        isRepeatable: true),
                    CommandOption(
                        name: "password", value: .text("PASSWORD"),
                        summary: "add, password: the password. Without it a new user is invited with a temporary one."),
                    CommandOption(
                        name: "temporary", value: .none,
                        summary: "add, password: they choose another when they sign in."),
                    CommandOption(
                        name: "group", value: .text("NAME"),
                        summary: "add, groups: a group to join, made where there is none.", isRepeatable: true),
                    CommandOption(
                        name: "leave", value: .text("NAME"), summary: "groups: a group to leave.", isRepeatable: true),
                    CommandOption(
                        name: "filter", value: .text("FILTER"),
                        summary: "list: such as 'email ^= \"ann@\"', as ListUsers takes it."),
                    CommandOption(name: "json", value: .none, summary: "Print JSON, a line for each user."),
                ],
                notes: [
                    "NAME is the user's name, sub, or an address by which they sign in; for import and export a file.",
                    "import takes JSON lines, as export prints them, and the table (CSV) of Cognito's own imports;",
                    "without NAME it reads standard input. Lines that cannot be are told with their numbers and left",
                    "out; users who are there stay as they are. Exports hold what proves passwords: keep them safe.",
                    "keys lists the keys that tokens are signed with; `keys rotate` makes a new one. The one before is",
                    "published until all that it has signed has ended.",
                    "A server may run meanwhile: its next call sees what was changed.",
                ])),
        Entry(
            "files",
            Command(
                name: "files", summary: "List, put, get and remove files of the store.",
                operand: Command.Operand(
                    name: "ACTION", isRequired: true, choices: FilesCommand.Action.allCases.map(\.rawValue)),
                secondOperand: Command.Operand(name: "KEY", isRequired: false),
                options: [config] + settings(["schema", "database", "data"]) + [
                    CommandOption(
                        name: "bucket", value: .text("NAME"), summary: "Which bucket, as the app or requests call it."),
                    CommandOption(
                        name: "file", value: .path("FILE"),
                        summary: "put: the file to take. get: where to write it; without it, standard output."),
                    CommandOption(
                        name: "type", value: .text("TYPE"), summary: "put: its content type, such as image/png."),
                    CommandOption(name: "json", value: .none, summary: "list: print JSON, a line for each file."),
                ],
                notes: [
                    "KEY is all of a file's key, such as public/photo.jpg, or for list the beginning of keys.",
                    "A server may run meanwhile. No rules hold here: whoever has the data folder has the files.",
                ])),
        Entry(
            "mail",
            Command(
                name: "mail", summary: "Print what was sent to users, codes among it.",
                options: [config] + settings(["database", "data"]) + [
                    CommandOption(name: "to", value: .text("WHOM"), summary: "To this user or address only."),
                    CommandOption(name: "follow", value: .none, summary: "Go on with those that come."),
                    CommandOption(name: "json", value: .none, summary: "Print JSON, a line for each message."),
                ],
                notes: ["The latest 1,000 are kept, sent or not. A server may run meanwhile."])),
        Entry(
            "health",
            Command(
                name: "health", summary: "Ask a running server whether it is well.",
                options: [config]
                    + settings(["host", "port"], as: ["The host of the server.", "The port of the server."]) + [
                        CommandOption(
                            name: "timeout", value: .integer("SECONDS", 1...3600),
                            summary: "How long to wait for the answer (5).")
                    ])),
        Entry("version", Command(name: "version", summary: "Print the version.", options: [])),
        Entry(
            "help",
            Command(
                name: "help", summary: "Say what there is, or what a command does.",
                operand: Command.Operand(name: "COMMAND", isRequired: false), options: [])),
        Entry(
            "completion",
            Command(
                name: "completion", summary: "Print a script with which a shell completes commands and options.",
                operand: Command.Operand(name: "SHELL", isRequired: true, choices: shells), options: [],
                notes: [
                    "bash: homeport completion bash > /etc/bash_completion.d/homeport",
                    "zsh:  homeport completion zsh > \"${fpath[1]}/_homeport\"",
                    "fish: homeport completion fish > ~/.config/fish/completions/homeport.fish",
                ])),
    ]

    static func command(named name: String) -> Command? {
        entries.first { $0.name == name }?.make()
    }

    /// Options that are keys of the configuration: their rows are those of the configuration's table.
    fileprivate static func settings(_ names: [String]) -> [CommandOption] {
        names.compactMap { name in
            ConfigurationKey.all.first { $0.option == name }.map { CommandOption(name, $0) }
        }
    }
}

extension CommandTable {
    /// The same with texts of the command's own.
    fileprivate static func settings(_ names: [String], as summaries: [String]) -> [CommandOption] {
        zip(settings(names), summaries).map { option, summary in
            // The port of a server that runs is a number.
            let value: CommandOption.Value =
                if case .integer(let placeholder, let range, _) = option.value {
                    .integer(placeholder, range)
                } else {
                    option.value
                }
            return CommandOption(name: option.name, value: value, summary: summary)
        }
    }
}

extension CommandOption {
    fileprivate init(_ name: String, _ key: ConfigurationKey) {
        let value: Value =
            switch key.kind {
            case .boolean: .toggle
            case .integer(let range, let word):
                .integer("N", Int(clamping: range.lowerBound)...Int(clamping: range.upperBound), or: word)
            case .choice(let names): .choice(names)
            case .path, .databasePath: .path("PATH")
            case .list(.path): .path("FILE")
            case .list: .text("NAME")
            default: .text(name.uppercased())
            }
        let takesSeveral = if case .list(.path) = key.kind { true } else { false }
        self.init(name: name, value: value, summary: key.summary, isRepeatable: takesSeveral)
    }
}
