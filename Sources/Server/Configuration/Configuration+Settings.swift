import Blueprint
import JSON

/// Reads checked settings. A key that is asked for by a wrong name or type is a mistake in this file: it gives the
/// empty value, and the test that compares every default with the table fails.
private struct CheckedSettings {
    let settings: [String: ConfigurationResolver.Setting]

    func value(_ key: String) -> JSONValue { settings[key]?.value ?? .null }
    func origin(_ key: String) -> ConfigurationOrigin { settings[key]?.origin ?? .standard }
    func text(_ key: String) -> String? { value(key).string }
    func bool(_ key: String) -> Bool { value(key).bool ?? false }
    func integer(_ key: String) -> Int64 { value(key).integer ?? 0 }
    func int(_ key: String) -> Int { Int(clamping: integer(key)) }
    func texts(_ key: String) -> [String] { (value(key).array ?? []).compactMap(\.string) }
    func members(_ key: String) -> [JSONObject.Member] { value(key).object?.members ?? [] }
}

extension Configuration {
    /// The configuration of settings that have been checked.
    init(_ settings: [String: ConfigurationResolver.Setting]) {
        let settings = CheckedSettings(settings: settings)
        let data = settings.text("data") ?? ""
        self.init(
            schema: settings.text("schema"),
            listeners: Self.listeners(settings),
            tls: Self.tls(settings),
            data: data,
            database: Self.database(settings.text("database"), in: data),
            forcedMigrations: settings.texts("forcedMigrations"),
            seed: settings.text("seed"),
            allowedHosts: settings.texts("allowedHosts"),
            allowsPrivateNetworkAccess: settings.bool("cors.privateNetwork"),
            allowsIntrospection: settings.bool("introspection"),
            eventLoops: settings.value("eventLoops").integer.map { Int(clamping: $0) },
            log: LogSettings(
                format: settings.text("log.format").flatMap(LogFormat.init) ?? .text,
                level: settings.text("log.level").flatMap(LogLevel.init) ?? .info,
                requests: settings.bool("log.requests")),
            limits: LimitSettings(settings),
            auth: AuthSettings(settings),
            features: FeatureSettings(settings),
            sync: SyncRetention(
                logMinutes: settings.integer("sync.logMinutes"),
                tombstoneMinutes: settings.integer("sync.tombstoneMinutes")),
            functions: Dictionary(
                settings.members("functions").compactMap { member in
                    member.value["url"]?.string.map { (member.key, $0) }
                }, uniquingKeysWith: { $1 }))
    }

    /// `listen`, unless `host` or `port` was set from a stronger source: an option means more than a file.
    private static func listeners(_ settings: CheckedSettings) -> [ListenAddress] {
        let several = settings.texts("listen").compactMap { ListenAddress($0) }
        let one = max(settings.origin("host").strength, settings.origin("port").strength)
        if !several.isEmpty, settings.origin("listen").strength >= one { return several }
        return [ListenAddress(host: settings.text("host") ?? "", port: settings.int("port"))]
    }

    private static func tls(_ settings: CheckedSettings) -> TLSFiles? {
        guard let certificate = settings.text("tls.certificate"), let key = settings.text("tls.key") else { return nil }
        return TLSFiles(certificate: certificate, key: key)
    }

    private static func database(_ text: String?, in data: String) -> DatabaseLocation {
        text == ":memory:" ? .memory : .file(text ?? "\(data)/data.sqlite")
    }
}

extension LimitSettings {
    fileprivate init(_ settings: CheckedSettings) {
        self.init(
            headBytes: settings.int("limits.headBytes"),
            targetBytes: settings.int("limits.targetBytes"),
            headFields: settings.int("limits.headFields"),
            bodyBytes: settings.int("limits.bodyBytes"),
            chunkLineBytes: settings.int("limits.chunkLineBytes"),
            trailerBytes: settings.int("limits.trailerBytes"),
            pipelinedBytes: settings.int("limits.pipelinedBytes"),
            connections: settings.int("limits.connections"),
            streamedBytes: settings.int("limits.streamedBytes"),
            waitingBodyBytes: settings.int("limits.waitingBodyBytes"),
            unreadAnswerBytes: settings.int("limits.unreadAnswerBytes"),
            idleMilliseconds: settings.int("limits.idleMilliseconds"),
            headMilliseconds: settings.int("limits.headMilliseconds"),
            bodyGraceMilliseconds: settings.int("limits.bodyGraceMilliseconds"),
            bodyBytesPerSecond: settings.int("limits.bodyBytesPerSecond"),
            bodySilenceMilliseconds: settings.int("limits.bodySilenceMilliseconds"),
            answerGraceMilliseconds: settings.int("limits.answerGraceMilliseconds"),
            answerBytesPerSecond: settings.int("limits.answerBytesPerSecond"),
            writeStallMilliseconds: settings.int("limits.writeStallMilliseconds"),
            lingerMilliseconds: settings.int("limits.lingerMilliseconds"),
            lingerSilenceMilliseconds: settings.int("limits.lingerSilenceMilliseconds"),
            lingerBytes: settings.int("limits.lingerBytes"),
            stopMilliseconds: settings.int("limits.stopMilliseconds"),
            webSocketMessageBytes: settings.int("limits.webSocketMessageBytes"),
            webSocketMessageFrames: settings.int("limits.webSocketMessageFrames"),
            webSocketOutboundBytes: settings.int("limits.webSocketOutboundBytes"),
            webSocketPingMilliseconds: settings.int("limits.webSocketPingMilliseconds"),
            webSocketSilenceMilliseconds: settings.int("limits.webSocketSilenceMilliseconds"),
            webSocketCloseMilliseconds: settings.int("limits.webSocketCloseMilliseconds"),
            queryDepth: settings.value("limits.queryDepth").integer.map { Int(clamping: $0) },
            operationReads: settings.int("limits.operationReads"),
            operationSeconds: settings.int("limits.operationSeconds"),
            mutationSeconds: settings.int("limits.mutationSeconds"),
            responseBytes: settings.int("limits.responseBytes"),
            pageRecords: settings.int("limits.pageRecords"),
            searchAggregates: settings.int("limits.searchAggregates"),
            functionCalls: settings.int("limits.functionCalls"),
            functionSeconds: settings.int("limits.functionSeconds"),
            functionBytes: settings.int("limits.functionBytes"))
    }
}

