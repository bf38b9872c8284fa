import JSON

/// A user as Cognito's operations list them, as a line of `homeport users import` has them.
///
///     {"Username": "ann", "Attributes": [{"Name": "email", "Value": "ann@example.com"}], "UserStatus": "CONFIRMED"}
///     {"username": "ann", "attributes": {"email": "ann@example.com"}, "status": "RESET_REQUIRED"}
///
/// No operation gives passwords and secrets of authenticator apps. So a user who was confirmed has to reset the password, unless the operator
/// has a hash of it.
package struct CognitoUser: Sendable {
    package let username: String
    /// The line, without groups and hash.
    package private(set) var line: JSONObject
    /// True if the user signed in with an authenticator app there, and has to set one up anew.
    package private(set) var hadAuthenticator = false

    /// Why an entry is no user.
    package struct Misfit: Error, Sendable {
        package let reason: String

        package init(reason: String) {
            self.reason = reason
        }
    }

    /// Reads an element of `ListUsers`, or an answer of `AdminGetUser`.
    package init(_ object: JSONObject) throws(Misfit) {
        guard let username = object["Username"]?.string, !username.isEmpty else {
            throw Misfit(reason: "it has no Username")
        }
        self.username = username
        var attributes = JSONObject()
        var links: [JSONValue] = []
        var sub: String?
        for attribute in (object["Attributes"] ?? object["UserAttributes"])?.array ?? [] {
            guard let name = attribute["Name"]?.string, let value = attribute["Value"]?.string else {
                throw Misfit(reason: "one of its attributes has no Name and Value")
            }
            switch name {
            case "sub": sub = value
            case "identities": links = try Self.links(value)
            default: attributes.set(name, to: .string(value))
            }
        }
        line = JSONObject([("username", .string(username))])
        line["sub"] = sub.map(JSONValue.string)
        line["created"] = try Self.time(object["UserCreateDate"], "UserCreateDate")
        line["modified"] = try Self.time(object["UserLastModifiedDate"], "UserLastModifiedDate")
        if let isEnabled = object["Enabled"]?.bool { line.set("enabled", to: .bool(isEnabled)) }
        line.set("attributes", to: .object(attributes))
        if !links.isEmpty { line.set("links", to: .array(links)) }
        line.set("status", to: .string(try Self.status(object["UserStatus"]?.string)))
        readFactors(object)
        add(groups: (object["Groups"]?.array ?? []).compactMap(\.string), passwordHash: nil)
    }

    private static func status(_ text: String?) throws(Misfit) -> String {
        switch text {
        case nil, "CONFIRMED", "RESET_REQUIRED", "ARCHIVED", "COMPROMISED", "UNKNOWN": "RESET_REQUIRED"
        case "UNCONFIRMED": "UNCONFIRMED"
        case "FORCE_CHANGE_PASSWORD": "FORCE_CHANGE_PASSWORD"
        case "EXTERNAL_PROVIDER": "EXTERNAL_PROVIDER"
        case let other?: throw Misfit(reason: "its UserStatus is \(other)")
        }
    }

    /// Seconds since 1970 with a fraction, or a text with an offset.
    private static func time(_ value: JSONValue?, _ name: String) throws(Misfit) -> JSONValue? {
        switch value {
        case nil, .null?: return nil
        case .string(let text)?:
            guard let time = Timestamp(text) else { throw Misfit(reason: "\(name) is no time: \(text)") }
            return .string(time.text)
        case let value?:
            guard let seconds = value.number, seconds.isFinite, abs(seconds) < 1e11 else {
                throw Misfit(reason: "\(name) is no time")
            }
            let milliseconds = Int64((seconds * 1_000).rounded())
            let whole = milliseconds >= 0 ? milliseconds / 1_000 : (milliseconds - 999) / 1_000
            return .string(Timestamp(seconds: whole, milliseconds: Int(milliseconds - whole * 1_000)).text)
        }
    }

    /// The user's identities at other providers: the text of the attribute `identities`.
    private static func links(_ text: String) throws(Misfit) -> [JSONValue] {
        guard let list = (try? JSONReader.value(of: text))?.array else {
            throw Misfit(reason: "the attribute identities is no JSON list")
        }
        var links: [JSONValue] = []
        for entry in list {
            // Some SDKs have written the number of a provider's user as one.
            let subject = entry["userId"]?.string ?? entry["userId"]?.integer.map { "\($0)" }
            guard let provider = entry["providerName"]?.string, let subject else {
                throw Misfit(reason: "the attribute identities has an entry without providerName and userId")
            }
            links.append(["provider": .string(provider), "subject": .string(subject)])
        }
        return links
    }

    private mutating func readFactors(_ object: JSONObject) {
        var names = (object["UserMFASettingList"]?.array ?? []).compactMap(\.string)
        let options = object["MFAOptions"]?.array ?? []
        if names.isEmpty, options.contains(where: { $0["DeliveryMedium"]?.string == "SMS" }) { names = ["SMS_MFA"] }
        hadAuthenticator = names.contains("SOFTWARE_TOKEN_MFA")
        let kept = names.filter { $0 == "SMS_MFA" || $0 == "EMAIL_OTP" }.eachOnce()
        guard !kept.isEmpty else { return }
        var factors = JSONObject([("enabled", .array(kept.map { .string($0) }))])
        if let preferred = object["PreferredMfaSetting"]?.string, kept.contains(preferred) {
            factors.set("preferred", to: .string(preferred))
        }
        line.set("mfa", to: .object(factors))
    }

    /// The element of `ListUsers` of a line, which `init` reads back. What proves a password is not in it.
    package static func element(of line: JSONObject) -> JSONObject {
        var attributes: [JSONValue] = []
        func add(_ name: String, _ value: JSONValue) {
            attributes.append(["Name": .string(name), "Value": value])
        }
        if let sub = line["sub"] { add("sub", sub) }
        for attribute in line["attributes"]?.object ?? JSONObject() { add(attribute.key, attribute.value) }
        let links = line["links"]?.array ?? []
        if !links.isEmpty {
            let entries = links.map { link -> JSONValue in
                ["userId": link["subject"] ?? .null, "providerName": link["provider"] ?? .null]
            }
            add("identities", .string(JSONWriter.text(of: .array(entries))))
        }
        var object = JSONObject([("Username", line["username"] ?? .null), ("Attributes", .array(attributes))])
        object["UserCreateDate"] = line["created"]
        object["UserLastModifiedDate"] = line["modified"]
        object["Enabled"] = line["enabled"]
        object["UserStatus"] = line["status"]
        object["UserMFASettingList"] = line["mfa"]?["enabled"]
        object["PreferredMfaSetting"] = line["mfa"]?["preferred"]
        // No operation of AWS lists a user's groups with the user.
        object["Groups"] = line["groups"]
        return object
    }

    /// The element of `ListGroups` of a line.
    package static func groupElement(of line: JSONObject) -> JSONObject {
        var object = JSONObject([("GroupName", line["group"] ?? .null)])
        object["Description"] = line["description"]
        object["RoleArn"] = line["role"]
        object["Precedence"] = line["precedence"]
        return object
    }

    /// Adds what other operations say.
    package mutating func add(groups: [String], passwordHash: String?) {
        let all = (line["groups"]?.array ?? []).compactMap(\.string) + groups
        if !all.isEmpty { line.set("groups", to: .array(all.eachOnce().map { .string($0) })) }
        guard let passwordHash else { return }
        line.set("passwordHash", to: .string(passwordHash))
        if line["status"]?.string == "RESET_REQUIRED" { line.set("status", to: "CONFIRMED") }
    }

    /// The line of a group, of an element of `ListGroups`.
    package static func group(_ object: JSONObject) throws(Misfit) -> JSONObject {
        guard let name = object["GroupName"]?.string, !name.isEmpty else { throw Misfit(reason: "it has no GroupName") }
        var line = JSONObject([("group", .string(name))])
        line["description"] = object["Description"]?.string.map(JSONValue.string)
        line["role"] = object["RoleArn"]?.string.map(JSONValue.string)
        line["precedence"] = object["Precedence"]?.integer.map(JSONValue.integer)
        return line
    }
}
