import Blueprint
import Channels
import JSON
import Project
import UserPool

/// The file `amplify_outputs.json`, by which clients find the server and learn how people sign in and what the API has.
///
///     version     the form of the file
///     auth        the pools, and how people sign in
///     data        the API: its address, its modes, its models
///     storage     the places for files, and who may do what there
struct AmplifyOutputs {
    let version: OutputsVersion
    let address: ClientAddress
    let region: String
    /// What the pools are called, and how people sign in; nil: clients are told nothing of it.
    let signIn: (pool: PoolIdentifiers, auth: AuthResource)?
    /// Nil: the project has no API.
    let data: ClientData?
    /// Nil: the project has no place for files.
    let storage: StorageSection?
    /// The section of channels; nil: there are none.
    var events: ClientEvents?
    /// The project's additions.
    let added: OutputParts
    /// True if Flutter reads it, which takes whole addresses of the pool and its pages; others do not know them.
    var namesEndpoints = false
    /// True if the file becomes one of the older forms, which say nothing where there are no additional modes.
    var isForEarlierForms = false

    /// The whole file, unless the project adds what is there already.
    func value() throws(OutputParts.Conflict) -> JSONValue {
        guard !added.value.isEmpty else { return .object(withEvents(sections(of: version))) }
        // What is added may be of a newer version, and then the file is of that; its sections are of the one asked for.
        var parts = OutputParts(sections(of: version))
        try parts.add(added.value)
        return .object(withEvents(parts.value))
    }

    /// The channels in the place that amplify-js reads. What the project adds there is known only when it is deployed, so this server's
    /// own address goes over it.
    private func withEvents(_ file: JSONObject) -> JSONObject {
        guard let events else { return file }
        var file = file
        var custom = file["custom"]?.object ?? JSONObject()
        var section = custom["events"]?.object ?? JSONObject()
        section["url"] = .string(address.events)
        section["aws_region"] = .string(region)
        section["default_authorization_type"] = .string(events.defaultMode.rawValue)
        section["api_key"] = events.apiKey.map { .string($0) }
        custom["events"] = .object(section)
        file["custom"] = .object(custom)
        return file
    }

    private func sections(of version: OutputsVersion) -> JSONObject {
        var file = JSONObject()
        file["auth"] = signIn.map { authSection($0.pool, $0.auth) }
        file["data"] = data.map(dataSection)
        file["storage"] = storage?.value(version)
        file["version"] = .string(version.rawValue)
        return file
    }

    // MARK: data

    private func dataSection(_ data: ClientData) -> JSONValue {
        var section = JSONObject()
        section["url"] = .string(address.graphql)
        section["aws_region"] = .string(region)
        section["api_key"] = data.apiKey.map { .string($0) }
        section["default_authorization_type"] = .string(data.defaultMode.rawValue)
        // Clients on phones refuse a file without it, so an empty list is written too.
        if !isForEarlierForms || !data.additionalModes.isEmpty {
            section["authorization_types"] = texts(data.additionalModes.map(\.rawValue))
        }
        section["model_introspection"] = data.introspection
        return .object(section)
    }

    // MARK: auth

    private func authSection(_ identifiers: PoolIdentifiers, _ auth: AuthResource) -> JSONValue {
        let pool = auth.pool
        var section = JSONObject()
        section["user_pool_id"] = .string(identifiers.userPoolID)
        section["aws_region"] = .string(region)
        section["user_pool_client_id"] = .string(identifiers.clientID)
        section["identity_pool_id"] = .string(identifiers.identityPoolID)
        section["mfa_methods"] = texts(pool.mfaFactors.map(\.rawValue))
        section["standard_required_attributes"] = texts(pool.requiredAttributes)
        section["username_attributes"] = texts(pool.usernameAttributes)
        section["user_verification_types"] = texts(pool.verifiedAttributes)
        if version.hasGroups { section["groups"] = .array(pool.groups.map(group)) }
        section["mfa_configuration"] = pool.mfaMode == .off ? "NONE" : .string(pool.mfaMode.rawValue)
        section["password_policy"] = policy(pool.passwordPolicy)
        if !pool.callbackURLs.isEmpty, !pool.logoutURLs.isEmpty { section["oauth"] = hostedPages(auth) }
        section["unauthenticated_identities_enabled"] = .bool(pool.allowsGuests)
        if version.hasPasswordless { section["passwordless"] = passwordless(auth) }
        if namesEndpoints { section["user_pool_endpoint"] = .string(address.base) }
        return .object(section)
    }

