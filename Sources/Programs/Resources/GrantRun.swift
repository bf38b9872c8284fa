import Blueprint
import GraphQL
import Project
import Script

/// What a run of a project's programs finds out about the rights of functions and data sources: what `grant...` methods, policies and statements give
/// to their roles.
///
/// It is put down as the program runs, and read when it has come to its end: a policy may be attached before all is in it.
final class GrantRun {
    /// Something that was given to whom a program names.
    enum Given {
        /// A statement, or a policy with several.
        case policy(ScriptObject)
        case managed(ProgramValue)
        /// `resource.grant...(fn, ...)`
        case grant(OpaqueObject, String, [ProgramValue])
        /// Nothing here can tell what.
        case unread(String)
    }

    private var given: [(grantee: ScriptObject, what: Given)] = []
    /// What is added to policies and statements after they were made.
    private var additions: [(to: ScriptObject, method: String, values: [ProgramValue])] = []
    /// What stands for a function beside what `defineBackend` gives: what its callback makes.
    private var constructs: [(object: ScriptObject, place: Int)] = []
    /// What stands for data sources and their roles, by the names of the data sources.
    private var sources: [(object: ScriptObject, name: String)] = []
    /// The roles that are read.
    private var roles: [ScriptObject] = []
    /// The statements of policies of resources: `bucket.addToResourcePolicy(statement)`.
    private var resourcePolicies: [(resource: OpaqueObject, statement: ScriptObject, position: Position)] = []
    /// The policies that the roles of the pool's identities were given, with their places.
    private var identityPlaces: [(role: IdentityRoleGrants.Role, policy: ScriptObject, position: Position)] = []
    /// The rights that methods such as `bucket.grantRead` gave these roles, with their places.
    private var grantPlaces: [(role: IdentityRoleGrants.Role, grant: Given, position: Position)] = []
    /// The roles of the pool's identities.
    private var identities: [(object: ScriptObject, role: IdentityRoleGrants.Role)] = []
    private static let countMax = 10_000
    private static let depthMax = 16

    func forgetObjects() {
        (given, additions, constructs, roles, identities, sources) = ([], [], [], [], [], [])
        (resourcePolicies, identityPlaces, grantPlaces) = ([], [], [])
    }

    /// Notes the object by which the program names a role of the identity pool.
    func knows(_ object: OpaqueObject, of role: IdentityRoleGrants.Role) {
        if identities.count < Self.countMax { identities.append((object, role)) }
    }

    /// `role.addToPrincipalPolicy(statement)` and the like, of such a role.
    func give(_ policy: ProgramValue, to role: IdentityRoleGrants.Role) {
        guard given.count < Self.countMax, case .object(let policy) = policy,
            let known = identities.first(where: { $0.role == role })
        else { return }
        given.append((known.object, .policy(policy)))
        if let run = policy.realm.host as? ProgramRun {
            identityPlaces.append((role, policy, run.files.position(policy.realm.callPlace)))
        }
    }

    /// What a callback of `defineFunction` makes: by that it gives rights to its function, at once with `initialPolicy`, and with a `role` that
    /// it makes itself.
    func knows(_ object: OpaqueObject, made kind: String, as place: Int) {
        constructs.append((object, place))
        guard case .call(let arguments) = object.making, arguments.count > 2,
            let options = arguments[2].plain
        else { return }
        let first = (try? options.get("initialPolicy")) ?? .undefined
        if case .object(let list) = first, !(list is ScriptArray) {
            given.append((object, .unread("`initialPolicy` of \(kind)")))
        }
        for value in first.elements {
            guard case .object(let statement) = value else { continue }
            given.append((object, .policy(statement)))
        }
        guard case .object(let role)? = try? options.get("role") else { return }
        constructs.append((role, place))
        guard !roles.contains(where: { $0 === role }) else { return }
        roles.append(role)
        read(role: role, of: kind)
    }

