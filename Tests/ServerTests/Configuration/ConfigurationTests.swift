import Access
import Blueprint
import Engine
import JSON
import Network
import TestSupport
import Testing

@testable import Server

@Suite("Configuration")
struct ConfigurationTests {
    private func resolved(
        _ text: String? = nil, options: [String: [String]] = [:], environment: [String: String] = [:]
    ) throws -> ConfigurationResolver.Resolution {
        let folder = TemporaryFolder()
        let file = try text.map { try folder.write($0, to: "config.json") }
        return try ConfigurationResolver.resolve(file: file, options: options, environment: environment)
    }

    /// The problems, without the folder of the file.
    private func problems(
        _ text: String? = nil, options: [String: [String]] = [:], environment: [String: String] = [:]
    ) throws -> [String] {
        let folder = TemporaryFolder()
        let file = try text.map { try folder.write($0, to: "config.json") }
        do throws(ConfigurationError) {
            _ = try ConfigurationResolver.resolve(file: file, options: options, environment: environment)
            return []
        } catch {
            return error.problems.map { $0.description.replacing(folder.path + "/", with: "") }
        }
    }

    @Test("without anything, the defaults hold")
    func defaults() throws {
        let configuration = try resolved().configuration
        #expect(configuration.listeners == [ListenAddress(host: "127.0.0.1", port: 20002)])
        #expect(configuration.schema == nil)
        #expect(configuration.data == ".homeport")
        #expect(configuration.database == .file(".homeport/data.sqlite"))
        #expect(configuration.tls == nil)
        #expect(!configuration.allowsPrivateNetworkAccess)
        #expect(configuration.eventLoops == nil)
        #expect(configuration.log == LogSettings(format: .text, level: .info, requests: true))
        #expect(configuration.project.modes == [.apiKey, .userPools])
        #expect(configuration.auth.apiKeys == [APIKey("da2-fakeApiId123456", isForThisMachine: true)])
        #expect(configuration.auth.userPools.issuer == nil)
        #expect(configuration.auth.authorizerURL == nil)
        #expect(configuration.engine.semantics == .appsync)
        #expect(configuration.engine.functions.isEmpty)
        var expected = Settings()
        expected.additionalModes = [.userPools]
        #expect(configuration.project == expected)
        #expect(configuration.http == HTTPLimits())
    }

