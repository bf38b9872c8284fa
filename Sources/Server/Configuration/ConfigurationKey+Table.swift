import Access
import Blueprint
import JSON
import Store

extension ConfigurationKey {
    /// Everything that can be set, in the order of the reference.
    package static let all: [ConfigurationKey] = {
        let parts = [
            general, operating, functions, queues, events, eventAPI, workflows, resolvers, network, log, limits, auth,
            pool, mail, language, files, features, sync,
        ]
        // Hot path of a start: each `+` would copy all keys before it.
        var keys: [ConfigurationKey] = []
        keys.reserveCapacity(parts.reduce(0) { $0 + $1.count })
        for part in parts { keys.append(contentsOf: part) }
        return keys
    }()

    private static let modes = [AuthMode.apiKey, .userPools, .iam, .oidc, .lambda].map(\.rawValue)
    private static let count = 1...Int64(Int32.max)
    private static let conflictKind = ConfigurationKind.either(
        .choice(ConflictStrategy.named.keys.sorted()),
        .object([
            ConfigurationField(
                "lambda", .function, isRequired: true, "The function that decides: a name of `functions`, or a URL.")
        ]))

    private static func limit(
        _ name: String, _ field: @autoclosure @escaping Field<Configuration, Int>, _ summary: String
    ) -> ConfigurationKey {
        ConfigurationKey("limits.\(name)", .integer(count), field(), summary)
    }

    private static func feature(
        _ name: String, _ field: @autoclosure @escaping Field<Settings, Bool>, _ summary: String
    ) -> ConfigurationKey {
        ConfigurationKey("features.\(name)", .boolean, ofProject: field(), summary)
    }

    private static let general: [ConfigurationKey] = [
        ConfigurationKey(
            "schema", .path, \.schema, option: "schema",
            "The schema, a file or a folder of them. Without it, the first of these is taken: "
                + SchemaPlace.usualPlaces.map { "`\($0)`" }.joined(separator: ", ") + "."),
        ConfigurationKey(
            "data", .path, \.data, option: "data", "The folder for everything that the server keeps."),
        ConfigurationKey(
            "database", .databasePath, \.databasePath, option: "database",
            "The database file, `:memory:`, or the URL of a database on a server of PostgreSQL 14 or later, such as "
                + "`postgres://app@db.example.com/app`. Without it, `data.sqlite` in the `data` folder."),
        ConfigurationKey(
            "databasePasswordFile", .path, \.databasePasswordFile,
            "A file with the password for a database on a server. Without it, and without one in the URL, that of the variable "
                + "`PGPASSWORD`."),
        ConfigurationKey(
            "nodes", .boolean, \.hasNodes, option: "nodes",
            "Whether this server is one of several over the same database on a server: see docs/scaling.md. What does not work "
                + "with several yet is refused at the start."),
        ConfigurationKey(
            "nodeAddress", .url, \.nodeAddress,
            "Where the other servers of the same database call this one, such as `http://10.0.0.3:20002`: some calls of Step Functions "
                + "need the keeper. Default: the address that it listens on."),
        ConfigurationKey(
            "forcedMigrations", .list(.text), \.forcedMigrations, option: "force-migration",
            "Changes of the schema that may lose data, by the names that a refused start lists, such as `Post.title`. "
                + "A copy of the data is written before."),
        ConfigurationKey(
            "seed", .path, \.seed, option: "seed", "A file of JSON lines that an empty database starts with."),
        ConfigurationKey(
            "outputs", .list(.path), \.outputs, option: "outputs",
            "Files by which apps find the server, written at each start in the form that their names say; `[]`: none. Default: "
                + "`amplify_outputs.json` of a Gen 2 project, and the files of a Gen 1 project's app, where only this machine reaches the "
                + "server."),
        ConfigurationKey(
            "watch", .boolean, \.watches, option: "watch",
            "Whether a schema that is edited is served at once, without a restart, and what its project says of functions, files "
                + "and sign-in. Default: on when run in a terminal."),
        ConfigurationKey(
            "testControl", .boolean, \.hasTestControl, option: "test-control",
            "Whether tests may reset the data, take and restore snapshots, move the clock, make requests fail and read messages, "
                + "below `/_homeport`: only where nobody but this machine reaches the server. Default: only under `exec`."
        ),
        ConfigurationKey(
            "testKey",
            .secret(
                "key", expectation: "at least \(TestKey.bytesMin) visible characters of ASCII without spaces",
                admits: { TestKey($0) != nil }), \.testKey,
            "The key that tests send as `x-homeport-test-key`. Without it, one is made at the start, and printed."),
        ConfigurationKey(
            "console", .boolean, \.hasConsole, option: "console",
            "Whether there is a page for people at `/`, for data, rights, users and what happens: see docs/console.md. Without it, "
                + "where nobody but this machine reaches the server; elsewhere an administrator signs in to it."),
        ConfigurationKey(
            "introspection", .boolean, \.engine.allowsIntrospection, "Whether clients may ask for the API's schema."),
        ConfigurationKey(
            "eventLoops", .integer(1...1024), \.eventLoops, "How many event loops run. Without it, one for each core."),
    ]

