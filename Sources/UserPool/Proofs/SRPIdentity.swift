/// The one who proves to know a password: its names go into every hash.
package struct SRPIdentity: Sendable {
    let bytes: [UInt8]

    /// A user: by the part of the pool's id behind the `_`, and the name that `USER_ID_FOR_SRP` says.
    package init(poolName: String, userID: String) {
        bytes = Array(poolName.utf8) + userID.utf8
    }

    /// A device that a user let be remembered.
    package init(deviceGroupKey: String, deviceKey: String) {
        self.init(poolName: deviceGroupKey, userID: deviceKey)
    }
}