    /// Notes what stands for a data source, and its role: given as itself, or by `role.roleArn`.
    func knows(_ object: OpaqueObject, asSource name: String, inRole role: ProgramValue = .undefined) {
        guard sources.count < Self.countMax else { return }
        sources.append((object, name))
        switch role {
        case .undefined, .null: return
        case .object(let given):
            var role = given
            if case .member(let parent, "roleArn")? = (given as? OpaqueObject)?.making { role = parent }
            sources.append((role, name))
            guard !roles.contains(where: { $0 === role }) else { return }
            roles.append(role)
            read(role: role, of: "the data source \(name)")
        // The ARN of a role that the project does not make.
        default: given.append((object, .unread("the role of the data source \(name), which is made elsewhere")))
        }
    }

    /// `new Role(scope, id, { inlinePolicies, managedPolicies })`
    private func read(role: ScriptObject, of kind: String) {
        guard let opaque = role as? OpaqueObject, case .call(let arguments) = opaque.making,
            opaque.origin.hasPrefix("new "),
            opaque.origin.hasSuffix(" Role()") || opaque.origin.hasSuffix(".Role()")
        else { return given.append((role, .unread("`role` of \(kind)"))) }
        guard arguments.count > 2, let options = arguments[2].plain else { return }
        for (name, isManaged) in [("inlinePolicies", false), ("managedPolicies", true)] {
            guard case .object(let written)? = try? options.get(name) else { continue }
            guard !written.isOpaque else {
                given.append((role, .unread("`\(name)` of the role of \(kind)")))
                continue
            }
            for value in isManaged ? ProgramValue.object(written).elements : Self.members(of: written) {
                if isManaged {
                    given.append((role, .managed(value)))
                } else if case .object(let policy) = value {
                    given.append((role, .policy(policy)))
                }
            }
        }
    }

    // MARK: What programs do

    private static let statementMethods = ["addToRolePolicy", "addToPrincipalPolicy", "addToPolicy"]
    private static let additionMethods = [
        "addStatements", "addActions", "addNotActions", "addResources", "addNotResources", "addAllResources",
        "addCondition", "addConditions",
    ]

    /// `role.addToPolicy(...)` and the like: the program calls something that exists only outside.
    func takes(call function: OpaqueObject, _ arguments: [ProgramValue]) {
        guard case .member(let receiver, let name) = function.making, given.count < Self.countMax,
            additions.count < Self.countMax
        else { return }
        switch name {
        case _ where Self.statementMethods.contains(name), "attachInlinePolicy":
            guard case .object(let policy)? = arguments.first else { return }
            given.append((receiver, .policy(policy)))
        case "addToResourcePolicy":
            guard case .object(let statement)? = arguments.first, resourcePolicies.count < Self.countMax,
                let run = receiver.realm.host as? ProgramRun
            else { return }
            resourcePolicies.append((receiver, statement, run.files.position(receiver.realm.callPlace)))
        case "addManagedPolicy": given.append((receiver, .managed(arguments.first ?? .undefined)))
        case "attachToRole":
            guard case .object(let role)? = arguments.first else { return }
            given.append((role, .policy(receiver)))
        case _ where Self.additionMethods.contains(name): additions.append((receiver, name, arguments))
        case "addToPrincipal", "addToPrincipalOrResource": give(arguments.first)
        case _ where name.utf8.starts(with: "grant".utf8):
            guard case .object(let grantee)? = arguments.first else { return }
            add(.grant(receiver, name, arguments), to: grantee)
        default:
            // `table.grants.readData(fn)`
            guard case .member(let resource, "grants") = receiver.making, let first = name.first,
                case .object(let grantee)? = arguments.first
            else { return }
            add(.grant(resource, "grant\(first.uppercased())\(name.dropFirst())", arguments), to: grantee)
        }
    }

    private func add(_ grant: Given, to grantee: ScriptObject) {
        given.append((grantee, grant))
        guard let role = identityRole(of: grantee), let run = grantee.realm.host as? ProgramRun else { return }
        grantPlaces.append((role, grant, run.files.position(grantee.realm.callPlace)))
    }

    /// `Grant.addToPrincipal({ grantee, actions, resourceArns })`
    func give(_ options: ProgramValue?) {
        guard given.count < Self.countMax, case .object(let options)? = options, !options.isOpaque,
            case .object(let grantee)? = try? options.get("grantee")
        else { return }
        given.append((grantee, .policy(options)))
    }

