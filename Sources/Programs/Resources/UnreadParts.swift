import Blueprint
import GraphQL
import Project
import Script

/// Parts of the CDK that a program uses and that nothing here follows: a part that says who may do what refuses the project, and any other
/// is reported.
enum UnreadParts {
    // MARK: Properties

    /// The properties that say who may do what, of whatever resource, in small letters.
    private static let propertiesOfRights: Set<String> = [
        "policydocument", "policies", "policy", "permissionsboundary", "managedpolicyarns", "assumerolepolicydocument",
        "resourcepolicy", "accesspolicies", "rolemappings", "authorizationtype", "authorizationscopes", "authorizerid",
        "authorizer", "apikeyrequired", "authtype", "eventconfig", "body", "security",
    ]

    /// Returns whether a property, or what it is a part of, says who may do what.
    static func saysRights(_ origin: String, _ name: String) -> Bool {
        "\(origin).\(name)".lowercased().split { !$0.isLetter }.contains { propertiesOfRights.contains(String($0)) }
    }

    static func error(_ origin: String, _ name: String, at position: Position) -> TypeScriptError {
        TypeScriptError(
            "`\(origin).\(name)` says who may do what, and does not hold here: nothing reads it", at: position,
            hint: "Leave it out for a server of your own, or say it where the resource is made.")
    }

    // MARK: Methods

    /// The methods of constructs that say something, by their names, each with the reason why it does not hold.
    private static let methods: [String: String] = [
        "addLifecycleRule": "files stay until somebody deletes them",
        "addCorsRule": "the keys cors of the configuration say which pages may call",
        "grantPublicAccess": "nothing is public but by rules of defineStorage",
        "enableEventBridgeNotification": "use addEventNotification, or triggers of defineStorage",
        "configureAsyncInvoke": "how often a failed call is tried again is the same for all functions",
        "addLayers": "use layers of defineFunction",
        "addAlias": "functions have no versions here, and keys take every name",
        "addClient": "use auth.pool.clients of the configuration",
        "addDomain": "the sign-in pages have the address of the server",
        "addResourceServer": "the pool has Cognito's own scopes alone",
        "registerIdentityProvider": "use externalProviders of defineAuth",
        "addUsagePlan": "calls of paths are not counted",
        "addApiKey": "paths that need a key are closed",
        "addRequestValidator": "requests reach functions as they are",
        "withoutPolicyUpdates": "the role gets what its function is given",
        "tryRemoveChild": "nothing that a project makes is taken away again",
        "addGroup": "use groups of defineAuth",
        "createResolver": "use a.handler.custom() of the schema",
        "archive": "nothing keeps events that were passed on",
        "addGatewayResponse": "refusals have the form of API Gateway's own",
        "addStage": "paths have one stage",
        "addDomainName": "paths have the address of the server",
        "addInventory": "nothing writes lists of files",
        "addReplicationPolicy": "files are in one place",
        "addReplica": "tables are in one place",
        "addRotationSchedule": "secrets change when somebody changes them",
        "onCloudTrailEvent": notTrailed,
        "onCloudTrailPutObject": notTrailed,
        "onCloudTrailWriteObject": notTrailed,
    ]

    private static let notTrailed = "use addEventNotification, or triggers of defineStorage"

    static func warning(of function: OpaqueObject) -> String? {
        guard case .member(let owner, let method) = function.making, !owner.isExtended else { return nil }
        if method == "apply", owner.origin.hasSuffix("PermissionsBoundary.of()") {
            return "`\(owner.origin).apply()` does not hold here: rights are those of the policies"
        }
        return methods[method].map { "`\(owner.origin).\(method)()` does not hold here: \($0)" }
    }

    /// Returns whether a call bounds the rights of a role of the identity pool.
    static func boundsIdentities(_ function: OpaqueObject) -> Bool {
        guard case .member(let bounds, "apply") = function.making, case .call(let scopes) = bounds.making,
            bounds.origin.hasSuffix("PermissionsBoundary.of()")
        else { return false }
        return scopes.first?.opaque.map { scope in
            scope.origin == "role" || scope.origin.contains(bytesOf: "backend.auth")
        } ?? false
    }

    // MARK: Policies

    private static let policies = [
        "CfnPolicy", "CfnManagedPolicy", "CfnRolePolicy", "CfnUserPolicy", "CfnGroupPolicy", "CfnBucketPolicy",
        "CfnQueuePolicy", "CfnQueueInlinePolicy", "CfnTopicPolicy", "CfnTopicInlinePolicy", "CfnEventBusPolicy",
        "CfnResourcePolicy", "BucketPolicy", "QueuePolicy", "TopicPolicy",
    ]
    private static let depthMax = 12
    private static let valuesMax = 2_000

    /// Returns whether `new X(...)` makes a policy that denies something and that nothing here reads.
    static func denies(_ construct: NewConstruct) -> Bool {
        !construct.module.isEmpty && policies.contains(construct.name) && deny(in: construct.arguments)
    }

    /// Returns whether a call adds to the document of such a policy a statement that denies something.
    static func denies(call function: OpaqueObject, _ arguments: [ProgramValue]) -> Bool {
        guard case .member(let document, "addStatements") = function.making,
            case .member(let policy, "document") = document.making
        else { return false }
        return policies.contains { policy.origin.hasSuffix("\($0)()") } && deny(in: arguments)
    }

    static func deny(in values: [ProgramValue]) -> Bool {
        var left = valuesMax
        return values.contains { deny(in: $0, depthMax, &left) }
    }

    private static func deny(in value: ProgramValue, _ depth: Int, _ left: inout Int) -> Bool {
        left -= 1
        guard depth > 0, left > 0, case .object(let object) = value else { return false }
        if let opaque = object as? OpaqueObject {
            guard case .call(let arguments) = opaque.making else { return false }
            return arguments.contains { deny(in: $0, depth - 1, &left) }
        }
        for name in ["effect", "Effect"] {
            guard isDenial(try? object.get(name)) else { continue }
            return !["conditions", "condition", "Condition"].contains { name in
                guard case .object(let conditions)? = try? object.get(name) else { return false }
                return DeniedRights.isAboutTransport(conditions)
            }
        }
        return ((try? object.enumerableKeys()) ?? []).contains { key in
            (try? object.get(key)).map { deny(in: $0, depth - 1, &left) } ?? false
        }
    }

    private static func isDenial(_ effect: ProgramValue?) -> Bool {
        switch effect {
        case .text(let text)?: text.string == "Deny"
        case .object(let effect as OpaqueObject)?: effect.origin.hasSuffix(".DENY")
        default: false
        }
    }

    // MARK: Functions that visit constructs

    /// The words by which a function changes rights of whatever construct it is shown.
    private static let words =
        RightsWords.ofResources + [
            "mfaConfiguration", "adminCreateUserConfig", "allowUnauthenticatedIdentities", "explicitAuthFlows",
            "writeAttributes", "readAttributes", "authorizationType", "authType", "permissionsBoundary",
            "policyDocument",
            "managedPolicyArns", "passwordPolicy",
        ]

    /// The word of a function's text by which it changes rights; nil: there is none.
    static func word(of function: ProgramValue) -> String? {
        guard case .object(let object) = function, let script = object as? ScriptFunction else { return nil }
        let text = String(decoding: script.sourceText, as: UTF16.self)
        return words.first { text.contains(bytesOf: $0) }
    }
}