    private static let network: [ConfigurationKey] = [
        ConfigurationKey("host", .text, \.host, option: "host", "The address to listen on."),
        ConfigurationKey(
            "port", .integer(0...65_535, or: Configuration.searchWord), default: Configuration.standard.port.configured,
            option: "port",
            "The port to listen on; 0 takes any free one, and `auto` the first free one from \(Configuration.searchedPorts.lowerBound) on."
        ) { value, configuration in
            configuration.searchesPort = value.string != nil
            configuration.port = Int(configured: value) ?? 0
        },
        ConfigurationKey(
            "listen", .list(.address), \.listen,
            "Several addresses to listen on, in place of `host` and `port` unless one of those is set from a stronger source."
        ),
        ConfigurationKey("tls.certificate", .path, \.certificate, "The certificate chain for TLS, a PEM file."),
        ConfigurationKey("tls.key", .path, \.certificateKey, "The key of the certificate, a PEM file."),
        ConfigurationKey(
            "allowedHosts", .list(.text), \.allowedHosts,
            "Names in the `Host` header that are answered, besides loopback names and the addresses that are listened on."
        ),
        ConfigurationKey(
            "proxies",
            .list(
                .form(
                    "address or network",
                    expectation: "an address such as \"10.0.0.7\", or a network such as \"10.0.0.0/8\"",
                    admits: { AddressRange($0) != nil })),
            \.proxies,
            "The addresses of proxies that stand before the server. From these alone `X-Forwarded-For` is taken as the "
                + "client's address, for limits and for what functions are told (`sourceIp`), and `X-Forwarded-Proto` and "
                + "`X-Forwarded-Host` as the address in the issuer of tokens."),
        ConfigurationKey(
            "cors.privateNetwork", .boolean, \.allowsPrivateNetworkAccess,
            "Whether pages of public sites may call this server where it stands in a private network."),
    ]

    private static let log: [ConfigurationKey] = [
        ConfigurationKey(
            "log.format", .choice(LogFormat.allCases.map(\.rawValue)), \.log.format, option: "log-format",
            "How log lines look."),
        ConfigurationKey(
            "log.level", .choice(LogLevel.allCases.map(\.rawValue)), \.log.level, option: "log-level",
            "The least important lines that are logged."),
        ConfigurationKey(
            "log.requests", .boolean, \.log.requests,
            "Whether each request is logged, and each operation of WebSockets and event streams."),
        ConfigurationKey(
            "log.clients", .boolean, \.log.clients,
            "Whether the line of a request has the client's address, and the `sub` of its token. Without it, where other machines "
                + "reach the server."),
    ]