    /// `new Policy(scope, id, { roles })`, `new ManagedPolicy(...)`; and what is made elsewhere with a function in its hands.
    func takes(_ construct: NewConstruct, _ functions: FunctionRun) {
        guard given.count < Self.countMax else { return }
        let (name, made, options) = (construct.name, construct.made, construct.options)
        if name == "Policy" || name == "ManagedPolicy" {
            for role in options?.value("roles").elements ?? [] {
                if case .object(let role) = role { given.append((role, .policy(made))) }
            }
            return
        }
        if name == "CfnPolicy" || name == "CfnManagedPolicy" || name == "CfnRolePolicy" {
            for value in (options?.value("roles").elements ?? []) + (options.map { Self.members(of: $0) } ?? []) {
                // `fn.role.roleName`
                guard case .object(let object as OpaqueObject) = value,
                    case .member(let role, "roleName") = object.making
                else { continue }
                given.append((role, .unread(made.origin)))
            }
            return
        }
        // The CDK's own parts are known: none of them gives a role rights that are not said.
        guard !construct.module.utf8.isEmpty, !Self.isOfCDK(construct.module) else { return }
        for value in construct.arguments + (options.map { Self.members(of: $0) } ?? []) {
            guard case .object(let object) = value, !places(of: object, functions).isEmpty else { continue }
            given.append((object, .unread("\(construct.kind.origin), which is given the function")))
        }
    }

    private static func isOfCDK(_ address: String) -> Bool {
        guard let start = address.firstIndex(of: ":") else { return false }
        return address[address.index(after: start)...].utf8.starts(with: "aws-cdk-lib".utf8)
    }

    // MARK: When it has come to its end

    /// What each function is given, by its place.
    func settle(_ run: ProgramRun, _ signIn: SignInRun) -> [(place: Int, grants: FunctionGrants)] {
        given.flatMap { grantee, what -> [(place: Int, grants: FunctionGrants)] in
            let places = places(of: grantee, signIn.functions)
            guard !places.isEmpty else { return [] }
            let grants = reader(run, signIn).grants(of: what)
            return places.map { (place: $0, grants: grants) }
        }
    }

    /// What the role of each data source is given, by the name of the data source.
    func settleSources(_ run: ProgramRun, _ signIn: SignInRun) -> [(source: String, grants: FunctionGrants)] {
        given.flatMap { grantee, what -> [(source: String, grants: FunctionGrants)] in
            let names = sourceNames(of: grantee)
            guard !names.isEmpty else { return [] }
            let grants = reader(run, signIn).grants(of: what)
            return names.map { (source: $0, grants: grants) }
        }
    }

    /// What each role of the pool's identities is given.
    func settleIdentities(_ run: ProgramRun, _ signIn: SignInRun) -> IdentityRoleGrants {
        var all = IdentityRoleGrants()
        for (grantee, what) in given {
            guard let role = identityRole(of: grantee) else { continue }
            all.add(reader(run, signIn).grants(of: what), to: role)
        }
        return all
    }

    private func reader(_ run: ProgramRun, _ signIn: SignInRun) -> GrantReader {
        GrantReader(additions: additions, run: run, signIn: signIn)
    }

    private static func roles(
        of given: IdentityRoleGrants
    ) -> [(role: IdentityRoleGrants.Role, grants: FunctionGrants, name: String)] {
        [(.users, given.users, "signed-in users"), (.guests, given.guests, "guests")]
            + given.groups.map { (.group($0.name), $0.grants, "the group \($0.name)") }
    }

    /// The services that ask what the role of an identity is given.
    private static let askingServices = ["lambda", "appsync", "execute-api", "s3"]

    /// Warns of rights for which no service here asks, once for a service and a role: whoever has them is denied all the same.
    func warnOfUnasked(_ given: IdentityRoleGrants, _ run: ProgramRun, _ signIn: SignInRun) {
        for (role, grants, name) in Self.roles(of: given) {
            var told: [String] = []
            for action in grants.statements.filter(\.isAllowing).flatMap(\.actions) {
                let parts = action.split(separator: ":", maxSplits: 1)
                guard let service = parts.first.map(String.init), parts.count == 2,
                    !Self.askingServices.contains(service), !told.contains(service)
                else { continue }
                told.append(service)
                signIn.errors.warn(
                    TypeScriptError(
                        "`\(action)` that \(name) \(role.isOfOne ? "is" : "are") given does not hold here",
                        at: place(of: role, run, signIn) { $0.isAllowing && $0.actions.contains(action) },
                        hint: "Give it to a function, and have the app call that."))
            }
            guard grants.statements.contains(where: { $0.isAllowing && $0.isConditional }) else { continue }
            signIn.errors.warn(
                TypeScriptError(
                    "the condition under which \(name) \(role.isOfOne ? "is" : "are") given something is not known here: it gives nothing",
                    at: place(of: role, run, signIn) { $0.isAllowing && $0.isConditional },
                    hint: "Leave it out for a server of your own, or name in `resources` what it is for."))
        }
    }

