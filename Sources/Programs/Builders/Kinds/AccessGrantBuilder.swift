import Blueprint
import Project

/// `allow.resource(fn)` in the `access` of `defineAuth`, or the grant that `.to([...])` makes of it.
final class AccessGrantBuilder: Builder {
    let function: FunctionReference
    /// What `.to` was given; nil: it was not called.
    private let given: BuilderArguments?

    init(_ function: FunctionReference, _ given: BuilderArguments? = nil) {
        self.function = function
        self.given = given
    }

    /// What the function may do, read when the grant is; nil: it does not say.
    func actions() throws(TypeScriptError) -> [PlacedText]? { try given?.texts(0) }

    override var label: String { "allow.resource(...)" }
    override var surface: BuilderSurface { given == nil ? Self.function : .none }

    private static let function = BuilderSurface([
        .maker("to") { (grant: AccessGrantBuilder, arguments) throws(TypeScriptError) in
            AccessGrantBuilder(grant.function, arguments)
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
