import Cloud
import JSON
import Store

extension PoolOperation {
    /// What the pool is, for tools that ask.
    static let descriptions: [PoolOperation] = [
        PoolOperation("DescribeUserPool", .administrators, [.init("UserPoolId", .poolID, isRequired: true)]) {
            run throws(PoolError) in
            let run = try run.administrator()
            return JSONObject([("UserPool", .object(try await run.description()))])
        },
        PoolOperation(
            "DescribeUserPoolClient", .administrators,
            [
                .init("UserPoolId", .poolID, isRequired: true), .init("ClientId", .clientID, isRequired: true),
            ]
        ) { run throws(PoolError) in
            let run = try run.administrator()
            let id = try run.input.required("ClientId")
            guard let client = run.pool.clients[id] else { throw .unknownClient(id) }
            return JSONObject([
                (
                    "UserPoolClient",
                    .object(client.record(inPool: run.pool.identifiers.userPoolID, run.settings))
                )
            ])
        },
        PoolOperation(
            "ListUserPools", .administrators,
            [
                .init("NextToken", .text(1...131_072, .solid, isSecret: true)),
                .init("MaxResults", .integer(1...60), isRequired: true),
            ]
        ) { run throws(PoolError) in
            let id = run.pool.identifiers.userPoolID
            return JSONObject([
                (
                    "UserPools",
                    .array([
                        .object(
                            JSONObject([
                                ("Id", .string(id)), ("Name", .string(run.pool.identifiers.poolName)),
                                ("LambdaConfig", .object(JSONObject())),
                            ]))
                    ])
                )
            ])
        },
        PoolOperation(
            "ListUserPoolClients", .administrators,
            [
                .init("UserPoolId", .poolID, isRequired: true), .init("MaxResults", .integer(1...60)),
                .init("NextToken", .text(1...131_072, .solid, isSecret: true)),
                .init("ClientType", .choice(["REGULAR", "DCR"])),
            ]
        ) { run throws(PoolError) in
            let run = try run.administrator()
            return try run.listClients()
        },
    ]
}

extension PoolRun {
    fileprivate func listClients() throws(PoolError) -> JSONObject {
        let list = "ListUserPoolClients"
        let names = pool.clients.keys.sorted().map(\.string)
        let position = try self.position("NextToken", of: list)
        let rest = names.drop { name in position.map { !(ByteText($0) < ByteText(name)) } ?? false }
        let count = pageCount("MaxResults")
        let page = rest.prefix(count)
        let records = page.map { id in
            JSONValue.object(
                JSONObject([
                    ("ClientId", .string(id)), ("UserPoolId", .string(pool.identifiers.userPoolID)),
                    ("ClientName", .string(id)),
                ]))
        }
        var answer = JSONObject([("UserPoolClients", .array(records))])
        if rest.count > count, let last = page.last { answer.set("NextToken", to: token(behind: last, of: list)) }
        return answer
    }

    /// The pool as the service describes one.
    fileprivate func description() async throws(PoolError) -> JSONObject {
        let identifiers = pool.identifiers
        var description = JSONObject()
        description.set("Id", to: .string(identifiers.userPoolID))
        description.set("Name", to: .string(identifiers.poolName))
        description.set(
            "Arn",
            to: .string(
                ARN(
                    "cognito-idp", region: identifiers.region, account: Self.account,
                    "userpool/\(identifiers.userPoolID)"
                ).description))
        description.set("Policies", to: .object(JSONObject([("PasswordPolicy", .object(passwordPolicy))])))
        description.set("LambdaConfig", to: .object(JSONObject()))
        description.set("SchemaAttributes", to: .array(settings.attributes.records))
        description.set("AutoVerifiedAttributes", to: .array(settings.verifiedAttributes.map { .string($0) }))
        description.set("MfaConfiguration", to: .string(settings.secondFactorDemand.rawValue))
        description.set(
            "EstimatedNumberOfUsers",
            to: .integer(try await read { reader throws(PoolError) in try reader.count(Self.userCount) }))
        description.set(
            "AdminCreateUserConfig",
            to: .object(JSONObject([("AllowAdminCreateUserOnly", .bool(!settings.allowsSelfSignUp))])))
        description.set(
            "UsernameConfiguration", to: .object(JSONObject([("CaseSensitive", .bool(settings.isCaseSensitive))])))
        if settings.namesUsersItself {
            let names: [(PoolSettings.SignInName, String)] = [(.email, "email"), (.phone, "phone_number")]
            let own = names.filter { settings.signInNames.contains($0.0) }.map { JSONValue.string($0.1) }
            description.set("UsernameAttributes", to: .array(own))
        } else if !settings.aliases.isEmpty {
            description.set("AliasAttributes", to: .array(settings.aliases.sorted { $0 < $1 }.map { .string($0) }))
        }
        if !settings.addressesProvedFirst.isEmpty {
            description.set(
                "UserAttributeUpdateSettings",
                to: .object(
                    JSONObject([
                        (
                            "AttributesRequireVerificationBeforeUpdate",
                            .array(settings.addressesProvedFirst.map { .string($0) })
                        )
                    ])))
        }
        if let recovery = settings.accountRecovery { description["AccountRecoverySetting"] = recovery.record }
        if settings.deviceTracking != .off {
            let isOnRequest = settings.deviceTracking == .onRequest
            description.set(
                "DeviceConfiguration",
                to: .object(
                    JSONObject([
                        ("ChallengeRequiredOnNewDevice", true),
                        ("DeviceOnlyRememberedOnUserPrompt", .bool(isOnRequest)),
                    ])))
        }
        return description
    }

