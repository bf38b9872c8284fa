import Crypto
import JSON
import Store

/// A device that a user has let be known: it proves by a secret of its own to be the same the next time.
struct Device: Sendable {
    let key: String
    let user: Int64
    let name: String
    let salt: [UInt8]
    let verifier: [UInt8]
    var isRemembered: Bool
    /// In milliseconds since 1970.
    let created: Int64
    let modified: Int64
    let authenticated: Int64
    /// Where it was used last.
    let address: String

    static let byKey = RoomStatement(
        """
        SELECT key, user, name, salt, verifier, isRemembered, created, modified, authenticated, address
        FROM _homeport_devices WHERE key = ? AND user = ?
        """)
    static let ofUser = RoomStatement(
        """
        SELECT key, user, name, salt, verifier, isRemembered, created, modified, authenticated, address
        FROM _homeport_devices WHERE user = ? AND key > ? ORDER BY key LIMIT ?
        """)
    fileprivate static let insertion = RoomStatement(
        """
        INSERT INTO _homeport_devices
            (key, user, name, salt, verifier, isRemembered, created, modified, authenticated, address)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (key) DO NOTHING
        """)
    /// Those of a user beyond the limit, the one that was used longest ago first.
    fileprivate static let sweep = RoomStatement(
        """
        DELETE FROM _homeport_devices WHERE user = ?1 AND key IN (
            SELECT key FROM _homeport_devices WHERE user = ?1 ORDER BY authenticated DESC, key LIMIT ?3 OFFSET ?2)
        """)
    fileprivate static let remembering = RoomStatement(
        "UPDATE _homeport_devices SET isRemembered = ?, modified = ? WHERE key = ? AND user = ?")
    fileprivate static let authentication = RoomStatement(
        "UPDATE _homeport_devices SET authenticated = ?, address = ? WHERE key = ? AND user = ?")
    fileprivate static let removal = RoomStatement("DELETE FROM _homeport_devices WHERE key = ? AND user = ?")

    init(_ row: borrowing Row) {
        key = row.text(0)
        user = row.integer(1)
        name = row.text(2)
        salt = row.blob(3)
        verifier = row.blob(4)
        isRemembered = row.boolean(5)
        created = row.integer(6)
        modified = row.integer(7)
        authenticated = row.integer(8)
        address = row.text(9)
    }

    init(
        key: String, of user: User, name: String, verifier: SRPVerifier, isRemembered: Bool, now: Int64, address: String
    ) {
        self.key = key
        self.user = user.number
        self.name = name
        salt = verifier.salt
        self.verifier = verifier.number
        self.isRemembered = isRemembered
        created = now
        modified = now
        authenticated = now
        self.address = address
    }

    /// As the service tells of it.
    var record: JSONValue {
        func attribute(_ name: String, _ value: String) -> JSONValue {
            .object(JSONObject([("Name", .string(name)), ("Value", .string(value))]))
        }
        var attributes = [attribute("device_status", "valid")]
        if !name.isEmpty { attributes.append(attribute("device_name", name)) }
        attributes += [
            attribute("dev:device_remembered_status", isRemembered ? "remembered" : "not_remembered"),
            attribute("last_ip_used", address),
        ]
        return .object(
            JSONObject([
                ("DeviceAttributes", .array(attributes)), ("DeviceCreateDate", .integer(created / 1_000)),
                ("DeviceKey", .string(key)), ("DeviceLastAuthenticatedDate", .integer(authenticated / 1_000)),
                ("DeviceLastModifiedDate", .integer(modified / 1_000)),
            ]))
    }
}

extension RoomReading {
    /// The device of a user with that key.
    func device(_ key: String, of user: User) throws(PoolError) -> Device? {
        var found: Device?
        try rows(Device.byKey, [.text(key), .integer(user.number)]) { row throws(PoolError) in
            found = Device(row)
            return false
        }
        return found
    }

    /// So many devices of a user, by their keys, behind one of them.
    func devices(of user: User, after key: String, limit: Int) throws(PoolError) -> [Device] {
        var devices: [Device] = []
        try rows(Device.ofUser, [.integer(user.number), .text(key), .integer(Int64(limit))]) {
            row throws(PoolError) in
            devices.append(Device(row))
            return true
        }
        return devices
    }
}

extension PoolWriting {
    /// Puts a device in. False where its key is taken.
    func create(_ device: Device) throws(PoolError) -> Bool {
        let isNew =
            try change(
                Device.insertion,
                [
                    .text(device.key), .integer(device.user), .text(device.name), .blob(device.salt),
                    .blob(device.verifier), .boolean(device.isRemembered), .integer(device.created),
                    .integer(device.modified), .integer(device.authenticated), .text(device.address),
                ]) > 0
        try change(
            Device.sweep,
            [
                .integer(device.user), .integer(PoolLimits.devicesPerUserMax), .integer(PoolLimits.devicesPerUserMax),
            ])
        return isNew
    }

    /// Says whether a device is remembered; throws where the user has none of that key.
    func remember(_ isRemembered: Bool, _ key: String, of user: User) throws(PoolError) {
        let count = try change(
            Device.remembering, [.boolean(isRemembered), .integer(now), .text(key), .integer(user.number)])
        guard count > 0 else { throw .unknownDevice }
    }

    /// Says that a device was used.
    func note(_ key: String, of user: User, from address: String) throws(PoolError) {
        try change(Device.authentication, [.integer(now), .text(address), .text(key), .integer(user.number)])
    }

    /// Forgets a device; throws where the user has none of that key.
    func forget(_ key: String, of user: User) throws(PoolError) {
        guard try change(Device.removal, [.text(key), .integer(user.number)]) > 0 else { throw .unknownDevice }
        try change(SignInRecord.forgettingDevice, [.text(key), .integer(user.number)])
    }

    /// Says that the tokens of a sign-in are a device's.
    func bind(_ signIn: SignInRecord, to key: String) throws(PoolError) {
        try change(SignInRecord.binding, [.text(key), .text(signIn.id)])
    }
}
