import Access
import Functions
import JSON
import Project
import Schedules

extension ConfigurationKey {
    /// The app's functions.
    static let functions: [ConfigurationKey] = [
        ConfigurationKey(
            "functions",
            .map(
                .object([
                    ConfigurationField("url", .url, "Where it is called, when something else runs it."),
                    ConfigurationField(
                        "command", .either(.text, .list(.text)),
                        "What runs it here: a program and its words, or a line for the shell. It speaks Lambda's Runtime API, as "
                            + "every `bootstrap` and every runtime client of Lambda's does."),
                    ConfigurationField(
                        "handler", .path,
                        "In place of a command, the file of a handler in JavaScript, TypeScript or Python, such as "
                            + "`functions/echo/handler.ts`, `src/index.handler` or `index.py:answer`; beside one, what the runtime is told."
                    ),
                    ConfigurationField("cwd", .path, "The folder where it runs; of a handler, that of its file."),
                    ConfigurationField(
                        "environment", .map(.text), isSecret: true, "The variables of its processes."),
                    ConfigurationField(
                        "timeout", range(RuntimeLimits.timeoutSeconds), "The seconds that a call may take (3)."),
                    ConfigurationField(
                        "memory", range(RuntimeLimits.memoryMegabytes), "The megabytes that a process may have (512)."),
                    ConfigurationField(
                        "schedule", schedules,
                        "When it is called by the clock: one time or several, each as `defineFunction` has it: `every 5m`, "
                            + "`every day`, the fields of a cron."),
                    ConfigurationField(
                        "tables", .list(.either(.text, .object(tableSource))),
                        "The models of whose changes it is told, with the event of DynamoDB's streams: after the commit, in their "
                            + "order, and again where it fails."),
                    ConfigurationField(
                        "queues", .list(.either(.text, .object(queueSource))),
                        "The queues of whose messages it is told, with the event that Lambda has for SQS; again where it fails."
                    ),
                    ConfigurationField(
                        "rest", .list(.object(restPath)),
                        "The paths of APIs at which it is called, below `/rest/API`."
                    ),
                    ConfigurationField(
                        "httpURL", .choice(FunctionSetting.URLAccess.allCases.map(\.rawValue)),
                        "Whether it has a URL of its own, `/url/NAME`, with the event of version 2: for everybody (`NONE`), or for "
                            + "whoever signs as an administrator."),
                    ConfigurationField(
                        "ownOrigin", .boolean,
                        "Whether browsers give its pages the server's own origin. The console and the sign-in pages have that origin too, "
                            + "so a script in such a page may act for whoever is signed in there. Without it, browsers show its pages in "
                            + "a sandbox."),
                    ConfigurationField(
                        "concurrency", range(RuntimeLimits.concurrency),
                        "The processes that it may have, each of which does one call at a time (10)."),
                    ConfigurationField(
                        "policy", .list(.object(statement)),
                        "What its role may do, beside what a project gives it."),
                ])), \.functions,
            "The functions that the schema names, and where each is called or what runs it. A function goes by its name in the "
                + "schema, by that which `defineFunction` gives it, or by that of the operation which it is the handler of."
        ),
        ConfigurationKey(
            "functions.strict", .boolean, \.hasStrictFunctions,
            "Whether functions may do only what could be read of what the project and `policy` give them; else what cannot be read is "
                + "allowed, and told. For production."),
    ]

    static let statement = [
        ConfigurationField(
            "effect", .choice(FunctionSetting.Statement.effects), "Whether it allows, or denies (`Allow`)."),
        ConfigurationField(
            "actions", .list(.text), isRequired: true, "Actions as IAM has them: `dynamodb:GetItem`, `s3:*`."),
        ConfigurationField(
            "resources",
            .list(
                .form(
                    "ARN", expectation: "* or an ARN such as arn:aws:dynamodb:*:*:table/Todo-*",
                    admits: { ResourcePattern($0) != nil })),
            "What they are done to; without it, everything. Regions and accounts count for nothing."),
    ]