    private var passwordPolicy: JSONObject {
        let policy = settings.password
        return JSONObject([
            ("MinimumLength", .integer(Int64(policy.lengthMin))), ("RequireUppercase", .bool(policy.needsUppercase)),
            ("RequireLowercase", .bool(policy.needsLowercase)), ("RequireNumbers", .bool(policy.needsDigit)),
            ("RequireSymbols", .bool(policy.needsSymbol)),
            ("TemporaryPasswordValidityDays", .integer(settings.temporaryPasswordDays)),
        ])
    }

    /// Nobody here has an account: this is the one of AWS's own examples.
    private static let account = "123456789012"
    private static let userCount = RoomStatement("SELECT count(*) FROM _homeport_users")
}

extension AccountRecovery {
    /// As `AccountRecoverySetting`; nil where the service has none.
    fileprivate var record: JSONValue? {
        guard self != .phoneAndEmail else { return nil }
        let names = self == .none ? ["admin_only"] : attributes.map { "verified_\($0)" }
        return [
            "RecoveryMechanisms": .array(
                names.enumerated().map { ["Priority": .integer(Int64($0 + 1)), "Name": .string($1)] })
        ]
    }
}

extension AttributeSchema {
    /// As `SchemaAttributes`.
    fileprivate var records: [JSONValue] {
        let standard = Self.standard.union(Self.verifications).sorted().map { name in
            JSONValue.object(
                JSONObject([
                    ("Name", .string(name.string)),
                    (
                        "AttributeDataType",
                        Self.verifications.contains(name) ? "Boolean" : name == "updated_at" ? "Number" : "String"
                    ),
                    ("DeveloperOnlyAttribute", false), ("Mutable", .bool(!immutable.contains(name.string))),
                    ("Required", .bool(required.contains(name.string))),
                ]))
        }
        let own = custom.sorted { $0.key < $1.key }.map { name, definition in
            JSONValue.object(
                JSONObject([
                    ("Name", .string("custom:\(name.string)")),
                    ("AttributeDataType", .string(definition.kind.rawValue)),
                    ("DeveloperOnlyAttribute", false), ("Mutable", .bool(definition.isMutable)), ("Required", false),
                ]))
        }
        let sub: JSONValue = [
            "Name": "sub", "AttributeDataType": "String", "DeveloperOnlyAttribute": false, "Mutable": false,
            "Required": true,
        ]
        return [sub] + standard + own
    }
}

extension AppClient {
    /// As the service describes a client.
    fileprivate func record(inPool pool: String, _ settings: PoolSettings) -> JSONObject {
        var record = JSONObject([
            ("UserPoolId", .string(pool)), ("ClientName", .string(id)), ("ClientId", .string(id)),
        ])
        record["ClientSecret"] = secret.map(JSONValue.string)
        record.set("RefreshTokenValidity", to: .integer(refreshSeconds))
        record.set("AccessTokenValidity", to: .integer(accessSeconds))
        record.set("IdTokenValidity", to: .integer(idSeconds))
        record.set(
            "TokenValidityUnits", to: ["AccessToken": "seconds", "IdToken": "seconds", "RefreshToken": "seconds"])
        record.set(
            "ExplicitAuthFlows", to: .array(Flow.allCases.filter(flows.contains).map { .string($0.rawValue) }))
        for (name, attributes) in [("ReadAttributes", readAttributes), ("WriteAttributes", writeAttributes)] {
            guard let attributes else { continue }
            record.set(name, to: .array(attributes.sorted().map { .string($0.string) }))
        }
        record.set("PreventUserExistenceErrors", to: .string(settings.existenceErrors.rawValue))
        record.set("EnableTokenRevocation", to: true)
        record.set(
            "SupportedIdentityProviders",
            to: .array((["COGNITO"] + settings.providers.map(\.name)).map { .string($0) }))
        if !redirectURIs.isEmpty {
            record.set("CallbackURLs", to: .array(redirectURIs.map { .string($0) }))
            record.set("LogoutURLs", to: .array(logoutURIs.map { .string($0) }))
            let ownScopes = scopes.filter { $0.utf8.contains(UInt8(ascii: "/")) }
            let allowed = ["code"] + (secret == nil || ownScopes.isEmpty ? [] : ["client_credentials"])
            record.set("AllowedOAuthFlows", to: .array(allowed.map { .string($0) }))
            record.set("AllowedOAuthScopes", to: .array(scopes.map { .string($0) }))
        }
        record.set("AllowedOAuthFlowsUserPoolClient", to: .bool(!redirectURIs.isEmpty))
        record.set("AuthSessionValidity", to: .integer(sessionSeconds / 60))
        if let rotationGraceSeconds {
            record.set(
                "RefreshTokenRotation",
                to: ["Feature": "ENABLED", "RetryGracePeriodSeconds": .integer(rotationGraceSeconds)])
        }
        return record
    }
}