    private func group(_ group: DeclaredPool.Group) -> JSONValue {
        var settings = JSONObject()
        settings["precedence"] = group.precedence.map { .integer(Int64($0)) }
        return .object(JSONObject([(group.name, .object(settings))]))
    }

    private func policy(_ policy: DeclaredPool.PasswordPolicy) -> JSONValue {
        [
            "min_length": .integer(Int64(policy.lengthMin)), "require_lowercase": .bool(policy.needsLowercase),
            "require_numbers": .bool(policy.needsNumbers), "require_symbols": .bool(policy.needsSymbols),
            "require_uppercase": .bool(policy.needsUppercase),
        ]
    }

    private func hostedPages(_ auth: AuthResource) -> JSONValue {
        let providers = auth.login.providers
        var section = JSONObject([
            ("identity_providers", texts(providers?.social.map(\.kind.clientName) ?? [])),
            ("redirect_sign_in_uri", texts(auth.pool.callbackURLs)),
            ("redirect_sign_out_uri", texts(auth.pool.logoutURLs)),
            ("response_type", .string(auth.pool.flows.joined(separator: ","))),
            ("scopes", texts(auth.pool.scopes)),
            // Addresses alone, given to the app client by hand, make no pages.
            ("domain", .string(providers == nil ? "" : address.authority)),
        ])
        if namesEndpoints {
            let pages: [(String, HostedPath)] = [
                ("sign_in_uri", .authorize), ("sign_out_uri", .logout), ("token_uri", .token),
            ]
            for (name, page) in pages { section[name] = .string(address.base + page.rawValue) }
        }
        return .object(section)
    }

    private func passwordless(_ auth: AuthResource) -> JSONValue? {
        var section = JSONObject()
        if let factors = auth.pool.firstFactors {
            section["email_otp_enabled"] = .bool(factors.contains(.emailCode))
            section["sms_otp_enabled"] = .bool(factors.contains(.messageCode))
            if factors.contains(.passkey) {
                section["web_authn"] = [
                    "relying_party_id": .string(auth.pool.relyingParty ?? ""),
                    "user_verification": auth.pool.demandsPasskeyVerification ? "required" : "preferred",
                ]
            }
        }
        section["preferred_challenge"] = auth.preferredChallenge.map { .string($0.rawValue) }
        guard !section.isEmpty else { return nil }
        return .object(section)
    }

    private func texts(_ texts: [String]) -> JSONValue { .array(texts.map { .string($0) }) }
}

/// The section of channels in the file for clients.
struct ClientEvents {
    /// Nil: no channel takes one.
    let apiKey: String?
    let defaultMode: AuthMode

    /// Nil where the configuration has no channels.
    ///
    /// - Parameter mode: the API's default mode.
    init?(_ configuration: Configuration, default mode: AuthMode) {
        guard configuration.eventAPI.isThere else { return nil }
        let api = configuration.eventAPI.api(default: mode)
        let key = configuration.auth.apiKeys.first { $0.isCurrent(now: Timestamp.now.seconds) }
        apiKey = api.modes.contains(.apiKey) ? key?.key : nil
        defaultMode = api.connect.first ?? mode
    }
}

/// What clients are told of the API.
struct ClientData {
    /// Nil: the API takes none.
    let apiKey: String?
    let defaultMode: AuthMode
    let additionalModes: [AuthMode]
    let introspection: JSONValue
}