    /// Where a role is first given such a statement.
    private func place(
        of role: IdentityRoleGrants.Role, _ run: ProgramRun, _ signIn: SignInRun,
        where isMeant: (FunctionGrants.Statement) -> Bool
    ) -> Position {
        let places =
            identityPlaces.map { (role: $0.role, grant: Given.policy($0.policy), position: $0.position) } + grantPlaces
        return places.first { given in
            given.role == role && reader(run, signIn).grants(of: given.grant).statements.contains(where: isMeant)
        }?.position ?? .none
    }

    /// Refuses what denies something and would not hold here.
    func refuseDenials(_ given: IdentityRoleGrants, _ run: ProgramRun, _ signIn: SignInRun) {
        for (role, grants, name) in Self.roles(of: given) {
            guard let error = DeniedRights.error(of: grants, for: name, at: .none) else { continue }
            let place = identityPlaces.first { given in
                let grants =
                    given.role == role ? reader(run, signIn).grants(of: .policy(given.policy)) : FunctionGrants()
                return DeniedRights.error(of: grants, for: name, at: .none) != nil
            }
            signIn.errors.add(TypeScriptError(error.message, at: place?.position ?? .none, hint: error.hint))
        }
        for (resource, statement, position) in resourcePolicies where signIn.arn(of: resource) != nil {
            let grants = reader(run, signIn).grants(of: .policy(statement))
            let isAboutTransport =
                if case .call(let made)? = (statement as? OpaqueObject)?.making, let options = made.first?.plain,
                    case .object(let conditions)? = try? options.get("conditions")
                {
                    DeniedRights.isAboutTransport(conditions)
                } else {
                    false
                }
            guard !isAboutTransport, grants.statements.contains(where: { !$0.isAllowing }) else { continue }
            signIn.errors.add(
                TypeScriptError(
                    "the policy of \(resource.origin) denies something to somebody, and does not hold here",
                    at: position, hint: "Leave it out for a server of your own, and give fewer rights instead."))
        }
    }

    private func identityRole(of object: ScriptObject) -> IdentityRoleGrants.Role? {
        if let known = identities.first(where: { $0.object === object }) { return known.role }
        guard let opaque = object as? OpaqueObject, case .member(let parent, "grantPrincipal") = opaque.making else {
            return nil
        }
        return identities.first { $0.object === parent }?.role
    }

    /// The functions that something stands for, or whose role it is.
    private func places(of object: ScriptObject, _ functions: FunctionRun) -> [Int] {
        owners(of: object) { object in
            if let place = functions.place(of: object) { return [place] }
            return constructs.filter { $0.object === object }.map(\.place)
        }
    }

    /// The data sources that something stands for, or whose role it is.
    private func sourceNames(of object: ScriptObject) -> [String] {
        owners(of: object) { object in sources.filter { $0.object === object }.map(\.name) }
    }

    /// The owners of something, or of what it is the role of: `fn.role`, `dataSource.grantPrincipal`.
    private func owners<Owner>(of object: ScriptObject, _ known: (ScriptObject) -> [Owner]) -> [Owner] {
        var object = object
        for _ in 0..<Self.depthMax {
            let found = known(object)
            if !found.isEmpty { return found }
            guard let opaque = object as? OpaqueObject, case .member(let parent, let name) = opaque.making,
                name == "role" || name == "grantPrincipal"
            else { return [] }
            object = parent
        }
        return []
    }

    private static func members(of object: ScriptObject) -> [ProgramValue] {
        let keys = (try? object.enumerableKeys()) ?? []
        return keys.compactMap { try? object.get($0) }
    }
}