    private static let limits: [ConfigurationKey] = [
        limit(
            "headBytes", \.http.headBytes,
            "Request line and header fields together. Clients of HTTP/2 are told of it as the size of a header list."),
        limit("targetBytes", \.http.targetBytes, "The path and query of a request."),
        limit("headFields", \.http.headFields, "Header fields of a request, and of its trailer."),
        limit("bodyBytes", \.http.bodyBytes, "The body of a request, before and after decompression."),
        limit("chunkLineBytes", \.http.chunkLineBytes, "The line that opens a chunk of a body."),
        limit("trailerBytes", \.http.trailerBytes, "The trailer of a chunked body."),
        limit("pipelinedBytes", \.http.pipelinedBytes, "Further requests on a connection while one is answered."),
        limit(
            "streamsPerConnection", \.http.streamsPerConnection,
            "Requests of one HTTP/2 connection that are under way at once; beyond, a request is refused, and may be sent again."
        ),
        limit("connections", \.http.connections, "Open connections."),
        limit(
            "handshakes", \.http.handshakes,
            "TLS handshakes that are under way; beyond, those that have lasted longest are closed."),
        limit("streamedBytes", \.http.streamedBytes, "Bytes of a streamed body that wait for their reader."),
        limit(
            "waitingBodyBytes", \.http.waitingBodyBytes,
            "What has come of requests and messages that are not complete, in all connections together; beyond, requests are refused with 503."
        ),
        limit(
            "unreadAnswerBytes", \.http.unreadAnswerBytes,
            "What waits for clients that do not read, in all connections together; beyond, the slowest are closed."),
        limit("idleMilliseconds", \.http.idleMilliseconds, "How long a connection may be idle between requests."),
        limit("headMilliseconds", \.http.headMilliseconds, "How long a request's head may take."),
        limit(
            "bodyGraceMilliseconds", \.http.bodyGraceMilliseconds,
            "The stretches of time in each of which a body must keep its rate."),
        limit("bodyBytesPerSecond", \.http.bodyBytesPerSecond, "The rate that a body must keep."),
        limit("bodySilenceMilliseconds", \.http.bodySilenceMilliseconds, "How long nothing of a body may come."),
        limit(
            "answerGraceMilliseconds", \.http.answerGraceMilliseconds,
            "The stretches of time in each of which a client must take an answer at its rate."),
        limit("answerBytesPerSecond", \.http.answerBytesPerSecond, "The rate at which a client must take an answer."),
        limit(
            "writeStallMilliseconds", \.http.writeStallMilliseconds, "How long a client may take nothing of an answer."
        ),
        limit(
            "lingerMilliseconds", \.http.lingerMilliseconds,
            "How long a client that is still sending is listened to behind an answer that ends its connection."),
        limit(
            "lingerSilenceMilliseconds", \.http.lingerSilenceMilliseconds, "The same without a byte from the client."),
        limit("lingerBytes", \.http.lingerBytes, "How much such a client may send."),
        limit(
            "stopMilliseconds", \.http.stopMilliseconds,
            "How long running requests may go on when the server stops. A second later the process ends in any case."),
        limit("webSocketMessageBytes", \.webSocket.messageBytesMax, "A message from a WebSocket."),
        limit("webSocketMessageFrames", \.webSocket.messageFramesMax, "The fragments of such a message."),
        limit("webSocketOutboundBytes", \.webSocket.outboundBytesMax, "What waits to be sent to a WebSocket."),
        limit(
            "webSocketPingMilliseconds", \.webSocket.pingAfterMilliseconds,
            "After how much silence a WebSocket is pinged."
        ),
        limit(
            "webSocketSilenceMilliseconds", \.webSocket.silenceMillisecondsMax,
            "After how much silence a WebSocket is closed."),
        limit(
            "webSocketCloseMilliseconds", \.webSocket.closeMillisecondsMax,
            "How long a closing WebSocket is waited for."),
        limit(
            "subscriptionsPerConnection", \.realtime.subscriptionsPerConnection,
            "The subscriptions of a WebSocket. DataStore has three for each model."),
        ConfigurationKey(
            "limits.queryDepth", .integer(count), \.engine.limits.depthMax,
            "How deep the fields of an operation may nest. Without it, as deep as documents may."),
        limit(
            "operationReads", \.engine.limits.readsMax,
            "The records and pages that an operation may ask the database for."),
        ConfigurationKey(
            "limits.operationSeconds", .integer(1...86_400), \.engine.limits.milliseconds, unit: 1_000,
            "How long an operation may read, and what it calls may take all together."),
        ConfigurationKey(
            "limits.mutationSeconds", .integer(1...86_400), \.engine.limits.mutationMilliseconds, unit: 1_000,
            "How long the mutations of an operation may take together: nobody else's are made meanwhile."),
        limit("responseBytes", \.engine.limits.responseBytesMax, "The response to an operation, its errors included."),
        limit("pageRecords", \.engine.limits.pageMax, "The records of a page, whatever its `limit` says."),
        limit(
            "pageBytes", \.engine.limits.pageBytesMax,
            "The bytes of a page of records: it ends behind the record with which it has as many, and has a `nextToken`."
        ),
        limit("searchAggregates", \.engine.limits.aggregatesMax, "The aggregates that a search may ask for."),
        ConfigurationKey(
            "limits.functionCalls", .integer(1...10_000), \.engine.limits.callsMax,
            "The functions and services that an operation calls at the same time."),
        ConfigurationKey(
            "limits.functionSeconds", .integer(1...86_400), \.engine.limits.callMilliseconds, unit: 1_000,
            "How long a function or service may take to answer. AppSync waits for 30 seconds."),
        limit("functionBytes", \.engine.limits.callBytesMax, "The answer of a function or service."),
    ]

