import Access
import JSON

/// The attributes that users of the pool have.
package struct AttributeSchema: Sendable, Equatable {
    /// An attribute of the app's own, `custom:…`.
    package struct Custom: Sendable, Equatable {
        package enum Kind: String, Sendable, CaseIterable {
            case text = "String"
            case number = "Number"
            case boolean = "Boolean"
            case time = "DateTime"
        }

        package var kind = Kind.text
        package var isMutable = true
        /// The length of a text, or the value of a number.
        package var range: ClosedRange<Int64>?

        package init() {}
    }

    /// Without `custom:`.
    package var custom: [ByteText: Custom] = [:]
    /// Those that everybody who signs up has to give.
    package var required: [String] = []
    /// Standard ones that are given at sign-up only.
    package var immutable: [String] = []
    /// True if `custom:…` that is not declared is taken too.
    package var allowsUndeclared = false

    package init() {}

    /// Those of OpenID Connect, as Cognito has them.
    package static let standard: Set<ByteText> = [
        "address", "birthdate", "email", "family_name", "gender", "given_name", "locale", "middle_name", "name",
        "nickname", "phone_number", "picture", "preferred_username", "profile", "updated_at", "website", "zoneinfo",
    ]

    /// Those that only the pool and its administrators set.
    package static let verifications: Set<ByteText> = ["email_verified", "phone_number_verified"]

    package static let valueBytesMax = 2_048

    /// A value as it is kept: Python writes `True` for a verification.
    static func known(_ name: String, _ value: String) -> String {
        guard verifications.contains(name) else { return value }
        let lowered = value.inLowerCaseASCII
        return lowered == "true" || lowered == "false" ? lowered : value
    }

    /// Why an attribute may not have a value; nil where it may. `isByAdministrator` lets verifications through, and
    /// `isNew` what may be given once.
    func fault(of name: String, _ value: String, isByAdministrator: Bool, isNew: Bool) -> PoolError? {
        if Self.verifications.contains(name), isByAdministrator {
            return value == "true" || value == "false"
                ? nil : .invalidParameter("Attribute value for \(name) must be true or false.")
        }
        if Self.standard.contains(name) {
            guard isNew || !immutable.contains(name) else { return Self.unchangeable(name) }
            return Self.fault(ofStandard: name, value)
        }
        guard name.hasPrefix("custom:") else {
            return name == "sub" || name == "identities" || name.hasPrefix("cognito:") || name.hasPrefix("dev:")
                || Self.verifications.contains(name)
                ? .notAuthorized("A client attempted to write unauthorized attribute")
                : .invalidParameter("user.\(name): Attribute does not exist in the schema.")
        }
        guard let definition = definition(of: name) else {
            return allowsUndeclared ? nil : .invalidParameter("user.\(name): Attribute does not exist in the schema.")
        }
        guard isNew || definition.isMutable || isByAdministrator else { return Self.unchangeable(name) }
        return definition.admits(value)
            ? nil : .invalidParameter("Attributes did not conform to the schema: \(name): Attribute value is not valid")
    }

    /// Why an attribute may not be taken from a user; nil where it may. What is given once is no user's to take away.
    func faultOfRemoving(_ name: String, isByAdministrator: Bool) -> PoolError? {
        if Self.verifications.contains(name) { return nil }
        if Self.standard.contains(name) {
            return immutable.contains(name) && !isByAdministrator ? Self.unchangeable(name) : nil
        }
        guard name.hasPrefix("custom:") else {
            return .invalidParameter("user.\(name): Attribute does not exist in the schema.")
        }
        guard let definition = definition(of: name) else {
            return allowsUndeclared ? nil : .invalidParameter("user.\(name): Attribute does not exist in the schema.")
        }
        return definition.isMutable || isByAdministrator ? nil : Self.unchangeable(name)
    }

    /// Returns whether a provider may say what it is.
    package func canBeMapped(_ name: String) -> Bool {
        guard name.hasPrefix("custom:") else {
            return Self.standard.contains(name) || Self.verifications.contains(name)
        }
        return allowsUndeclared || definition(of: name) != nil
    }

    /// What is said of an attribute of the app's own, by its whole name.
    private func definition(of name: String) -> Custom? {
        custom[ByteText(Substring(name.utf8.dropFirst("custom:".utf8.count)))]
    }

    private static func unchangeable(_ name: String) -> PoolError {
        .invalidParameter("user.\(name): Attribute cannot be updated.")
    }

    private static func fault(ofStandard name: String, _ value: String) -> PoolError? {
        switch name {
        case "email" where !value.isEmpty && !ContactAddress.isEmail(value):
            .invalidParameter("Invalid email address format.")
        case "phone_number" where !value.isEmpty && !ContactAddress.isPhone(value):
            .invalidParameter("Invalid phone number format.")
        case "birthdate" where !value.isEmpty && value.utf8.count != 10:
            .invalidParameter(
                "Attributes did not conform to the schema: birthdate: String must be no longer than 10 characters")
        default: nil
        }
    }

    /// The first attribute that everybody must have and that is missing.
    func missing(in attributes: JSONObject) -> String? {
        required.first { name in (attributes[name]?.string ?? "").isEmpty }
    }
}

extension AttributeSchema.Custom {
    fileprivate func admits(_ value: String) -> Bool {
        switch kind {
        case .text:
            return range.map { $0.contains(Int64(value.unicodeScalars.count)) } ?? true
        case .number:
            guard let number = Int64(value) else { return false }
            return range.map { $0.contains(number) } ?? true
        case .boolean: return value == "true" || value == "false"
        case .time: return !value.isEmpty
        }
    }
}
