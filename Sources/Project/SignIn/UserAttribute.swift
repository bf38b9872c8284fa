import Blueprint

extension AuthResource {
    /// Something that is kept of each user.
    package struct UserAttribute: Sendable, Equatable {
        package enum Kind: Sendable, Equatable {
            /// One of those that every pool has, by Cognito's name: `given_name`.
            case standard
            case text(minLength: Int?, maxLength: Int?)
            case number(min: Double?, max: Double?)
            case boolean
            case dateTime
        }

        /// Cognito's name: `given_name`, or `custom:plan`.
        package let name: String
        package let kind: Kind
        package let isRequired: Bool
        package let isMutable: Bool

        package init(_ name: String, _ kind: Kind = .standard, isRequired: Bool = false, isMutable: Bool = true) {
            self.name = name
            self.kind = kind
            self.isRequired = isRequired
            self.isMutable = isMutable
        }

        /// Before the names of the app's own.
        package static let ownPrefix = "custom:"

        /// The attributes that every pool has: as `defineAuth` calls them, and as Cognito does.
        package static let standardNames: [(written: String, name: String)] = [
            ("address", "address"), ("birthdate", "birthdate"), ("email", "email"), ("familyName", "family_name"),
            ("fullname", "name"), ("gender", "gender"), ("givenName", "given_name"), ("lastUpdateTime", "updated_at"),
            ("locale", "locale"), ("middleName", "middle_name"), ("nickname", "nickname"),
            ("phoneNumber", "phone_number"), ("preferredUsername", "preferred_username"), ("profilePage", "profile"),
            ("profilePicture", "picture"), ("timezone", "zoneinfo"), ("website", "website"),
        ]
    }
}
