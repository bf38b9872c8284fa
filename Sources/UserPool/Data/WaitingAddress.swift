import JSON
import Store

/// A new address of a user's that does not hold yet: the old one does until a code that went to the new one comes back.
///
///     UpdateUserAttributes ─▶ waits beside the user ─┬─ VerifyUserAttribute with its code ─▶ the user's address, verified
///                                                   └─ another update ─▶ that one waits in its place
enum WaitingAddress {
    fileprivate static let selection = RoomStatement(
        "SELECT address FROM _homeport_waiting_addresses WHERE user = ? AND attribute = ?")
    fileprivate static let assignment = RoomStatement(
        """
        INSERT INTO _homeport_waiting_addresses (user, attribute, address) VALUES (?1, ?2, ?3)
        ON CONFLICT (user, attribute) DO UPDATE SET address = ?3
        """)
    fileprivate static let removal = RoomStatement(
        "DELETE FROM _homeport_waiting_addresses WHERE user = ? AND attribute = ?")
}

extension RoomReading {
    /// The address that waits to become a user's; nil: none does.
    func waitingAddress(_ attribute: String, of user: Int64) throws(PoolError) -> String? {
        var address: String?
        try rows(WaitingAddress.selection, [.integer(user), .text(attribute)]) { row throws(PoolError) in
            address = row.text(0)
            return false
        }
        return address
    }
}

extension PoolWriting {
    /// Takes out of new attributes the addresses that have to be proved before they hold, lets them wait, and says which they are. Those
    /// that are said to be verified do not wait: only administrators say so.
    func letWait(_ attributes: inout JSONObject, of user: User) throws(PoolError) -> [CodeDelivery] {
        var waiting: [CodeDelivery] = []
        for name in settings.addressesProvedFirst {
            guard let address = attributes[name]?.string else { continue }
            try forgetWaiting(name, of: user)
            let isSame = user.attributes[name]?.text == ByteText(address)
            guard !address.isEmpty, !isSame, attributes["\(name)_verified"]?.string != "true" else { continue }
            if let fault = settings.attributes.fault(of: name, address, isByAdministrator: false, isNew: false) {
                throw fault
            }
            try demandFree(address, name, for: user)
            attributes.remove(name)
            try change(WaitingAddress.assignment, [.integer(user.number), .text(name), .text(address)])
            waiting.append(CodeDelivery(name, address))
        }
        return waiting
    }

    /// Throws where an address is the name of somebody else, by which they sign in.
    private func demandFree(_ address: String, _ attribute: String, for user: User) throws(PoolError) {
        var changed = user
        changed.attributes.set(attribute, to: .string(address))
        changed.attributes.set("\(attribute)_verified", to: "true")
        guard addressNames(of: changed).contains(where: { ByteText($0.attribute) == ByteText(attribute) }),
            let holder = try session.user(named: UserName(address, in: settings)), holder.number != user.number
        else { return }
        throw PoolError("AliasExistsException", "An account with the given \(attribute) already exists.")
    }

    /// An address that waits, and the code that went to it, are no good any more.
    func forgetWaiting(_ attribute: String, of user: User) throws(PoolError) {
        guard try change(WaitingAddress.removal, [.integer(user.number), .text(attribute)]) > 0 else { return }
        try endCodes(.attribute(attribute), for: user)
    }

    /// Says that a code came back which went to an address. True: it is the one that waited, and is the user's now.
    func takeWaiting(_ attribute: String, _ address: String, of user: inout User) throws(PoolError) -> Bool {
        guard let waiting = try session.waitingAddress(attribute, of: user.number),
            ByteText(waiting) == ByteText(address)
        else { return false }
        let former = user
        try forgetWaiting(attribute, of: user)
        // What went to the old address lets nobody in any more.
        try endCodes(of: attribute, for: user)
        user.attributes.set(attribute, to: .string(address))
        user.attributes.set("\(attribute)_verified", to: "true")
        try nameByAddresses(user, formerly: former, movesAlias: false)
        return true
    }
}