    @Test("a database on a server has the password of its URL, of its file, or of the variable, and shows none")
    func databaseServer() throws {
        let url = "postgres://app@db:5433/app?sslmode=disable"
        let folder = TemporaryFolder()
        let file = try folder.write("from-file\n", to: "password")
        let environment = ["PGPASSWORD": "from-variable"]
        let none = try resolved(options: ["database": [url]])
        guard case .server(let place) = none.configuration.database else {
            Issue.record("\(none.configuration.database)")
            return
        }
        #expect(!place.hasPassword && place.description == "db:5433/app")
        for (options, secret) in [
            (["database": [url.replacing("app@", with: "app:from-url@")]], "from-url"),
            (["database": [url]], "from-variable"),
        ] {
            let resolution = try resolved(options: options, environment: environment)
            #expect(resolution.configuration.databaseServer?.hasPassword == true)
            let shown = ConfigurationListing.text(of: resolution.settings)
            #expect(shown.contains("postgres://app@db:5433/app") && !shown.contains(secret), "\(shown)")
            #expect(!"\(resolution.configuration.database)".contains(secret))
        }
        let ofFile = try resolved(
            options: ["database": [url]], environment: ["HOMEPORT_DATABASE_PASSWORD_FILE": file])
        #expect(ofFile.configuration.databaseServer?.hasPassword == true)
        try folder.write("\n", to: "password")
        #expect(
            try problems(options: ["database": [url]], environment: ["HOMEPORT_DATABASE_PASSWORD_FILE": file])
                == [
                    "HOMEPORT_DATABASE_PASSWORD_FILE: databasePasswordFile: \(file) does not begin with a password, in UTF-8"
                ])
    }

    @Test(
        "whether functions are held strictly stands among them, and a function may have that name",
        arguments: [
            (#"{"functions": {"strict": true}}"#, [String: String](), true, [String]()),
            (#"{"functions": {"strict": true, "a": {"url": "http://a/"}}}"#, [:], true, ["a"]),
            (#"{"functions": {"strict": {"url": "http://a/"}}}"#, [:], false, ["strict"]),
            (#"{"functions": {"strict": null, "a": {"url": "http://a/"}}}"#, [:], false, ["a"]),
            (
                #"{"functions": {"strict": {"url": "http://a/"}}}"#, ["HOMEPORT_FUNCTIONS_STRICT": "true"], true,
                ["strict"]
            ),
            (
                #"{"functions": {"strict": true}}"#,
                [
                    "HOMEPORT_FUNCTIONS": #"{"a": {"url": "http://a/"}}"#, "HOMEPORT_FUNCTIONS_STRICT": "false",
                ], false, ["a"]
            ),
        ])
    func strictFunctions(
        text: String, environment: [String: String], isStrict: Bool, functions: [String]
    ) throws {
        let configuration = try resolved(text, environment: environment).configuration
        #expect(configuration.hasStrictFunctions == isStrict)
        #expect(configuration.functions.keys.sorted() == functions)
        let wrong = try problems(#"{"functions": {"strict": 1}}"#)
        #expect(wrong.count == 1 && wrong.first?.contains("functions.strict") == true, "\(wrong)")
    }

    @Test("a file says what the design's example says")
    func readsFile() throws {
        let configuration = try resolved(
            """
            {
              "schema": "schema/blog.graphql",
              "host": "127.0.0.1", "port": 20003,
              "tls": {"certificate": "cert.pem", "key": "/etc/key.pem"},
              "database": "data/x.sqlite",
              "auth": {
                "default": "API_KEY",
                "additional": ["AMAZON_COGNITO_USER_POOLS", "AWS_IAM", "OPENID_CONNECT", "AWS_LAMBDA"],
                "apiKeys": [{"key": "da2-fakeApiId123456", "expires": "2027-01-01T00:00:00Z"}],
                "userPools": {"issuer": "https://pool", "jwks": "jwks.json", "clientIds": ["c"]},
                "oidc": {"issuer": "https://oidc", "jwks": "https://oidc/jwks", "clientId": "a|b", "iatTTL": 1, "authTTL": 2},
                "iam": {"credentials": [{"accessKeyId": "A", "secretAccessKey": "S", "role": "unauth", "identityId": "us-east-1:1"}]},
                "lambda": {"url": "http://127.0.0.1:9001/authorize", "ttl": 0}
              },
              "features": {"subscriptionsInheritPrimaryAuth": true, "conflictDetection": {"lambda": "http://x/y"},
                           "conflictDetectionModels": {"Post": "OPTIMISTIC_CONCURRENCY"}, "listSemantics": "filled"},
              "functions": {"echo": {"url": "http://127.0.0.1:9002/fn/echo"}}
            }
            """
        ).configuration
        #expect(configuration.listeners == [ListenAddress(host: "127.0.0.1", port: 20003)])
        #expect(configuration.schema?.hasSuffix("/schema/blog.graphql") == true)
        #expect(configuration.schema?.hasPrefix("/tmp/homeport-test-") == true)
        #expect(configuration.tls?.certificate.hasPrefix("/tmp/homeport-test-") == true)
        #expect(configuration.tls?.key == "/etc/key.pem")
        #expect(configuration.project.modes == [.apiKey, .userPools, .iam, .oidc, .lambda])
        #expect(configuration.auth.apiKeys.first?.expires == 1_798_761_600)
        #expect(configuration.auth.userPools.jwks?.hasPrefix("/tmp/") == true)
        #expect(configuration.auth.userPools.clientIDs == ["c"])
        #expect(configuration.auth.oidc.jwks == "https://oidc/jwks")
        #expect(configuration.auth.oidc.authenticatedMilliseconds == 2)
        #expect(configuration.auth.principals.first?.principal.role == .unauthenticated)
        #expect(configuration.auth.authorizerCacheSeconds == 0)
        #expect(configuration.project.conflictStrategy == .lambda(url: "http://x/y"))
        #expect(configuration.project.conflictStrategies == ["Post": .optimisticConcurrency])
        #expect(configuration.engine.semantics == .filled)
        #expect(configuration.engine.functions == ["echo": "http://127.0.0.1:9002/fn/echo"])
    }

    static let refused: [(text: String, problem: String)] = [
        ("{\n  \"shema\": \"x\"\n}", "config.json:2:3: shema: there is no such key; did you mean \"schema\"?"),
        ("{\"nonsense\": 1}", "config.json:1:2: nonsense: there is no such key"),
        ("{\"auth.default\": \"API_KEY\"}", "config.json:1:2: auth.default: there is no such key"),
        (
            "{\"auth\": {\"defalt\": 1}}",
            "config.json:1:11: auth.defalt: there is no such key; did you mean \"default\"?"
        ),
        ("{\"auth\": 1}", "config.json:1:10: auth: expected an object, found an integer"),
        ("{\"port\": \"20002\"}", "config.json:1:10: port: expected an integer from 0 to 65535, found \"20002\""),
        ("{\"port\": 65536}", "config.json:1:10: port: expected an integer from 0 to 65535, found 65536"),
        ("{\"port\": 1.5}", "config.json:1:10: port: expected an integer from 0 to 65535, found 1.5"),
        ("{\"port\": null}", "config.json:1:10: port: expected an integer from 0 to 65535, found null"),
        ("{\"host\": 1}", "config.json:1:10: host: expected a string, found 1"),
        ("{\"introspection\": \"yes\"}", "config.json:1:19: introspection: expected true or false, found \"yes\""),
        (
            "{\"database\": \"Postgres://app:geheim@db:x/app?sslmode=disable\"}",
            "config.json:1:14: database: the URL of the database cannot be used: the value of port must be a number from 1 to 65535 (a , : / or @ of a password is escaped)"
        ),
        ("{\"schema\": \"\"}", "config.json:1:12: schema: expected the path of a file or folder, found \"\""),
        (
            "{\"listen\": [\"127.0.0.1:1\", \"::1:2\"]}",
            "config.json:1:28: listen[1]: expected an address such as \"127.0.0.1:20002\" or \"[::1]:20002\", found \"::1:2\""
        ),
        (
            "{\"log\": {\"level\": \"loud\"}}",
            "config.json:1:19: log.level: expected \"debug\", \"info\", \"warning\" or \"error\", found \"loud\""
        ),
        (
            "{\"auth\": {\"apiKeys\": [{\"key\": \"a\"}, {\"expires\": \"2027-01-01T00:00:00Z\"}]}}",
            "config.json:1:37: auth.apiKeys[1]: expected a member \"key\", found none"
        ),
        (
            "{\"auth\": {\"apiKeys\": [{\"key\": \"a\", \"expires\": \"soon\"}]}}",
            "config.json:1:47: auth.apiKeys[0].expires: expected a time such as \"2027-01-01T00:00:00Z\", found \"soon\""
        ),
        (
            "{\"auth\": {\"apiKeys\": [{\"kee\": \"a\", \"key\": \"a\"}]}}",
            "config.json:1:24: auth.apiKeys[0].kee: there is no such key; did you mean \"key\"?"
        ),
        (
            "{\"auth\": {\"lambda\": {\"url\": \"ftp://x\"}}}",
            "config.json:1:29: auth.lambda.url: expected a URL that starts with http:// or https://, or a name of functions, found \"ftp://x\""
        ),
        (
            "{\"auth\": {\"oidc\": {\"clientId\": \"app-(1|2\"}}}",
            "config.json:1:32: auth.oidc.clientId: expected a regular expression, found \"app-(1|2\": pattern, position 8: expected ')'"
        ),
        (
            "{\"auth\": {\"oidc\": {\"clientId\": \"\\\\X+\"}}}",
            "config.json:1:32: auth.oidc.clientId: expected a regular expression, found \"\\\\X+\": pattern, position 0: \\X is not supported"
        ),
        (
            "{\"auth\": {\"oidc\": {\"clientId\": \"a{150000}\"}}}",
            "config.json:1:32: auth.oidc.clientId: expected a regular expression, found \"a{150000}\": pattern, position 0: its repetitions written out take over 150000 steps"
        ),
        (
            "{\"features\": {\"conflictDetection\": \"MERGE\"}}",
            "config.json:1:36: features.conflictDetection: expected \"AUTOMERGE\" or \"OPTIMISTIC_CONCURRENCY\", found \"MERGE\""
        ),
        (
            "{\"features\": {\"conflictDetection\": 7}}",
            "config.json:1:36: features.conflictDetection: expected \"AUTOMERGE\" or \"OPTIMISTIC_CONCURRENCY\","
                + " or an object with lambda, found 7"
        ),
        (
            "{\"features\": {\"conflictDetection\": {\"lambada\": \"http://x\"}}}",
            "config.json:1:37: features.conflictDetection.lambada: there is no such key; did you mean \"lambda\"?"
        ),
        (
            "{\"functions\": {\"echo\": {\"url\": \"here\"}}}",
            "config.json:1:32: functions.echo.url: expected a URL that starts with http:// or https://, found \"here\""
        ),
        ("{\"port\": 1, \"port\": 2}", "config.json:1:13: port: this key stands here a second time; keep one of them"),
        (
            "{\"auth\": {\"apiKeys\": [{\"key\": \"a\"}, {\"key\": \"a\", \"\\u006bey\": \"b\"}]}}",
            "config.json:1:50: auth.apiKeys[1].key: this key stands here a second time; keep one of them"
        ),
        ("{\"port\": 1,}", "config.json:1:12: expected a key in double quotes, found }"),
        ("{\n\"port\": 1\n\"host\": 2}", "config.json:3:1: expected a comma or }, found \""),
        ("[1]", "config.json:1:1: expected an object, found an array"),
        ("", "config.json:1:1: expected a value, found the end of the text"),
    ]

    @Test("what is wrong in a file is told with its key, line and column, and what was expected", arguments: refused)
    func refuses(text: String, problem: String) throws {
        #expect(try problems(text).first == problem)
    }

    @Test("all problems are told at once")
    func tellsAll() throws {
        let found = try problems(
            "{\"port\": true, \"hots\": 1}", options: ["log-level": ["loud"]],
            environment: ["HOMEPORT_INTROSPECTION": "maybe"])
        #expect(
            found == [
                "config.json:1:10: port: expected an integer from 0 to 65535, found true",
                "config.json:1:16: hots: there is no such key; did you mean \"host\"?",
                "HOMEPORT_INTROSPECTION: introspection: expected true or false, found \"maybe\"",
                "--log-level: log.level: expected \"debug\", \"info\", \"warning\" or \"error\", found \"loud\"",
            ])
    }

    @Test("a key of the API alone is a key, and several are separated by commas")
    func readsBareKeys() throws {
        let rows = [
            ("da2-a", ["da2-a"]), ("da2-a,da2-b", ["da2-a", "da2-b"]),
            ("[{\"key\": \"da2-a\"}]", ["da2-a"]),
        ]
        for (text, keys) in rows {
            let configuration = try resolved(environment: ["HOMEPORT_AUTH_API_KEYS": text]).configuration
            #expect(configuration.auth.apiKeys.map(\.key) == keys, "\(text)")
        }
    }

    @Test("a file that cannot be read is told by its name")
    func tellsUnreadable() throws {
        let folder = TemporaryFolder()
        let cases = [
            ("\(folder.path)/none.json", "No such file or directory"), (folder.path, "Is a directory"),
        ]
        for (path, reason) in cases {
            do throws(ConfigurationError) {
                _ = try ConfigurationResolver.resolve(file: path)
                Issue.record("\(path) was read")
            } catch {
                #expect(error.description == "\(path): expected a readable file: \(reason)")
            }
        }
        let long = String(repeating: " ", count: ConfigurationFile.bytesMax + 1)
        #expect(try problems(long) == ["config.json: expected a file of at most 1048576 bytes, found a longer one"])
    }

    static let together: [(environment: [String: String], problem: String)] = [
        (["HOMEPORT_TLS_KEY": "k"], "HOMEPORT_TLS_KEY: tls.key: expected tls.certificate and tls.key together"),
        (
            ["HOMEPORT_TLS_CERTIFICATE": "c"],
            "HOMEPORT_TLS_CERTIFICATE: tls.certificate: expected tls.certificate and tls.key together"
        ),
        (
            ["HOMEPORT_AUTH_ADDITIONAL": "API_KEY"],
            "HOMEPORT_AUTH_ADDITIONAL: auth.additional: expected each mode once, the default one not again"
        ),
        (
            ["HOMEPORT_AUTH_OIDC_JWKS": "j"],
            "HOMEPORT_AUTH_OIDC_JWKS: auth.oidc.jwks: expected auth.oidc.issuer beside it"
        ),
    ]

    @Test("keys that depend on each other are checked together", arguments: together)
    func checksTogether(environment: [String: String], problem: String) throws {
        #expect(try problems(environment: environment) == [problem])
    }

    /// What is wrong with the keys of an API whose modes the configuration says.
    private static func keyProblem(_ environment: [String: String]) throws -> String? {
        let resolution = try ConfigurationResolver.resolve(environment: environment)
        return resolution.keyProblem(of: resolution.configuration.project.modes, now: 1_800_000_000)?.description
    }

    static let reached: [(environment: [String: String], problem: String)] = [
        (
            ["HOMEPORT_HOST": "0.0.0.0"],
            "configuration: auth.apiKeys: expected a key of your own, in HOMEPORT_AUTH_API_KEYS=da2-... or in the file, since others can reach 0.0.0.0:20002"
        ),
        (
            ["HOMEPORT_LISTEN": "127.0.0.1:1,[::]:2"],
            "configuration: auth.apiKeys: expected a key of your own, in HOMEPORT_AUTH_API_KEYS=da2-... or in the file, since others can reach [::]:2"
        ),
        (
            ["HOMEPORT_ALLOWED_HOSTS": "localhost,api.example.com"],
            "configuration: auth.apiKeys: expected a key of your own, in HOMEPORT_AUTH_API_KEYS=da2-... or in the file, since others can reach api.example.com (allowedHosts)"
        ),
        (
            [
                "HOMEPORT_HOST": "0.0.0.0", "HOMEPORT_ALLOWED_HOSTS": "api.test",
                "HOMEPORT_AUTH_API_KEYS": #"[{"key":"da2-fakeApiId123456"},{"key":"da2-replaceThisByAKeyOfYourOwn"}]"#,
            ],
            "HOMEPORT_AUTH_API_KEYS: auth.apiKeys: expected a key of your own, in HOMEPORT_AUTH_API_KEYS=da2-... or in the file, since others can reach 0.0.0.0:20002, api.test (allowedHosts)"
        ),
        (
            [
                "HOMEPORT_HOST": "0.0.0.0",
                "HOMEPORT_AUTH_API_KEYS":
                    #"[{"key":"da2-own","expires":"2020-01-01T00:00:00Z"},{"key":"da2-fakeApiId123456"}]"#,
            ],
            "HOMEPORT_AUTH_API_KEYS: auth.apiKeys: expected a key of your own that has not expired, since others can reach 0.0.0.0:20002"
        ),
        (
            ["HOMEPORT_ALLOWED_HOSTS": "localhost.evil.test", "HOMEPORT_AUTH_API_KEYS": #"[{"key":""}]"#],
            "HOMEPORT_AUTH_API_KEYS: auth.apiKeys: expected a key of your own, in HOMEPORT_AUTH_API_KEYS=da2-... or in the file, since others can reach localhost.evil.test (allowedHosts)"
        ),
    ]

    @Test("whom others can reach needs a key of its own", arguments: reached)
    func wantsOwnKey(environment: [String: String], problem: String) throws {
        #expect(try Self.keyProblem(environment) == problem)
    }

    @Test("the well-known key is enough on loopback, and where no key is used")
    func allowsWellKnownKey() throws {
        for host in ["127.0.0.1", "127.8.8.8", "::1", "localhost"] {
            #expect(try Self.keyProblem(["HOMEPORT_HOST": host]) == nil)
        }
        for names in ["localhost", "app.localhost,127.0.0.1", "LocalHost.,10.0.2.2"] {
            #expect(try Self.keyProblem(["HOMEPORT_ALLOWED_HOSTS": names]) == nil)
        }
        #expect(try Self.keyProblem(["HOMEPORT_HOST": "0.0.0.0", "HOMEPORT_AUTH_DEFAULT": "AWS_IAM"]) == nil)
        let own =
            #"[{"key":"da2-old","expires":"2020-01-01T00:00:00Z"},{"key":"da2-own","expires":"2100-01-01T00:00:00Z"}]"#
        let environment = [
            "HOMEPORT_HOST": "0.0.0.0", "HOMEPORT_ALLOWED_HOSTS": "a.test", "HOMEPORT_AUTH_API_KEYS": own,
        ]
        #expect(try Self.keyProblem(environment) == nil)
    }

    @Test("options go over environment, environment over file, file over defaults")
    func precedence() throws {
        let text = "{\"port\": 1, \"log\": {\"level\": \"debug\", \"format\": \"json\"}}"
        let environment = ["HOMEPORT_PORT": "2", "HOMEPORT_LOG_LEVEL": "warning", "HOMEPORT_HOST": ""]
        let resolution = try resolved(text, options: ["port": ["3"]], environment: environment)
        let configuration = resolution.configuration
        #expect(configuration.listeners == [ListenAddress(host: "127.0.0.1", port: 3)])
        #expect(configuration.log.level == .warning)
        #expect(configuration.log.format == .json)
        let origins = Dictionary(uniqueKeysWithValues: resolution.settings.map { ($0.key.path, $0.origin.description) })
        #expect(origins["port"] == "--port")
        #expect(origins["log.level"] == "HOMEPORT_LOG_LEVEL")
        #expect(origins["log.format"]?.hasSuffix("config.json:1") == true)
        #expect(origins["host"] == "default")
    }

    @Test("several listeners replace one, unless that one comes from a stronger source")
    func listeners() throws {
        let text = "{\"listen\": [\"127.0.0.1:1\", \"[::1]:443\"], \"port\": 9}"
        let several = [ListenAddress(host: "127.0.0.1", port: 1), ListenAddress(host: "::1", port: 443)]
        #expect(try resolved(text).configuration.listeners == several)
        func listeners(_ options: [String: [String]], _ environment: [String: String]) throws -> [String] {
            try resolved(text, options: options, environment: environment).configuration.listeners.map(\.description)
        }
        #expect(try listeners(["port": ["7"]], [:]) == ["127.0.0.1:7"])
        #expect(try listeners(["port": ["auto"]], [:]) == ["127.0.0.1:0"])
        #expect(try listeners([:], ["HOMEPORT_PORT": "6"]) == ["127.0.0.1:6"])
        #expect(try listeners([:], ["HOMEPORT_PORT": "6", "HOMEPORT_LISTEN": "127.0.0.1:5"]) == ["127.0.0.1:5"])
        #expect(try listeners(["host": ["::1"]], ["HOMEPORT_LISTEN": "127.0.0.1:5"]) == ["[::1]:9"])
        // The list is not dropped without a word.
        let dropped = try ConfigurationResolver.resolve(
            options: ["port": ["7"]], environment: ["HOMEPORT_LISTEN": "127.0.0.1:5,127.0.0.1:6"])
        #expect(
            dropped.warnings.contains { $0.contains("HOMEPORT_LISTEN lists addresses, but --port takes precedence") })
        #expect(several.map(\.description) == ["127.0.0.1:1", "[::1]:443"])
    }

    @Test("the file's path comes from the environment when no option names it")
    func fileFromEnvironment() throws {
        let folder = TemporaryFolder()
        let file = try folder.write("{\"port\": 5}", to: "config.json")
        let resolution = try ConfigurationResolver.resolve(environment: ["HOMEPORT_CONFIG": file])
        #expect(resolution.configuration.listeners.first?.port == 5)
    }

    @Test("what is odd in the environment is warned of, and does no harm")
    func warns() throws {
        let resolution = try resolved(environment: [
            "HOMEPORT_PROT": "1", "HOMEPORT_PORT": "tcp://10.0.0.7:80", "HOMEPORT_SERVICE_HOST": "10.0.0.7",
        ])
        #expect(resolution.configuration.listeners.first?.port == 20002)
        #expect(
            resolution.warnings == [
                "HOMEPORT_PORT is ignored: it is what Kubernetes sets for a service called homeport",
                "HOMEPORT_PROT is no setting; did you mean HOMEPORT_PORT?",
            ])
    }

    @Test(
        "a mail server that cannot be used, or has nobody to send as, is told with its key and what to do",
        arguments: [
            (
                "{\"mail\": {\"smtp\": \"mail.test\", \"from\": \"a@b.test\"}}",
                "mail.smtp: expected a mail server such as \"smtp://user:password@mail.example.com:587\" or "
                    + "\"smtps://mail.example.com\", found one that is wrong: it starts with neither smtp:// nor smtps://"
            ),
            (
                "{\"mail\": {\"smtp\": \"smtp://mail.test\"}}",
                "mail.smtp: expected mail.from beside it: whom mails are from"
            ),
            (
                "{\"mail\": {\"from\": \"a@b@c\"}}",
                "mail.from: expected an address such as \"app@example.com\" or \"An App <app@example.com>\", "
                    + "found \"a@b@c\": an address has one @"
            ),
            ("{\"mail\": {\"smpt\": \"\"}}", "mail.smpt: there is no such key; did you mean \"smtp\"?"),
        ])
    func mailServers(text: String, message: String) throws {
        let problems = try problems(text)
        #expect(problems.count == 1)
        #expect(problems.first?.hasSuffix(message) == true, "\(problems)")
    }

    @Test("a mail server is listed without its user and password, and without any as it is")
    func listsMailServers() throws {
        for (text, shown) in [
            ("smtp://app:hunter2@mail.test", "smtp://********@mail.test:587"),
            ("smtps://mail.test", "smtps://mail.test:465"),
        ] {
            let settings = try ConfigurationResolver.resolve(environment: [
                "HOMEPORT_MAIL_SMTP": text, "HOMEPORT_MAIL_FROM": "app@app.test",
            ]).settings
            let line = try #require(
                ConfigurationListing.text(of: settings).split(separator: "\n").first { $0.hasPrefix("mail.smtp ") })
            #expect(line.contains("\"\(shown)\""))
            #expect(!line.contains("app") && !line.contains("hunter2"))
        }
    }

    @Test(
        "secrets appear in no message and in no listing",
        arguments: [
            "{\"auth\": {\"apiKeys\": [\"da2-secret\"]}}", "{\"auth\": {\"apiKeys\": \"da2-secret\"}}",
            "{\"auth\": {\"apiKeys\": [{\"key\": [\"da2-secret\"]}]}}",
            "{\"auth\": {\"apiKeys\": [{\"key\": \"da2-secret\"}]}}",
            "{\"auth\": {\"iam\": {\"credentials\": [{\"accessKeyId\": 1, \"secretAccessKey\": \"da2-secret\"}]}}}",
            "{\"auth\": {\"iam\": {\"credentials\": [{\"accessKeyId\": \"A\", \"role\": \"auth\", \"secretAccessKey\": \"da2-secret\"}]}}}",
            "{\"mail\": {\"smtp\": [\"smtp://app:da2-secret@mail.test\"], \"from\": \"app@app.test\"}}",
            "{\"mail\": {\"smtp\": \"smtp://app:da2-secret@mail.test\", \"from\": \"app@app.test\"}}",
            "{\"mail\": {\"smtp\": \"smtp://app:da2-secret@mail.test\"}}",
            "{\"mail\": {\"smtp\": \"smtp://app:da2-secret@mail.test:x\", \"from\": \"app@app.test\"}}",
        ])
    func hidesSecrets(text: String) throws {
        #expect(!(try problems(text).joined().contains("da2-secret")))
        #expect(!(try problems(environment: ["HOMEPORT_AUTH_API_KEYS": "da2-secret"]).joined().contains("da2-secret")))
        if let resolution = try? resolved(text) {
            let listing = ConfigurationListing.text(of: resolution.settings)
            #expect(!listing.contains("da2-secret"))
            #expect(listing.contains("********"))
        }
    }
}
