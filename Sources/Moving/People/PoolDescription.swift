import JSON

/// The answers of `describe-user-pool`, `describe-user-pool-client` and `describe-identity-pool` as keys of the configuration: with the pool's
/// names clients keep what they have on devices.
package struct PoolDescription: Sendable {
    private var pool = JSONObject()
    private var clients: [JSONValue] = []

    package init(_ paths: [String]) throws(MovingFault) {
        for path in paths {
            let content = try SourceFile.content(of: path)
            guard let object = (try? JSONReader.value(of: content))?.object else {
                throw MovingFault(path, "it is no JSON object")
            }
            if let description = object["UserPool"]?.object {
                readPool(description)
            } else if let client = object["UserPoolClient"]?.object {
                clients.append(.object(Self.client(client)))
            } else if let id = object["IdentityPoolId"]?.string {
                pool.set("identityPoolId", to: .string(id))
                if let guests = object["AllowUnauthenticatedIdentities"]?.bool { pool.set("guests", to: .bool(guests)) }
            } else {
                throw MovingFault(path, "it has none of UserPool, UserPoolClient and IdentityPoolId")
            }
        }
    }

    private mutating func readPool(_ object: JSONObject) {
        pool["userPoolId"] = object["Id"]
        let names = (object["UsernameAttributes"]?.array ?? []).compactMap(\.string)
        if !names.isEmpty {
            pool.set("signIn", to: .array(names.map { .string($0 == "phone_number" ? "phone" : $0) }))
        }
        let aliases = object["AliasAttributes"]?.array ?? []
        if !aliases.isEmpty { pool.set("aliases", to: .array(aliases)) }
        // A pool that says nothing of it is of before it could.
        pool.set("caseSensitive", to: .bool(object["UsernameConfiguration"]?["CaseSensitive"]?.bool ?? true))
        pool["mfa"] = object["MfaConfiguration"]
        let policy = object["Policies"]?["PasswordPolicy"]
        var password = JSONObject()
        password["minLength"] = policy?["MinimumLength"]
        for (name, member) in [
            ("uppercase", "RequireUppercase"), ("lowercase", "RequireLowercase"), ("digit", "RequireNumbers"),
            ("symbol", "RequireSymbols"),
        ] { password[name] = policy?[member] }
        if !password.isEmpty { pool.set("password", to: .object(password)) }
        pool["temporaryPasswordDays"] = policy?["TemporaryPasswordValidityDays"]
        readAttributes(object["SchemaAttributes"]?.array ?? [])
    }

    private mutating func readAttributes(_ attributes: [JSONValue]) {
        var custom = JSONObject()
        var required: [JSONValue] = []
        for attribute in attributes {
            guard let name = attribute["Name"]?.string else { continue }
            if name.hasPrefix("custom:") {
                custom.set(String(name.dropFirst("custom:".utf8.count)), to: .object(JSONObject()))
            } else if attribute["Required"]?.bool == true, name != "sub" {
                required.append(.string(name))
            }
        }
        if !custom.isEmpty { pool.set("customAttributes", to: .object(custom)) }
        if !required.isEmpty { pool.set("requiredAttributes", to: .array(required)) }
    }

    private static func client(_ object: JSONObject) -> JSONObject {
        var client = JSONObject()
        client["id"] = object["ClientId"]
        client["secret"] = object["ClientSecret"]
        for (name, member) in [
            ("callbackUrls", "CallbackURLs"), ("logoutUrls", "LogoutURLs"), ("scopes", "AllowedOAuthScopes"),
        ] {
            if let list = object[member]?.array, !list.isEmpty { client.set(name, to: .array(list)) }
        }
        return client
    }

    /// The pool's name, where one was given.
    package var userPoolID: String? { pool["userPoolId"]?.string }

    /// `{"auth": {"pool": {…}}}`
    package var configuration: JSONValue {
        var pool = pool
        if !clients.isEmpty { pool.set("clients", to: .array(clients)) }
        return ["auth": ["pool": .object(pool)]]
    }
}