    /// When something is called by the clock.
    static let schedules = ConfigurationKind.either(.text, .list(.either(.text, .object(schedule))))

    private static let schedule = [
        ConfigurationField("cron", .text, "The fields of AWS's cron."),
        ConfigurationField("rate", .text, "Or how often: `5 minutes`."),
        ConfigurationField("timezone", .text, "The time zone; without it, UTC."),
        ConfigurationField(
            "sender", .choice(Schedule.Sender.allCases.map(\.rawValue)),
            "Whose event the function is told: that of a `rule` of EventBridge, or of its `scheduler`."),
        ConfigurationField(
            "input",
            .form(
                "JSON", expectation: "a text of JSON",
                admits: { (try? JSONReader.value(of: Array($0.utf8))) != nil }),
            "What it is told in the place of that event."),
    ]

    private static let restPath = [
        ConfigurationField("api", .text, isRequired: true, "The name of the API."),
        ConfigurationField(
            "path", .form("path", expectation: "a path such as \"/items\"", admits: { $0.hasPrefix("/") }),
            isRequired: true,
            "The path; what is below it belongs to it, and `{name}` stands for any part, `{name+}` at its end for all that is below."
        ),
        ConfigurationField("methods", .list(.text), "The methods by which it is called; without them, by all."),
        ConfigurationField("exact", .boolean, "Whether what is below it does not belong to it."),
        ConfigurationField(
            "allow", .map(.list(.choice(RestPath.Action.allCases.map(\.rawValue)))),
            "What signed-in users (`auth`), guests (`guest`) and groups may do, who sign their requests; without it, everybody may "
                + "do everything."),
        ConfigurationField(
            "users", .list(.text),
            "That it is for users of the pool, who show a token: their ID token, or an access token with one of these scopes."
        ),
        ConfigurationField(
            "event", .choice(RestPath.EventForm.allCases.map(\.rawValue)),
            "The form of API Gateway's event: `1.0` as for a REST API, `2.0` as for an HTTP API."),
    ]

    private static let tableSource = [
        ConfigurationField("model", .text, "The model."),
        ConfigurationField("table", .text, "Or the name of a table of the project's own, which has a stream."),
        ConfigurationField(
            "batch", range(RuntimeLimits.streamBatch), "How many changes it is told of at once at the most (100)."),
        ConfigurationField(
            "reportBatchItemFailures", .boolean,
            "Whether its answer names the changes that it did not take; else it takes all or none."),
        ConfigurationField(
            "startingPosition", .choice(TableSource.Start.allCases.map(\.rawValue)),
            "Whether it is told, when it is new, of what comes from then on (`LATEST`), or before that of what is still kept for "
                + "other functions."),
        ConfigurationField(
            "filters",
            .list(
                .checked(
                    "pattern",
                    expectation:
                        "a pattern of Lambda's event filters, such as {\"eventName\": [\"INSERT\"]}, as a string",
                    fault: ChangeFilter.fault)),
            "Patterns of Lambda's event filters, as strings, one of which a change has to fit; without any, it is told of all."
        ),
        ConfigurationField(
            "retryAttempts", range(RuntimeLimits.streamRetries),
            "How often it is told again of what it failed with before that is given up (4); `-1`: until it is a day old."
        ),
        ConfigurationField(
            "bisectBatchOnError", .boolean,
            "Whether what it failed with is told again in halves (true), or whole each time."),
    ]

    static func range(_ range: ClosedRange<Int>) -> ConfigurationKind {
        .integer(Int64(range.lowerBound)...Int64(range.upperBound))
    }
}

extension ConfigurationKind {
    /// A function: a name of `functions`, or a URL.
    static let function = ConfigurationKind.form(
        "URL or function", expectation: "a URL that starts with http:// or https://, or a name of functions",
        admits: { text in
            !text.isEmpty && text.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F }
                && (!text.contains(bytesOf: "://") || ConfigurationCheck.isURL(text))
        })
}