    private static let auth: [ConfigurationKey] = [
        ConfigurationKey(
            "auth.default", .choice(modes), ofProject: \.defaultMode, "The API's default authorization mode."),
        ConfigurationKey(
            "auth.additional", .list(.choice(modes)), ofProject: \.additionalModes,
            "Further authorization modes. With no mode set at all, the built-in user pool is one."),
        ConfigurationKey(
            "auth.apiKeys",
            .list(
                .object([
                    ConfigurationField(
                        "key", .text, isRequired: true, isSecret: true, "What callers send as `x-api-key`."),
                    ConfigurationField("expires", .timestamp, "When the key ends."),
                ])),
            \.auth.apiKeys,
            "The API keys. The well-known one of the default, and those of examples, are good for requests from this machine "
                + "only, under a loopback name and not through a proxy."),
        ConfigurationKey(
            "auth.userPools.issuer", .text, \.auth.userPools.issuer,
            "The issuer of a user pool's tokens. Without it, the built-in pool is used."),
        ConfigurationKey("auth.userPools.jwks", .pathOrURL, \.auth.userPools.jwks, "The user pool's public keys."),
        ConfigurationKey(
            "auth.userPools.clientIds", .list(.text), \.auth.userPools.clientIDs,
            "The clients whose tokens are good; none: all of the pool."),
        ConfigurationKey(
            "auth.oidc.issuer", .text, \.auth.oidc.issuer, "The issuer of an OpenID Connect provider's tokens."),
        ConfigurationKey("auth.oidc.jwks", .pathOrURL, \.auth.oidc.jwks, "The provider's public keys."),
        ConfigurationKey(
            "auth.oidc.clientId", .pattern, \.auth.oidc.clientID,
            "What a token's client must match as a whole, in Java's syntax."),
        ConfigurationKey(
            "auth.oidc.iatTTL", .integer(0...Int64.max), \.auth.oidc.issuedAtMilliseconds,
            "Milliseconds that a token is good after it was issued; 0: as long as it says."),
        ConfigurationKey(
            "auth.oidc.authTTL", .integer(0...Int64.max), \.auth.oidc.authenticatedMilliseconds,
            "Milliseconds that a token is good after its owner signed in; 0: as long as it says."),
        ConfigurationKey(
            "auth.iam.credentials",
            .list(
                .object([
                    ConfigurationField("accessKeyId", .text, isRequired: true, "The key's name."),
                    ConfigurationField(
                        "secretAccessKey", .text, isRequired: true, isSecret: true, "What requests are signed with."),
                    ConfigurationField(
                        "role", .choice(IAMPrincipal.Role.named.map(\.name)), isRequired: true,
                        "What the owner may do: what the rules give signed-in users or guests of the identity pool, or, with "
                            + "`admin`, everything, like the roles that Gen 1 lists in `custom-roles.json`."),
                    ConfigurationField(
                        "sessionToken", .text, isSecret: true,
                        "What temporary credentials send as `x-amz-security-token`."),
                    ConfigurationField("identityId", .text, "The owner's identity in the identity pool."),
                    ConfigurationField(
                        "group", .text,
                        "The group in whose role the owner acts, which takes the place of that of signed-in users."),
                    ConfigurationField(
                        "function", .text,
                        "The app's function that the owner is: of files it may do what rules give that function."),
                    ConfigurationField(
                        "identityPoolId", .text, "The identity pool, for functions that are told of it."),
                    ConfigurationField(
                        "accountId", .text, "The AWS account, for functions that are told of it (123456789012)."),
                ])),
            \.auth.principals,
            "Keys with which requests may be signed. Without any, on loopback, those of Amplify's mock are good for requests "
                + "from this machine: `ASIAVJKIAM-AuthRole`, and `ASIAVJKI-UnAuthRole` for guests, both with the secret `fake`."
        ),
        ConfigurationKey(
            "auth.lambda.url", .function, \.auth.authorizerURL,
            "The function that decides about tokens of the mode `AWS_LAMBDA`: a URL, or a name of `functions`."),
        ConfigurationKey(
            "auth.lambda.ttl", .integer(0...3600), \.auth.authorizerCacheSeconds, "Seconds that its answer is good."),
        ConfigurationKey(
            "auth.explain", .boolean, \.auth.explainsDenials, option: "explain-auth",
            "Whether the log says of each denial which rules were considered and what was compared, and the answer to a "
                + "client on this machine too, unless it comes through a proxy. For development: it shows claims, and values of records."
        ),
    ]

