import Blueprint
import JSON

/// The actions of Cognito that `allow.resource(fn).to([...])` in `defineAuth` stands for.
enum AccessActions {
    /// What a name of the list gives; nothing where there is no such name.
    static func actions(of name: String) -> [String] { (all[name] ?? []).map { "cognito-idp:\($0)" } }

    private static let all: [ByteText: [String]] = [
        "manageUsers": [
            "AdminConfirmSignUp", "AdminCreateUser", "AdminDeleteUser", "AdminDeleteUserAttributes", "AdminDisableUser",
            "AdminEnableUser", "AdminGetUser", "AdminListGroupsForUser", "AdminRespondToAuthChallenge",
            "AdminSetUserMFAPreference", "AdminSetUserSettings", "AdminUpdateUserAttributes",
            "AdminUserGlobalSignOut", "ListUsers",
        ],
        "manageGroupMembership": ["AdminAddUserToGroup", "AdminRemoveUserFromGroup"],
        "manageGroups": ["GetGroup", "ListGroups", "CreateGroup", "DeleteGroup", "UpdateGroup"],
        "manageUserDevices": [
            "AdminForgetDevice", "AdminGetDevice", "AdminListDevices", "AdminUpdateDeviceStatus",
        ],
        "managePasswordRecovery": ["AdminResetUserPassword", "AdminSetUserPassword"],
        "manageProviderForUser": ["AdminDisableProviderForUser", "AdminLinkProviderForUser"],
        "addUserToGroup": ["AdminAddUserToGroup"],
        "createGroup": ["CreateGroup"],
        "createUser": ["AdminCreateUser"],
        "deleteGroup": ["DeleteGroup"],
        "deleteUser": ["AdminDeleteUser"],
        "deleteUserAttributes": ["AdminDeleteUserAttributes"],
        "disableUser": ["AdminDisableUser"],
        "enableUser": ["AdminEnableUser"],
        "forgetDevice": ["AdminForgetDevice"],
        "getDevice": ["AdminGetDevice"],
        "getGroup": ["GetGroup"],
        "getUser": ["AdminGetUser"],
        "listUsers": ["ListUsers"],
        "listUsersInGroup": ["ListUsersInGroup"],
        "listGroups": ["ListGroups"],
        "listDevices": ["AdminListDevices"],
        "listGroupsForUser": ["AdminListGroupsForUser"],
        "removeUserFromGroup": ["AdminRemoveUserFromGroup"],
        "resetUserPassword": ["AdminResetUserPassword"],
        "setUserMfaPreference": ["AdminSetUserMFAPreference"],
        "setUserPassword": ["AdminSetUserPassword"],
        "setUserSettings": ["AdminSetUserSettings"],
        "updateDeviceStatus": ["AdminUpdateDeviceStatus"],
        "updateGroup": ["UpdateGroup"],
        "updateUserAttributes": ["AdminUpdateUserAttributes"],
    ]
}

extension AuthResource.AccessGrant {
    /// What it gives the role of its function.
    package var grants: FunctionGrants {
        FunctionGrants([
            FunctionGrants.Statement(
                actions.flatMap(AccessActions.actions), on: [.deployed("backend.auth.resources.userPool.userPoolArn")])
        ])
    }
}
