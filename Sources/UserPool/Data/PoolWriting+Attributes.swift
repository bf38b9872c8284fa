import JSON

extension PoolWriting {
    /// Sets attributes of a user; an empty value removes one. A changed address is not verified any more, unless it is said that it
    /// is, and the codes that went to the old one end.
    func set(_ attributes: JSONObject, of user: inout User, isByAdministrator: Bool) throws(PoolError) {
        for attribute in attributes {
            let value = attribute.value.string ?? ""
            if let fault = settings.attributes.fault(
                of: attribute.key, value, isByAdministrator: isByAdministrator, isNew: false)
            {
                throw fault
            }
            if value.isEmpty, let fault = faultOfRemoving(attribute.key) { throw fault }
        }
        let former = user
        for attribute in attributes {
            let value = attribute.value.string ?? ""
            if former.attributes[attribute.key]?.text != ByteText(value), isAddress(attribute.key) {
                user.attributes.remove("\(attribute.key)_verified")
                if !value.isEmpty { user.attributes.set("\(attribute.key)_verified", to: "false") }
                try endCodes(of: attribute.key, for: user)
            }
            if value.isEmpty {
                user.attributes.remove(attribute.key)
            } else {
                user.attributes.set(attribute.key, to: .string(value))
            }
        }
        // Last, so that it counts whichever came first in the request.
        for attribute in attributes where AttributeSchema.verifications.contains(attribute.key) {
            user.attributes.set(attribute.key, to: attribute.value)
        }
        try nameByAddresses(user, formerly: former, movesAlias: false)
    }

    /// Removes attributes of a user. Those that they do not have are none.
    func removeAttributes(_ names: [String], of user: inout User, isByAdministrator: Bool) throws(PoolError) {
        let former = user
        for name in names {
            if let fault = settings.attributes.faultOfRemoving(name, isByAdministrator: isByAdministrator) {
                throw fault
            }
            if let fault = faultOfRemoving(name) { throw fault }
            user.attributes.remove(name)
            try forgetWaiting(name, of: user)
            if isAddress(name) {
                user.attributes.remove("\(name)_verified")
                try endCodes(of: name, for: user)
            }
        }
        try nameByAddresses(user, formerly: former, movesAlias: false)
    }

    private func isAddress(_ attribute: String) -> Bool { attribute == "email" || attribute == "phone_number" }

    private func faultOfRemoving(_ name: String) -> PoolError? {
        guard settings.attributes.required.contains(name) else { return nil }
        return .invalidParameter("user.\(name): A required attribute cannot be removed.")
    }

    // MARK: Names

    /// Lets a user be meant by the addresses that they sign in by, and no longer by those that were. Somebody else who has one of
    /// them keeps it, unless it is to move.
    func nameByAddresses(_ user: User, formerly former: User?, movesAlias: Bool) throws(PoolError) {
        let names = addressNames(of: user)
        for old in former.map(addressNames) ?? [] where !names.contains(where: { $0 == old }) {
            try take(UserName(old.address, in: settings), old.attribute, from: user.number)
        }
        for new in names {
            let name = UserName(new.address, in: settings)
            if let holder = try session.user(named: name), holder.number != user.number {
                guard movesAlias, settings.aliases.contains(new.attribute) else {
                    throw PoolError(
                        "AliasExistsException", "An account with the given \(new.attribute) already exists.")
                }
                var other = holder
                other.attributes.set("\(new.attribute)_verified", to: "false")
                try save(other)
                try take(name, new.attribute, from: holder.number)
            }
            try give(name, new.attribute, to: user.number)
        }
    }

    struct AddressName: Equatable {
        let attribute: String
        let address: String

        static func == (one: AddressName, other: AddressName) -> Bool {
            ByteText(one.attribute) == ByteText(other.attribute) && ByteText(one.address) == ByteText(other.address)
        }
    }

    /// The addresses by which a user is meant: in a pool that names its users itself those that they sign up with, elsewhere the
    /// aliases that are verified.
    func addressNames(of user: User) -> [AddressName] {
        // What a provider says of addresses lets nobody sign in by them here.
        guard user.status != .external else { return [] }
        let signInNames: [(PoolSettings.SignInName, String)] = [(.email, "email"), (.phone, "phone_number")]
        let attributes =
            settings.namesUsersItself
            ? signInNames.filter { settings.signInNames.contains($0.0) }.map(\.1)
            : settings.aliases.sorted { $0 < $1 }.filter { !isAddress($0) || user.hasVerified($0) }
        return attributes.compactMap { attribute in
            guard let address = user.attribute(attribute), !address.isEmpty else { return nil }
            return AddressName(attribute: attribute, address: address)
        }
    }
}