extension AuthSettings {
    /// A schema with rules for owners or groups works without any configuration: the built-in user pool is there.
    private static func additionalModes(_ settings: CheckedSettings) -> [AuthorizationMode] {
        let isSet = [settings.origin("auth.default"), settings.origin("auth.additional")] != [.standard, .standard]
        return isSet ? settings.texts("auth.additional").compactMap(AuthorizationMode.init) : [.userPools]
    }

    fileprivate init(_ settings: CheckedSettings) {
        self.init(
            primary: settings.text("auth.default").flatMap(AuthorizationMode.init) ?? .apiKey,
            additional: Self.additionalModes(settings),
            apiKeys: (settings.value("auth.apiKeys").array ?? []).compactMap(APIKey.init),
            userPools: settings.text("auth.userPools.issuer").map {
                UserPools(
                    issuer: $0, jwks: settings.text("auth.userPools.jwks"),
                    clientIDs: settings.texts("auth.userPools.clientIds"))
            },
            oidc: settings.text("auth.oidc.issuer").map {
                OIDC(
                    issuer: $0, jwks: settings.text("auth.oidc.jwks"), clientID: settings.text("auth.oidc.clientId"),
                    issuedAtMilliseconds: settings.integer("auth.oidc.iatTTL"),
                    authenticatedMilliseconds: settings.integer("auth.oidc.authTTL"))
            },
            iamCredentials: (settings.value("auth.iam.credentials").array ?? []).compactMap(IAMCredential.init),
            lambda: settings.text("auth.lambda.url").map {
                LambdaAuthorizer(url: $0, cacheSeconds: settings.integer("auth.lambda.ttl"))
            },
            explainsDenials: settings.bool("auth.explain"))
    }
}

extension AuthSettings.APIKey {
    fileprivate init?(_ value: JSONValue) {
        guard let key = value["key"]?.string else { return nil }
        self.init(key: key, expires: value["expires"]?.string.flatMap { Timestamp($0) }?.seconds)
    }
}

extension AuthSettings.IAMCredential {
    fileprivate init?(_ value: JSONValue) {
        guard let name = value["accessKeyId"]?.string, let secret = value["secretAccessKey"]?.string,
            let role = value["role"]?.string.flatMap(Role.init)
        else { return nil }
        self.init(
            accessKeyID: name, secretAccessKey: secret, role: role,
            sessionToken: value["sessionToken"]?.string, identityID: value["identityId"]?.string,
            identityPoolID: value["identityPoolId"]?.string, accountID: value["accountId"]?.string)
    }
}

extension FeatureSettings {
    fileprivate init(_ settings: CheckedSettings) {
        self.init(
            transformerVersion: settings.int("features.transformerVersion"),
            version1OpenOperations:
                settings.text("features.version1OpenOperations").flatMap(OpenOperations.init) ?? .all,
            subscriptionsInheritPrimaryAuth: settings.bool("features.subscriptionsInheritPrimaryAuth"),
            conflictDetection: ConflictDetection(settings.value("features.conflictDetection")),
            conflictDetectionModels: Dictionary(
                settings.members("features.conflictDetectionModels").compactMap { member in
                    ConflictDetection(member.value).map { (member.key, $0) }
                }, uniquingKeysWith: { $1 }),
            listSemantics: settings.text("features.listSemantics").flatMap(ListSemantics.init) ?? .appsync,
            secondaryKeyAsGSI: settings.bool("features.secondaryKeyAsGSI"),
            enableAutoIndexQueryNames: settings.bool("features.enableAutoIndexQueryNames"),
            respectPrimaryKeyAttributesOnConnectionField: settings.bool(
                "features.respectPrimaryKeyAttributesOnConnectionField"),
            populateOwnerFieldForStaticGroupAuth: settings.bool("features.populateOwnerFieldForStaticGroupAuth"),
            useSubUsernameForDefaultIdentityClaim: settings.bool("features.useSubUsernameForDefaultIdentityClaim"),
            allowGen1Patterns: settings.bool("features.allowGen1Patterns"),
            enableIamAccess: settings.bool("features.enableIamAccess"))
    }
}

extension ConflictDetection {
    fileprivate init?(_ value: JSONValue) {
        switch value {
        case "AUTOMERGE": self = .automerge
        case "OPTIMISTIC_CONCURRENCY": self = .optimisticConcurrency
        default:
            guard let url = value["lambda"]?.string else { return nil }
            self = .lambda(url: url)
        }
    }
}
