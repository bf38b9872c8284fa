import Blueprint
import GraphQL
import Project
import Script

/// Statements by which a project denies something to everybody, or to a role of the identity pool, and that nothing here asks for: a
/// project that has one is refused.
///
/// The services that ask the policies of these roles obey them; files and the API have rules of their own.
enum DeniedRights {
    /// The actions of a service whose rights come from rules alone, with what to write instead.
    private static let services = [
        (service: "s3", action: "s3:*", hint: "Use the rules of defineStorage for rights to files."),
        (service: "appsync", action: "appsync:GraphQL", hint: "Use the rules of the schema for rights to the API."),
    ]

    /// The reason why statements of a role's policy would not hold; nil: all of them do.
    static func error(of grants: FunctionGrants, for role: String, at position: Position) -> TypeScriptError? {
        for (service, action, hint) in services {
            for statement in grants.statements where mayDeny(statement, action, of: service) {
                return TypeScriptError(
                    "a policy denies \(statement.actions.first ?? action) to \(role), and that does not hold here",
                    at: position, hint: hint)
            }
        }
        return nil
    }

    private static func mayDeny(_ statement: FunctionGrants.Statement, _ action: String, of service: String) -> Bool {
        guard !statement.isAllowing else { return false }
        let name = Array(action.lowercased().utf8)
        let actions = statement.actions.map { Array($0.lowercased().utf8) }
        let isNamed = actions.contains { ActionName.haveCommon($0, name) }
        guard isNamed || statement.isForOtherActions || statement.hasUnreadActions else { return false }
        if statement.isForOtherResources || statement.hasUnreadResources { return true }
        return statement.resources.contains { resource in
            if case .deployed(let origin) = resource, origin.hasSuffix("Arn") {
                return service == "s3" && origin.hasSuffix("bucketArn")
            }
            guard case .text(let text) = resource else { return true }
            let parts = text.split(separator: ":", maxSplits: 5, omittingEmptySubsequences: false)
            guard parts.count == 6 else { return text.utf8.contains(UInt8(ascii: "*")) }
            guard ActionName.matches(String(parts[2]), service) else { return false }
            // The names of this project's resources are known only when it is deployed: one that is written is another's.
            let end = parts[5].utf8.prefix { $0 != UInt8(ascii: "/") }
            return service != "s3" || end.contains(UInt8(ascii: "*")) || end.contains(UInt8(ascii: "?"))
        }
    }

    /// The keys of conditions that hold for nobody here: the connection is judged elsewhere.
    private static let transportKeys = ["aws:SecureTransport", "s3:TlsVersion"]

    /// Returns whether a statement of a resource's policy denies nothing but connections without encryption.
    static func isAboutTransport(_ conditions: ScriptObject) -> Bool {
        guard !conditions.isOpaque, let operators = try? conditions.enumerableKeys(), !operators.isEmpty else {
            return false
        }
        return operators.allSatisfy { key in
            guard case .object(let tests)? = try? conditions.get(key), !tests.isOpaque,
                let names = try? tests.enumerableKeys()
            else { return false }
            return names.allSatisfy { name in transportKeys.contains(conditions.realm.describe(name)) }
        }
    }
}
