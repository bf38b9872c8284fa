import Blueprint
import JSON

/// A place for files of a Gen 1 project, as `amplify add storage` keeps it in `amplify/backend/storage/NAME/cli-inputs.json`, or
/// until 2021 in `parameters.json` and `storage-params.json`.
package struct Version1Storage: Sendable, Equatable {
    /// A permission that was chosen there.
    package enum Permission: String, Sendable, CaseIterable {
        case create = "CREATE_AND_UPDATE"
        case read = "READ"
        case delete = "DELETE"
    }

    package let name: String
    /// Without the name of the environment, which Amplify puts behind it.
    package let bucketName: String
    package let users: [Permission]
    package let guests: [Permission]
    package let groups: [(name: String, permissions: [Permission])]
    /// The function that is called when a file has come or gone.
    package let trigger: String?

    /// A bucket that is elsewhere: what may be done there is known to it alone, so the local one is for whoever has signed in.
    package init(elsewhere name: String) {
        self.name = name
        bucketName = name
        users = Permission.allCases
        guests = []
        groups = []
        trigger = nil
    }

    /// Nil where the file is that of a table, or of no form that is known.
    package init?(_ file: JSONValue) {
        guard let name = file["resourceName"]?.string, let bucket = file["bucketName"]?.string else { return nil }
        self.name = name
        bucketName = bucket
        users = Self.permissions(file["authAccess"])
        // What is left of another choice does not count.
        guests = file["storageAccess"]?.string == "authAndGuest" ? Self.permissions(file["guestAccess"]) : []
        groups = (file["groupAccess"]?.object?.members ?? []).map { ($0.key, Self.permissions($0.value)) }
        let trigger = file["triggerFunction"]?.string
        self.trigger = trigger == "NONE" || trigger == "" ? nil : trigger
    }

    /// That of a project of the first years, whose template is given what each of the policies lets.
    ///
    /// - Parameters:
    ///   - parameters: `parameters.json`
    ///   - others: `storage-params.json`, which has the groups
    /// Nil where the file is that of a table, or of no form that is known.
    package init?(_ name: String, parameters: JSONValue, others: JSONValue?) {
        guard let bucket = parameters["bucketName"]?.string else { return nil }
        self.name = name
        bucketName = bucket
        users = Self.permissions(
            policy: parameters["s3PermissionsAuthenticatedPublic"], parameters["selectedAuthenticatedPermissions"])
        guests = Self.permissions(policy: parameters["s3PermissionsGuestPublic"], nil)
        groups = (others?["groupPermissionMap"]?.object?.members ?? []).map {
            ($0.key, Self.permissions(policy: nil, $0.value))
        }
        let trigger = parameters["triggerFunction"]?.string
        self.trigger = trigger == "NONE" || trigger == "" ? nil : trigger
    }

    private static let actions: [(permission: Permission, name: String)] = [
        (.create, "s3:PutObject"), (.read, "s3:GetObject"), (.delete, "s3:DeleteObject"),
    ]

    /// What a text with commas lets, `s3:PutObject,s3:GetObject`, or a list where there is none. `DISALLOW` lets nothing.
    private static func permissions(policy: JSONValue?, _ list: JSONValue?) -> [Permission] {
        let names =
            policy?.string.map { $0.split(separator: ",").map(String.init) }
            ?? (list?.array ?? []).compactMap(\.string)
        return actions.filter { names.contains($0.name) }.map(\.permission)
    }

    private static func permissions(_ value: JSONValue?) -> [Permission] {
        (value?.array ?? []).compactMap { $0.string.flatMap(Permission.init) }
    }

    package static func == (left: Version1Storage, right: Version1Storage) -> Bool {
        left.name == right.name && left.bucketName == right.bucketName && left.users == right.users
            && left.guests == right.guests && left.trigger == right.trigger
            && left.groups.elementsEqual(right.groups) { $0.name == $1.name && $0.permissions == $1.permissions }
    }
}
