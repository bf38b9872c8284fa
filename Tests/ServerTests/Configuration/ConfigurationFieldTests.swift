import Access
import Blueprint
import Engine
import JSON
import Language
import Network
import Project
import Store
import TestSupport
import Testing
import UserPool

@testable import Server

/// Where each key's value goes: into the field by which a room acts. What the rooms do by their fields is shown by their own
/// tests, and what can be seen from outside by runs of the program (`SettingEffectTests`).
@Suite("The fields that configuration keys set")
struct ConfigurationFieldTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let key: String
        let text: String
        /// Whether a configuration has the value.
        let isThere: @Sendable (Configuration) -> Bool
        var testDescription: String { key }

        init<Value: Equatable & Sendable>(
            _ key: String, _ text: String, _ field: any KeyPath<Configuration, Value> & Sendable, _ value: Value
        ) {
            self.key = key
            self.text = text
            isThere = { $0[keyPath: field] == value }
        }
    }

    static let rows: [Row] = general + limits + callers + pool + files + features

    private static let general: [Row] = [
        Row("schema", "s", \.schema, "s"),
        Row("data", "d", \.data, "d"),
        Row("database", ":memory:", \.database, .memory),
        Row("nodes", "true", \.hasNodes, true),
        Row("nodeAddress", "http://10.0.0.3:20002", \.nodeAddress, "http://10.0.0.3:20002"),
        Row("databasePasswordFile", "p", \.databasePasswordFile, "p"),
        Row("forcedMigrations", "A.b,C", \.forcedMigrations, ["A.b", "C"]),
        Row("seed", "s", \.seed, "s"),
        Row("outputs", "a.json,b.js", \.outputs, ["a.json", "b.js"]),
        Row("watch", "true", \.watches, true),
        Row("testControl", "true", \.hasTestControl, true),
        Row("testKey", "0123456789abcdef", \.testKey?.text, "0123456789abcdef"),
        Row("console", "true", \.hasConsole, true),
        Row("introspection", "false", \.engine.allowsIntrospection, false),
        Row("eventLoops", "3", \.eventLoops, 3),
        Row(
            "functions",
            #"""
            {"f": {"command": ["a", "b"], "cwd": "/c", "handler": "x.y", "environment": {"K": "v"}, "timeout": 7,
             "memory": 128, "concurrency": 2, "httpURL": "AWS_IAM", "ownOrigin": true, "rest": [{"api": "a", "path": "/p", "allow": {"auth": ["read"]}}, {"api": "b", "path": "/q", "methods": ["GET"], "exact": true, "users": ["s"], "event": "2.0"}], "schedule": ["every 5m", {"cron": "0 9 * * ?", "timezone": "Europe/Berlin", "sender": "rule", "input": "{}"}],
             "queues": ["a", {"queue": "b.fifo", "batch": 5, "reportBatchItemFailures": true, "concurrency": 2}],
             "tables": ["A", {"model": "B", "batch": 5, "reportBatchItemFailures": true, "startingPosition": "TRIM_HORIZON",
                "filters": ["{\"eventName\":[\"INSERT\"]}"], "retryAttempts": 9, "bisectBatchOnError": false}, {"table": "C"}],
             "policy": [{"actions": ["s3:*"], "resources": ["arn:aws:s3:::b/*"]}, {"effect": "Deny", "actions": ["sqs:*"]}]}}
            """#, \.functions,
            [
                "f": {
                    var function = FunctionSetting()
                    function.command = .words(["a", "b"])
                    function.folder = "/c"
                    function.handler = "x.y"
                    function.environment = ["K": "v"]
                    function.timeoutSeconds = 7
                    function.memoryMegabytes = 128
                    function.concurrency = 2
                    function.httpURL = .administrators
                    function.hasOwnOrigin = true
                    var path = RestPath(api: "b", path: "/q")
                    (path.methods, path.isExact, path.scopes, path.event) = (["GET"], true, ["s"], .version2)
                    function.rest = [RestPath(api: "a", path: "/p", allowed: ["auth": [.read]]), path]
                    function.schedules = [
                        .init(text: "every 5m"),
                        .init(text: "0 9 * * ?", zone: "Europe/Berlin", sender: .rule, input: "{}"),
                    ]
                    function.tables = [
                        TableSource("A"), TableSource("B", batch: 5, tellsFailures: true), TableSource("C"),
                    ]
                    function.queues = [
                        QueueSource("a"), QueueSource("b.fifo", batch: 5, tellsFailures: true, callsAtOnce: 2),
                    ]
                    function.tables[2].isOwn = true
                    function.tables[1].start = .oldest
                    function.tables[1].filters = [try? ChangeFilter.read(#"{"eventName":["INSERT"]}"#)].compactMap(
                        \.self)
                    function.tables[1].retries = 9
                    function.tables[1].halves = false
                    function.policy = [
                        FunctionSetting.Statement(["s3:*"], on: ["arn:aws:s3:::b/*"]),
                        FunctionSetting.Statement(["sqs:*"], on: ["*"], isAllowing: false),
                    ]
                    return function
                }()
            ]),
        Row("functions.strict", "true", \.hasStrictFunctions, true),
        Row(
            "queues",
            #"""
            {"a": {"visibilityTimeout": 1, "delay": 2, "retention": 60, "receiveWait": 3, "messageBytes": 1024,
             "deadLetterQueue": "d", "maxReceiveCount": 4},
             "b.fifo": {"contentBasedDeduplication": true, "deduplicationScope": "messageGroup"}}
            """#, \.queues,
            [
                "a": {
                    var queue = QueueSetting()
                    (queue.visibilitySeconds, queue.delaySeconds, queue.retentionSeconds) = (1, 2, 60)
                    (queue.waitSeconds, queue.messageBytesMax) = (3, 1_024)
                    (queue.deadLetterQueue, queue.receivesMax) = ("d", 4)
                    return queue
                }(),
                "b.fifo": {
                    var queue = QueueSetting()
                    (queue.namesByContent, queue.deduplicationScope) = (true, "messageGroup")
                    return queue
                }(),
            ]),
        Row(
            "resolvers.dataSources",
            #"""
            {"t": {"table": "T"}, "w": {"endpoint": "http://w", "signingService": "bedrock", "signingRegion": "r",
             "policy": [{"actions": ["sqs:*"]}]},
             "n": {"none": true}}
            """#, \.resolvers.sources,
            [
                "t": {
                    var source = DataSourceSetting()
                    source.table = "T"
                    return source
                }(),
                "n": {
                    var source = DataSourceSetting()
                    source.isNone = true
                    return source
                }(),
                "w": {
                    var source = DataSourceSetting()
                    (source.endpoint, source.signingService, source.signingRegion) = ("http://w", "bedrock", "r")
                    source.policy = [FunctionSetting.Statement(["sqs:*"], on: ["*"])]
                    return source
                }(),
            ]),
        Row("resolvers.environment", #"{"A": "1"}"#, \.resolvers.environment, ["A": "1"]),
        Row("resolvers.endpoints", #"{"https://a": "http://b"}"#, \.resolvers.endpoints, ["https://a": "http://b"]),
        Row("eventApi.connect", "API_KEY", \.eventAPI.connect, [.apiKey]),
        Row("eventApi.publish", "AWS_IAM,AWS_LAMBDA", \.eventAPI.publish, [.iam, .lambda]),
        Row("eventApi.subscribe", "AMAZON_COGNITO_USER_POOLS", \.eventAPI.subscribe, [.userPools]),
        Row(
            "eventApi.namespaces",
            #"""
            {"chat": {"publish": ["AWS_IAM"], "subscribe": [], "code": "chat.js",
             "onPublish": {"function": "f", "mode": "EVENT"}, "onSubscribe": {"dataSource": "d"}}, "open": {}}
            """#, \.eventAPI.namespaces,
            [
                "chat": {
                    var namespace = NamespaceSetting()
                    (namespace.publish, namespace.subscribe, namespace.code) = ([.iam], [], "chat.js")
                    var onPublish = NamespaceSetting.Handler()
                    (onPublish.function, onPublish.isEvent) = ("f", true)
                    namespace.onPublish = onPublish
                    var onSubscribe = NamespaceSetting.Handler()
                    onSubscribe.dataSource = "d"
                    namespace.onSubscribe = onSubscribe
                    return namespace
                }(),
                "open": NamespaceSetting(),
            ]),
        Row("events.buses", "a,b", \.eventBuses, ["a", "b"]),
        Row(
            "events.rules",
            #"""
            {"r": {"bus": "b", "pattern": "{\"source\": [\"s\"]}", "enabled": false,
             "targets": [{"function": "f", "inputPath": "$.detail"}, {"queue": "q", "group": "g", "template": "<x>", "paths": {"x": "$.id"}},
              {"queue": "q", "input": "i"}, {"stateMachine": "m"}]}}
            """#, \.eventRules,
            [
                "r": {
                    var rule = EventRuleSetting()
                    (rule.bus, rule.isEnabled, rule.pattern) = ("b", false, ["source": ["s"]])
                    var (first, second, third) = (
                        EventRuleSetting.Target(), EventRuleSetting.Target(), EventRuleSetting.Target()
                    )
                    (first.function, first.inputPath) = ("f", "$.detail")
                    (second.queue, second.group, second.template, second.paths) = ("q", "g", "<x>", ["x": "$.id"])
                    (third.queue, third.input) = ("q", "i")
                    var fourth = EventRuleSetting.Target()
                    fourth.stateMachine = "m"
                    rule.targets = [first, second, third, fourth]
                    return rule
                }()
            ]),
        Row(
            "stateMachines",
            #"""
            {"m": {"definition": "/m.json", "type": "EXPRESS", "substitutions": {"F": "f"}, "schedule": ["rate(1 hour)", {"cron": "0 9 * * ?", "timezone": "Asia/Tokyo", "input": "[]"}]}, "n": {"text": "{}"}}
            """#, \.stateMachines,
            [
                "m": {
                    var machine = WorkflowSetting()
                    (machine.definition, machine.isExpress, machine.substitutions) = ("/m.json", true, ["F": "f"])
                    machine.schedules = [
                        ScheduleSetting(text: "rate(1 hour)"),
                        ScheduleSetting(text: "0 9 * * ?", zone: "Asia/Tokyo", input: "[]"),
                    ]
                    return machine
                }(),
                "n": {
                    var machine = WorkflowSetting()
                    machine.text = "{}"
                    return machine
                }(),
            ]),
        Row("host", "::1", \.listeners, [ListenAddress(host: "::1", port: 20002)]),
        Row("port", "7", \.listeners, [ListenAddress(host: "127.0.0.1", port: 7)]),
        Row(
            "listen", "127.0.0.2:1,[::1]:2", \.listeners,
            [ListenAddress(host: "127.0.0.2", port: 1), ListenAddress(host: "::1", port: 2)]),
        Row("tls.certificate", "c", \.certificate, "c"),
        Row("tls.key", "k", \.certificateKey, "k"),
        Row("allowedHosts", "a.localhost", \.allowedHosts, ["a.localhost"]),
        Row(
            "proxies", "10.0.0.7,192.168.0.0/16", \.proxies,
            ["10.0.0.7", "192.168.0.0/16"].compactMap { AddressRange($0) }),
        Row("backup.every", "90m", \.backup.seconds, 5_400),
        Row("backup.keep", "3", \.backup.keep, 3),
        Row("backup.folder", "b", \.backup.folder, "b"),
        Row("metrics.token", "abcdefghijklmnop", \.metrics.token, "abcdefghijklmnop"),
        Row("metrics.addresses", "10.0.0.9", \.metrics.addresses, ["10.0.0.9"].compactMap { AddressRange($0) }),
        Row("cors.privateNetwork", "true", \.allowsPrivateNetworkAccess, true),
        Row("log.format", "json", \.log.format, .json),
        Row("log.level", "error", \.log.level, .error),
        Row("log.requests", "false", \.log.requests, false),
        Row("log.clients", "true", \.log.clients, true),
        Row("mail.smtp", "smtps://a:b@mail.test", \.mail.smtp?.credentials, MailCredentials(user: "a", password: "b")),
        Row("mail.from", "An App <other@app.test>", \.mail.from?.name, "An App"),
        Row(
            "sms.webhook", #"{"url": "http://s", "secret": "whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIz"}"#,
            \.sms.webhook, Webhook(url: "http://s", secret: "MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIz")),
        Row("bedrock.url", "http://b", \.language.url, "http://b"),
        Row("bedrock.region", "eu-west-1", \.language.region, "eu-west-1"),
        Row(
            "bedrock.credentials", #"{"accessKeyId": "k", "secretAccessKey": "s", "sessionToken": "t"}"#,
            \.language.credentials,
            LanguageSettings.Credentials(accessKeyID: "k", secretAccessKey: "s", sessionToken: "t")),
        Row(
            "bedrock.openai", #"{"url": "http://o/v1", "key": "k", "model": "m", "models": {"a": "b"}}"#,
            \.language.compatible,
            LanguageSettings.Compatible(url: "http://o/v1", key: "k", model: "m", models: ["a": "b"])),
        Row("bedrock.rules", "r.json", \.language.rules, "r.json"),
        Row("sync.logMinutes", "2", \.sync.logMilliseconds, 120_000),
        Row("sync.tombstoneMinutes", "0", \.sync.tombstoneMilliseconds, 0),
    ]

    private static let limits: [Row] = [
        Row("limits.headBytes", "3", \.http.headBytes, 3),
        Row("limits.targetBytes", "4", \.http.targetBytes, 4),
        Row("limits.headFields", "5", \.http.headFields, 5),
        Row("limits.bodyBytes", "6", \.http.bodyBytes, 6),
        Row("limits.chunkLineBytes", "7", \.http.chunkLineBytes, 7),
        Row("limits.trailerBytes", "8", \.http.trailerBytes, 8),
        Row("limits.pipelinedBytes", "9", \.http.pipelinedBytes, 9),
        Row("limits.streamsPerConnection", "9", \.http.streamsPerConnection, 9),
        Row("limits.connections", "10", \.http.connections, 10),
        Row("limits.handshakes", "11", \.http.handshakes, 11),
        Row("limits.streamedBytes", "11", \.http.streamedBytes, 11),
        Row("limits.waitingBodyBytes", "12", \.http.waitingBodyBytes, 12),
        Row("limits.unreadAnswerBytes", "13", \.http.unreadAnswerBytes, 13),
        Row("limits.idleMilliseconds", "14", \.http.idleMilliseconds, 14),
        Row("limits.headMilliseconds", "15", \.http.headMilliseconds, 15),
        Row("limits.bodyGraceMilliseconds", "16", \.http.bodyGraceMilliseconds, 16),
        Row("limits.bodyBytesPerSecond", "17", \.http.bodyBytesPerSecond, 17),
        Row("limits.bodySilenceMilliseconds", "18", \.http.bodySilenceMilliseconds, 18),
        Row("limits.answerGraceMilliseconds", "19", \.http.answerGraceMilliseconds, 19),
        Row("limits.answerBytesPerSecond", "20", \.http.answerBytesPerSecond, 20),
        Row("limits.writeStallMilliseconds", "21", \.http.writeStallMilliseconds, 21),
        Row("limits.lingerMilliseconds", "22", \.http.lingerMilliseconds, 22),
        Row("limits.lingerSilenceMilliseconds", "23", \.http.lingerSilenceMilliseconds, 23),
        Row("limits.lingerBytes", "24", \.http.lingerBytes, 24),
        Row("limits.stopMilliseconds", "25", \.http.stopMilliseconds, 25),
        Row("limits.webSocketMessageBytes", "21", \.webSocket.messageBytesMax, 21),
        Row("limits.webSocketMessageFrames", "22", \.webSocket.messageFramesMax, 22),
        Row("limits.webSocketOutboundBytes", "22", \.webSocket.outboundBytesMax, 22),
        Row("limits.webSocketPingMilliseconds", "25", \.webSocket.pingAfterMilliseconds, 25),
        Row("limits.webSocketSilenceMilliseconds", "28", \.webSocket.silenceMillisecondsMax, 28),
        Row("limits.webSocketCloseMilliseconds", "26", \.webSocket.closeMillisecondsMax, 26),
        Row("limits.subscriptionsPerConnection", "27", \.realtime.subscriptionsPerConnection, 27),
        Row("limits.queryDepth", "9", \.engine.limits.depthMax, 9),
        Row("limits.operationReads", "8", \.engine.limits.readsMax, 8),
        Row("limits.operationSeconds", "7", \.engine.limits.milliseconds, 7_000),
        Row("limits.mutationSeconds", "6", \.engine.limits.mutationMilliseconds, 6_000),
        Row("limits.responseBytes", "55", \.engine.limits.responseBytesMax, 55),
        Row("limits.pageRecords", "4", \.engine.limits.pageMax, 4),
        Row("limits.pageBytes", "31", \.engine.limits.pageBytesMax, 31),
        Row("limits.searchAggregates", "3", \.engine.limits.aggregatesMax, 3),
        Row("limits.functionCalls", "2", \.engine.limits.callsMax, 2),
        Row("limits.functionSeconds", "11", \.engine.limits.callMilliseconds, 11_000),
        Row("limits.functionBytes", "12", \.engine.limits.callBytesMax, 12),
    ]

    private static let callers: [Row] = [
        Row("auth.default", "AWS_LAMBDA", \.project.modes, [.lambda]),
        Row("auth.additional", "AWS_IAM,OPENID_CONNECT", \.project.modes, [.apiKey, .iam, .oidc]),
        Row("auth.apiKeys", "da2-own", \.auth.apiKeys, [APIKey("da2-own")]),
        Row("auth.userPools.issuer", "http://x", \.auth.userPools.issuer, "http://x"),
        Row("auth.userPools.jwks", "http://x", \.auth.userPools.jwks, "http://x"),
        Row("auth.oidc.issuer", "http://x", \.auth.oidc.issuer, "http://x"),
        Row("auth.oidc.jwks", "http://x", \.auth.oidc.jwks, "http://x"),
        Row("auth.oidc.clientId", "http://x", \.auth.oidc.clientID, "http://x"),
        Row("auth.lambda.url", "http://x", \.auth.authorizerURL, "http://x"),
        Row("auth.userPools.clientIds", "a,b", \.auth.userPools.clientIDs, ["a", "b"]),
        Row("auth.oidc.iatTTL", "5", \.auth.oidc.issuedAtMilliseconds, 5),
        Row("auth.oidc.authTTL", "6", \.auth.oidc.authenticatedMilliseconds, 6),
        Row(
            "auth.iam.credentials",
            #"[{"accessKeyId": "A", "secretAccessKey": "S", "role": "admin", "accountId": "1", "function": "f"}]"#,
            \.auth.principals,
            [
                PrincipalCredential(
                    secret: "S",
                    principal: IAMPrincipal(role: .administrator, accessKeyID: "A", accountID: "1", function: "f"))
            ]),
        Row("auth.lambda.ttl", "9", \.auth.authorizerCacheSeconds, 9),
        Row("auth.explain", "true", \.auth.explainsDenials, true),
    ]

    private static let files: [Row] = [
        Row(
            "files.buckets",
            #"""
            [{"name": "a", "bucketName": "my-a", "default": true, "onUpload": "f", "authenticated": ["create", "read"],
              "groups": {"g": ["delete"]}},
             {"name": "b", "paths": {"x/*": {"guest": ["get"], "functions": {"f": ["read", "write"]}}}}]
            """#, \.files.buckets,
            [
                {
                    var bucket = BucketSetting(name: "a")
                    bucket.bucketName = "my-a"
                    bucket.isDefault = true
                    bucket.onUpload = "f"
                    bucket.levels = .init(users: [.put, .get, .list], groups: ["g": .delete])
                    return bucket
                }(),
                {
                    var bucket = BucketSetting(name: "b")
                    var path = BucketSetting.Path(path: "x/*")
                    path.guest = .get
                    path.functions = ["f": [.get, .list, .put]]
                    bucket.paths = [path]
                    return bucket
                }(),
            ]),
        Row("files.sharedFolder", "f", \.files.sharedFolder, "f"),
        Row("files.hosts", "s3.test,files.test", \.files.hosts, ["s3.test", "files.test"]),
        Row("files.objectBytes", "1000", \.files.objectBytes, 1_000),
        Row("files.uploadHours", "2", \.files.uploadMilliseconds, 7_200_000),
        Row("files.freeBytes", "0", \.files.freeBytes, 0),
    ]

    private static let pool: [Row] = [
        Row("auth.pool.region", "eu-west-1", \.signIn.region, "eu-west-1"),
        Row("auth.pool.userPoolId", "us-east-1_abcDEF123", \.signIn.userPoolID, "us-east-1_abcDEF123"),
        Row(
            "auth.pool.identityPoolId", "us-east-1:11111111-2222-4333-8444-555555555555", \.signIn.identityPoolID,
            "us-east-1:11111111-2222-4333-8444-555555555555"),
        Row(
            "auth.pool.clients",
            #"[{"id": "a", "secret": "s", "flows": ["ALLOW_USER_SRP_AUTH"], "idSeconds": 5, "writeAttributes": ["email"], "readAttributes": ["name"]}]"#,
            \.signIn.pool.clients,
            [
                {
                    var client = AppClient("a")
                    client.secret = "s"
                    client.flows = [.srp]
                    client.saysFlows = true
                    client.idSeconds = 5
                    client.writeAttributes = ["email"]
                    client.readAttributes = ["name"]
                    return client
                }()
            ]),
        Row("auth.pool.issuer", "http://x", \.signIn.pool.issuer, "http://x"),
        Row("auth.pool.guests", "false", \.signIn.pool.allowsGuests, false),
        Row("auth.pool.developerProvider", "login.app", \.signIn.pool.developerProvider, "login.app"),
        Row("auth.pool.adoptGuests", "false", \.signIn.pool.adoptsUnknownGuests, false),
        Row("auth.pool.signIn", "email,phone", \.signIn.pool.signInNames, [.email, .phone]),
        Row("auth.pool.aliases", "email", \.signIn.pool.aliases, ["email"]),
        Row("auth.pool.caseSensitive", "true", \.signIn.pool.isCaseSensitive, true),
        Row("auth.pool.requiredAttributes", "email,name", \.signIn.pool.attributes.required, ["email", "name"]),
        Row("auth.pool.immutableAttributes", "name", \.signIn.pool.attributes.immutable, ["name"]),
        Row(
            "auth.pool.customAttributes", #"{"age": {"type": "Number", "mutable": false, "min": 1, "max": 9}}"#,
            \.signIn.pool.attributes.custom,
            [
                "age": {
                    var custom = AttributeSchema.Custom()
                    custom.kind = .number
                    custom.isMutable = false
                    custom.range = 1...9
                    return custom
                }()
            ]),
        Row("auth.pool.selfSignUp", "false", \.signIn.pool.allowsSelfSignUp, false),
        Row("auth.pool.limits.callsPerAddress", "7", \.signIn.pool.creation.callsPerAddress, 7),
        Row("auth.pool.limits.guestsPerAddress", "8", \.signIn.pool.creation.guestsPerAddress, 8),
        Row("auth.pool.limits.messagesPerUser", "9", \.signIn.pool.creation.messagesPerUser, 9),
        Row("auth.pool.verify", "phone_number", \.signIn.pool.verifiedAttributes, ["phone_number"]),
        Row("auth.pool.provedFirst", "email", \.signIn.pool.addressesProvedFirst, ["email"]),
        Row("auth.pool.accountRecovery", "NONE", \.signIn.pool.accountRecovery, AccountRecovery.none),
        Row("auth.pool.firstFactors", "EMAIL_OTP", \.signIn.pool.firstFactors, [.emailCode]),
        Row("auth.pool.preventUserExistenceErrors", "LEGACY", \.signIn.pool.existenceErrors, .shown),
        Row("auth.pool.password.minLength", "12", \.signIn.pool.password.lengthMin, 12),
        Row("auth.pool.password.uppercase", "false", \.signIn.pool.password.needsUppercase, false),
        Row("auth.pool.password.lowercase", "false", \.signIn.pool.password.needsLowercase, false),
        Row("auth.pool.password.digit", "false", \.signIn.pool.password.needsDigit, false),
        Row("auth.pool.password.symbol", "false", \.signIn.pool.password.needsSymbol, false),
        Row("auth.pool.temporaryPasswordDays", "2", \.signIn.pool.temporaryPasswordDays, 2),
        Row("auth.pool.groups", "Admins", \.signIn.pool.groups, [GroupSetting("Admins")]),
        Row("auth.pool.mfa", "ON", \.signIn.pool.secondFactorDemand, .required),
        Row("auth.pool.mfaTypes", "EMAIL_OTP", \.signIn.pool.secondFactors, [.email]),
        Row(
            "auth.pool.triggers", #"{"preSignUp": "http://f"}"#, \.signIn.triggers, ["preSignUp": "http://f"]),
        Row("auth.pool.verifyByLink", "true", \.signIn.pool.verifiesByLink, true),
        Row(
            "auth.pool.messages.link", #"{"emailSubject": "S", "emailMessage": "E {##L##}"}"#,
            \.signIn.pool.messages.link, MessageTemplate(subject: "S", email: "E {##L##}", sms: nil)),
        Row(
            "auth.pool.messages.verification", #"{"emailSubject": "S", "emailMessage": "E {####}"}"#,
            \.signIn.pool.messages.verification, MessageTemplate(subject: "S", email: "E {####}", sms: nil)),
        Row(
            "auth.pool.messages.invitation", #"{"smsMessage": "{username} {####}"}"#,
            \.signIn.pool.messages.invitation, MessageTemplate(subject: nil, email: nil, sms: "{username} {####}")),
        Row(
            "auth.pool.messages.signIn", #"{"smsMessage": "{####}"}"#, \.signIn.pool.messages.signIn,
            MessageTemplate(subject: nil, email: nil, sms: "{####}")),
        Row(
            "auth.pool.messages.forgotPassword", #"{"emailMessage": "{####}"}"#,
            \.signIn.pool.messages.forgotPassword, MessageTemplate(subject: nil, email: "{####}", sms: nil)),
        Row("auth.pool.tokenTriggerVersion", "2", \.signIn.pool.triggers.tokenVersion, 2),
        Row(
            "auth.providers",
            #"[{"kind": "oidc", "name": "Login", "clientId": "c", "clientSecret": "s", "issuer": "https://x", "standIn": false}]"#,
            \.signIn.providers,
            [
                {
                    var provider = ProviderSetting(.oidc)
                    provider.name = "Login"
                    provider.clientID = "c"
                    provider.clientSecret = "s"
                    provider.issuer = "https://x"
                    provider.isStandIn = false
                    return provider
                }()
            ]),
        Row("auth.pool.devices", "always", \.signIn.pool.deviceTracking, .always),
        Row("auth.pool.devicesReplaceMfa", "true", \.signIn.pool.rememberedDevicesStandIn, true),
        Row("auth.pool.passkeys.domain", "example.com", \.signIn.pool.passkeys.relyingPartyID, "example.com"),
        Row("auth.pool.passkeys.userVerification", "required", \.signIn.pool.passkeys.userVerification, .required),
        Row("auth.pool.passkeys.origins", "https://a.b", \.signIn.pool.passkeys.origins, ["https://a.b"]),
    ]

    private static let features: [Row] = [
        Row("features.transformerVersion", "1", \.project.transformerVersion, 1),
        Row("features.version1OpenOperations", "reads", \.project.version1OpenOperations, .reads),
        Row(
            "features.conflictDetection", #"{"lambda": "http://x"}"#, \.project.conflictStrategy,
            .lambda(url: "http://x")),
        Row(
            "features.conflictDetectionModels", #"{"A": "AUTOMERGE"}"#, \.project.conflictStrategies, ["A": .automerge]),
        Row("features.listSemantics", "filled", \.engine.semantics, .filled),
        Row("features.subscriptionsInheritPrimaryAuth", "true", \.project.subscriptionsInheritPrimaryAuth, true),
        Row("features.secondaryKeyAsGSI", "false", \.project.secondaryKeyAsGSI, false),
        Row("features.enableAutoIndexQueryNames", "false", \.project.enableAutoIndexQueryNames, false),
        Row(
            "features.respectPrimaryKeyAttributesOnConnectionField", "false",
            \.project.respectPrimaryKeyAttributesOnConnectionField, false),
        Row(
            "features.populateOwnerFieldForStaticGroupAuth", "false", \.project.populateOwnerFieldForStaticGroupAuth,
            false),
        Row(
            "features.useSubUsernameForDefaultIdentityClaim", "false", \.project.useSubUsernameForDefaultIdentityClaim,
            false),
        Row("features.allowGen1Patterns", "false", \.project.allowGen1Patterns, false),
        Row("features.enableIamAccess", "true", \.project.enableIamAccess, true),
    ]

    @Test("are those of all keys, each once")
    func areAll() {
        #expect(Self.rows.map(\.key).sorted() == ConfigurationKey.all.map(\.path).sorted())
    }

    @Test("have a variable's value, and another one without it", arguments: rows)
    func areSet(row: Row) throws {
        let key = try #require(ConfigurationKey.named(row.key))
        // Some keys are only good beside others.
        var environment = [
            "HOMEPORT_AUTH_USER_POOLS_ISSUER": "pool", "HOMEPORT_AUTH_OIDC_ISSUER": "oidc",
            "HOMEPORT_AUTH_LAMBDA_URL": "http://lambda", "HOMEPORT_MAIL_FROM": "app@app.test",
        ]
        if row.key.hasPrefix("tls.") {
            environment = ["HOMEPORT_TLS_CERTIFICATE": "other", "HOMEPORT_TLS_KEY": "other"]
        }
        #expect(!row.isThere(try ConfigurationResolver.resolve(environment: environment).configuration))
        environment[key.environmentName] = row.text
        #expect(row.isThere(try ConfigurationResolver.resolve(environment: environment).configuration))
    }

    @Test("what was set goes over what a project says, and what was not set does not")
    func goOverProjects() throws {
        var project = Settings(silentProjectOfVersion: 2)
        project.conflictStrategies = ["A": .automerge, "B": .automerge]
        project.defaultMode = .iam
        let resolution = try ConfigurationResolver.resolve(environment: [
            "HOMEPORT_FEATURES_SECONDARY_KEY_AS_GSI": "true", "HOMEPORT_AUTH_DEFAULT": "OPENID_CONNECT",
            "HOMEPORT_FEATURES_CONFLICT_DETECTION_MODELS": #"{"B": "OPTIMISTIC_CONCURRENCY"}"#,
        ])
        var expected = project
        expected.secondaryKeyAsGSI = true
        expected.conflictStrategies["B"] = .optimisticConcurrency
        // The modes are one whole, which somebody takes or leaves.
        try resolution.apply(over: &project)
        #expect(project == expected)
        #expect(resolution.setsModes)
    }

    @Test("a version goes before the switches beside it, wherever they stand")
    func versionGoesFirst() throws {
        let folder = TemporaryFolder()
        let file = try folder.write(
            #"{"features": {"secondaryKeyAsGSI": true, "transformerVersion": 1, "enableIamAccess": true}}"#,
            to: "config.json")
        var expected = Settings(silentProjectOfVersion: 1)
        expected.secondaryKeyAsGSI = true
        expected.enableIamAccess = true
        var project = Settings()
        try ConfigurationResolver.resolve(file: file).apply(over: &project)
        #expect(project == expected)
    }

    @Test("owners of version 1 cannot be told by more than their user names")
    func refusesOwners() throws {
        let resolution = try ConfigurationResolver.resolve(environment: [
            "HOMEPORT_FEATURES_TRANSFORMER_VERSION": "1",
            "HOMEPORT_FEATURES_USE_SUB_USERNAME_FOR_DEFAULT_IDENTITY_CLAIM": "true",
        ])
        var project = Settings()
        #expect(throws: SettingsError.self) { try resolution.apply(over: &project) }
    }
}
