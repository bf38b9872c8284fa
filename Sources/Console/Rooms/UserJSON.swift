import JSON
import UserPool

/// A user of the pool as the API of the console writes it, from what the pool's own calls say.
enum UserJSON {
    /// - Parameters:
    ///   - user: of `AdminGetUser` or of `ListUsers`: their attributes have two names.
    ///   - groups: nil where nobody asked.
    static func user(_ user: JSONValue, groups: [String]?, signIns: [KeptSignIn]) -> JSONObject {
        let attributes = (user["UserAttributes"] ?? user["Attributes"])?.array ?? []
        func attribute(_ name: String) -> String? {
            attributes.first { $0["Name"]?.text == ByteText(name) }?["Value"]?.string
        }
        var json = JSONObject()
        json["username"] = user["Username"] ?? .null
        json["sub"] = .text(attribute("sub"))
        json["email"] = .text(attribute("email"))
        json["emailVerified"] = .bool(attribute("email_verified") == "true")
        json["phone"] = .text(attribute("phone_number"))
        json["state"] = user["UserStatus"] ?? .null
        json["enabled"] = user["Enabled"] ?? true
        json["groups"] = groups.map { JSONValue.texts($0) } ?? .null
        json["createdAt"] = moment(user["UserCreateDate"])
        json["changedAt"] = moment(user["UserLastModifiedDate"])
        json["lastSignInAt"] = .moment(signIns.first?.began)
        json["sessionCount"] = .count(signIns.count { $0.holds })
        json["mfa"] = user["UserMFASettingList"] ?? []
        return json
    }

    /// Sign-ins that still hold.
    static func sessions(_ signIns: [KeptSignIn]) -> JSONValue {
        .array(
            signIns.filter(\.holds).map { signIn in
                [
                    "id": .string(signIn.id), "client": .string(signIn.client), "startedAt": .moment(signIn.began),
                    "lastUsedAt": .moment(signIn.renewed), "device": .text(signIn.device),
                ]
            })
    }

    static func attributes(_ user: JSONValue) -> JSONValue {
        .array(
            ((user["UserAttributes"] ?? user["Attributes"])?.array ?? []).map { attribute in
                ["name": attribute["Name"] ?? .null, "value": attribute["Value"] ?? .null]
            })
    }

    /// Cognito's times are seconds with a fraction.
    static func moment(_ value: JSONValue?) -> JSONValue {
        .moment(value?.number.map { Int64($0 * 1_000) })
    }
}
