import Project
import Script

/// Texts of the CDK that are the same in every deployment: `ProviderAttribute.GOOGLE_EMAIL.attributeName` is `email`.
enum CDKConstants {
    /// A class of a module whose members are constants, the property by which each has its text, and the texts.
    private struct Table {
        let module: String
        let kind: String
        let property: String
        let texts: [String: String]
    }

    private static let tables = [
        Table(
            module: "aws-cognito", kind: "ProviderAttribute", property: "attributeName",
            texts: [
                "AMAZON_EMAIL": "email", "AMAZON_NAME": "name", "AMAZON_POSTAL_CODE": "postal_code",
                "AMAZON_USER_ID": "user_id", "APPLE_EMAIL": "email", "APPLE_EMAIL_VERIFIED": "email_verified",
                "APPLE_FIRST_NAME": "firstName", "APPLE_LAST_NAME": "lastName", "APPLE_NAME": "name",
                "FACEBOOK_BIRTHDAY": "birthday", "FACEBOOK_EMAIL": "email", "FACEBOOK_FIRST_NAME": "first_name",
                "FACEBOOK_GENDER": "gender", "FACEBOOK_ID": "id", "FACEBOOK_LAST_NAME": "last_name",
                "FACEBOOK_LOCALE": "locale", "FACEBOOK_MIDDLE_NAME": "middle_name", "FACEBOOK_NAME": "name",
                "GOOGLE_BIRTHDAYS": "birthdays", "GOOGLE_EMAIL": "email", "GOOGLE_EMAIL_VERIFIED": "email_verified",
                "GOOGLE_FAMILY_NAME": "family_name", "GOOGLE_GENDER": "gender", "GOOGLE_GIVEN_NAME": "given_name",
                "GOOGLE_NAME": "name", "GOOGLE_NAMES": "names", "GOOGLE_PHONE_NUMBERS": "phoneNumbers",
                "GOOGLE_PICTURE": "picture",
            ]),
        Table(
            module: "aws-cognito", kind: "OAuthScope", property: "scopeName",
            texts: [
                "PHONE": "phone", "EMAIL": "email", "OPENID": "openid", "PROFILE": "profile",
                "COGNITO_ADMIN": "aws.cognito.signin.user.admin",
            ]),
        Table(
            module: "aws-cognito", kind: "UserPoolClientIdentityProvider", property: "name",
            texts: [
                "APPLE": "SignInWithApple", "FACEBOOK": "Facebook", "GOOGLE": "Google", "AMAZON": "LoginWithAmazon",
                "COGNITO": "COGNITO",
            ]),
        Table(
            module: "aws-lambda", kind: "Architecture", property: "name",
            texts: ["ARM_64": "arm64", "X86_64": "x86_64"]
        ),
    ]

    /// The text of a member of `Kind.CONSTANT` or `Kind.other('text')`; nil: it is none of these.
    static func text(_ property: String, of object: OpaqueObject) -> String? {
        for table in tables where property == table.property && isOf(object, table.module) {
            switch object.making {
            case .member(let kind, let name):
                if let text = table.texts[name], isNamed(kind, table.kind) { return text }
            case .call(let given):
                guard case .text(let text)? = given.first,
                    case .member(let kind, let method)? = object.function?.making, makers.contains(method),
                    isNamed(kind, table.kind)
                else { continue }
                return text.string
            default: continue
            }
        }
        return nil
    }

    private static let makers: Set<String> = ["other", "custom"]

    private static func isNamed(_ object: OpaqueObject, _ kind: String) -> Bool {
        object.origin.split(separator: ".").last.map { String($0) == kind } ?? false
    }

    private static func isOf(_ object: OpaqueObject, _ module: String) -> Bool {
        object.module?.address.split(separator: "/").last.map { String($0) == module } ?? false
    }
}
