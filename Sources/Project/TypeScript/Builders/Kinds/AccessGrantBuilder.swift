import Blueprint

/// `allow.resource(fn)` in the `access` of `defineAuth`, with what `.to([...])` lets the function do.
final class AccessGrantBuilder: Builder {
    let function: FunctionReference
    var actions: [PlacedText]?

    init(_ function: FunctionReference) {
        self.function = function
    }

    override var label: String { "allow.resource(...)" }
    override var surface: BuilderSurface { Self.all }

    private static let all = BuilderSurface([
        .modifier("to") { (grant: AccessGrantBuilder, arguments) throws(TypeScriptError) in
            grant.actions = try arguments.texts(0)
        }
    ])

    /// All that a function may be let to do, several things at once first.
    static let actionNames = [
        "manageUsers", "manageGroups", "manageGroupMembership", "manageUserDevices", "managePasswordRecovery",
        "manageProviderForUser", "addUserToGroup", "createGroup", "createUser", "deleteGroup", "deleteUser",
        "deleteUserAttributes", "disableUser", "enableUser", "forgetDevice", "getDevice", "getGroup", "getUser",
        "listUsers", "listUsersInGroup", "listGroups", "listDevices", "listGroupsForUser", "removeUserFromGroup",
        "resetUserPassword", "setUserMfaPreference", "setUserPassword", "setUserSettings", "updateDeviceStatus",
        "updateGroup", "updateUserAttributes",
    ]
}