    private static let mail: [ConfigurationKey] = [
        ConfigurationKey(
            "mail.smtp", .mailServer, \.mail.smtp,
            "The server that mails to users are handed to, with `mail.from` beside it. `smtp://` (port 587) wants STARTTLS from "
                + "every server on another machine: `?starttls=never` behind it does without, `?starttls=always` wants it here too. "
                + "`smtps://` (port 465) is TLS from the start. Characters such as `@` and `/` in user and password are written "
                + "as `%40` and `%2F`."),
        ConfigurationKey(
            "mail.from", .mailParty, \.mail.from,
            "Whom mails to users are from: an address, or a name and an address as `An App <app@example.com>`."),
        ConfigurationKey(
            "sms.webhook",
            .object([
                ConfigurationField("url", .url, isRequired: true, "Where it is called, by POST."),
                ConfigurationField(
                    "secret", webhookSecret, isRequired: true, isSecret: true,
                    "What the calls are signed with, as Standard Webhooks say: 24 to 64 bytes in base64."),
            ]), \.sms.webhook, "The service that is called with each message to a telephone, and sends it."),
    ]

    private static let webhookSecret = ConfigurationKind.form(
        "webhook secret", expectation: "24 to 64 bytes in base64, with or without \"whsec_\" before it",
        admits: { Webhook.key(of: $0) != nil })

    private static let sync: [ConfigurationKey] = [
        ConfigurationKey(
            "sync.logMinutes", .integer(1...525_600), \.sync.logMilliseconds, unit: 60_000,
            "With conflict detection, how long changes are kept one by one. An offline client that was away for longer "
                + "gets all records again."),
        ConfigurationKey(
            "sync.tombstoneMinutes", .integer(0...52_560_000), \.sync.tombstoneMilliseconds, unit: 60_000,
            "How long a deleted record is kept, marked as deleted; 0: it is gone at once. Clients that were away for "
                + "longer keep it."),
    ]

    /// The version comes first: it decides what all other features are that are not set.
    private static let features: [ConfigurationKey] = [
        ConfigurationKey(
            "features.transformerVersion", .integer(1...2), ofProject: \.usedVersion,
            "1 for a schema with `@connection`, `@key` and `@versioned`. The switches below are then as in a project of that "
                + "version which says nothing about them."),
        ConfigurationKey(
            "features.version1OpenOperations", .choice(OpenOperations.allCases.map(\.rawValue)),
            ofProject: \.version1OpenOperations,
            "Which operations that no rule names are open to callers of the default mode, with transformer version 1: `all`, as "
                + "there; only the `reads`; or `none`."),
        feature(
            "subscriptionsInheritPrimaryAuth", \.subscriptionsInheritPrimaryAuth,
            "Whether related records of subscriptions are not redacted when their rules are the parent's."),
        ConfigurationKey(
            "features.conflictDetection", conflictKind, ofProject: \.conflictStrategy,
            "How conflicting changes are merged, for offline clients."),
        ConfigurationKey(
            "features.conflictDetectionModels", .map(conflictKind), ofProject: \.namedConflictStrategies,
            "The same for single models."),
        ConfigurationKey(
            "features.listSemantics", .choice(ListQuery.Semantics.allCases.map(\.rawValue)), \.engine.semantics,
            "`appsync`: `limit` records are read, then filtered. `filled`: a page holds `limit` records that match."),
        feature(
            "secondaryKeyAsGSI", \.secondaryKeyAsGSI, "Whether an `@index` on the primary key's field is a global one."),
        feature(
            "enableAutoIndexQueryNames", \.enableAutoIndexQueryNames,
            "Whether an `@index` without `queryField` gets a query."),
        ConfigurationKey(
            "features.respectPrimaryKeyAttributesOnConnectionField", .boolean,
            ofProject: \.respectPrimaryKeyAttributesOnConnectionField,
            "Whether a generated foreign key has the name and type of the key that it points to."),
        ConfigurationKey(
            "features.populateOwnerFieldForStaticGroupAuth", .boolean,
            ofProject: \.populateOwnerFieldForStaticGroupAuth,
            "Whether the owner is filled in when a member of a static group creates a record."),
        ConfigurationKey(
            "features.useSubUsernameForDefaultIdentityClaim", .boolean,
            ofProject: \.useSubUsernameForDefaultIdentityClaim,
            "Whether an owner is stored as `sub::username`; with version 1 it never is."),
        feature(
            "allowGen1Patterns", \.allowGen1Patterns, "Whether what Gen 2 has replaced is accepted without a warning."),
        feature(
            "enableIamAccess", \.enableIamAccess,
            "Whether the API's schema is open to IAM everywhere (`@aws_iam`), as it always is in Gen 2. Credentials whose role "
                + "is `admin` may call everything even without it."),
    ]
}
