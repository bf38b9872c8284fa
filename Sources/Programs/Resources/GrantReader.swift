import Blueprint
import Project
import Script

/// Reads what a program has given somebody: the statements of policies, and the rights of methods such as `bucket.grantRead(fn)`.
struct GrantReader {
    /// What was added to policies and statements after they were made.
    let additions: [(to: ScriptObject, method: String, values: [ProgramValue])]
    let run: ProgramRun
    let signIn: SignInRun
    private static let depthMax = 16

    func grants(of what: GrantRun.Given) -> FunctionGrants {
        var grants = FunctionGrants()
        switch what {
        case .policy(let policy): read(policy, into: &grants, depth: 0)
        case .managed(let value): readManaged(value, into: &grants)
        case .grant(let receiver, let method, let arguments):
            read(method, of: receiver, arguments, into: &grants)
        case .unread(let what): grants.add(unread: what)
        }
        return grants
    }

    // MARK: Policies

    private func read(
        _ object: ScriptObject, into grants: inout FunctionGrants, depth: Int
    ) {
        guard depth < Self.depthMax else { return grants.add(unread: "a policy in policies") }
        guard let opaque = object as? OpaqueObject else {
            return grants.add(statement(object, .grant))
        }
        guard case .call(let arguments) = opaque.making else { return grants.add(unread: opaque.origin) }
        if opaque.origin.hasSuffix("PolicyStatement()") {
            guard let options = arguments.first?.plain else {
                if arguments.isEmpty { return grants.add(changed(.init(), opaque)) }
                return grants.add(unread: opaque.origin)
            }
            return grants.add(changed(statement(options, StatementNames()), opaque))
        }
        if opaque.origin.hasSuffix("PolicyStatement.fromJson()") {
            guard let written = arguments.first?.plain else {
                return grants.add(unread: opaque.origin)
            }
            return grants.add(changed(statement(written, .json), opaque))
        }
        guard opaque.origin.hasSuffix("Policy()") || opaque.origin.hasSuffix("PolicyDocument()") else {
            return grants.add(unread: opaque.origin)
        }
        let options = arguments.lazy.compactMap(\.plain).last
        if let document = options.flatMap({ try? $0.get("document") }), case .object(let document) = document {
            read(document, into: &grants, depth: depth + 1)
        }
        let statements = (try? options?.get("statements")) ?? .undefined
        if case .object(let list) = statements, !(list is ScriptArray) { grants.add(unread: opaque.origin) }
        var all = statements.elements
        for addition in additions where addition.to === object && addition.method == "addStatements" {
            all += addition.values
        }
        for value in all {
            guard case .object(let statement) = value else { continue }
            read(statement, into: &grants, depth: depth + 1)
        }
    }

    /// The names of a statement's parts: those of `new PolicyStatement({ actions, resources })` unless others are given.
    private struct StatementNames {
        var effect = "effect"
        var actions = "actions"
        var notActions = "notActions"
        var resources = "resources"
        var notResources = "notResources"
        var conditions = "conditions"
        /// True if one text in the place of a list can be excepted, too.
        var takesTexts = false

        /// `Grant.addToPrincipal({ grantee, actions, resourceArns })`
        static let grant = StatementNames(resources: "resourceArns")
        /// `PolicyStatement.fromJson({ Effect, Action, Resource })`
        static let json = StatementNames(
            effect: "Effect", actions: "Action", notActions: "NotAction", resources: "Resource",
            notResources: "NotResource", conditions: "Condition", takesTexts: true)

        func excepts(_ value: ProgramValue) -> Bool {
            if case .object = value { return true }
            return takesTexts && !value.isNullish
        }
    }

    private func statement(_ written: ScriptObject, _ names: StatementNames) -> FunctionGrants.Statement {
        var statement = FunctionGrants.Statement()
        setEffect(written.value(names.effect), of: &statement)
        func addActions(_ written: ProgramValue) {
            for value in Self.values(written) { addAction(value, to: &statement) }
        }
        func addResources(_ written: ProgramValue) {
            for value in Self.values(written) { addResource(value, to: &statement) }
        }
        addActions(written.value(names.actions))
        let (actions, resources) = (written.value(names.notActions), written.value(names.notResources))
        if names.excepts(actions) {
            statement.isForOtherActions = true
            addActions(actions)
        }
        addResources(written.value(names.resources))
        if names.excepts(resources) {
            statement.isForOtherResources = true
            addResources(resources)
        }
        if case .object(let conditions) = written.value(names.conditions) { Self.add(conditions, to: &statement) }
        return statement
    }

    /// The same with what was added by its methods.
    private func changed(
        _ statement: FunctionGrants.Statement, _ object: ScriptObject
    ) -> FunctionGrants.Statement {
        var statement = statement
        for addition in additions where addition.to === object {
            switch addition.method {
            case "addActions", "addNotActions":
                if addition.method == "addNotActions" { statement.isForOtherActions = true }
                for value in addition.values { addAction(value, to: &statement) }
            case "addResources", "addNotResources":
                if addition.method == "addNotResources" { statement.isForOtherResources = true }
                for value in addition.values { addResource(value, to: &statement) }
            case "addAllResources": statement.resources.append(.text("*"))
            default: statement.isConditional = true
            }
        }
        return statement
    }

    /// Takes note of conditions: beginnings of keys that may be listed are judged here, and nothing else is.
    private static func add(_ conditions: ScriptObject, to statement: inout FunctionGrants.Statement) {
        guard isFilled(conditions) else { return }
        guard let prefixes = prefixes(conditions), statement.prefixes == nil else {
            statement.isConditional = true
            return
        }
        statement.prefixes = prefixes
    }

    /// `{ StringLike: { 's3:prefix': ['public/*'] } }`. Nil: there is another condition.
    private static func prefixes(_ conditions: ScriptObject) -> [String]? {
        guard !conditions.isOpaque, let operators = try? conditions.enumerableKeys(), operators.count == 1,
            let key = operators.first, ["StringLike", "StringEquals"].contains(conditions.realm.describe(key)),
            case .object(let tests)? = try? conditions.get(key), !tests.isOpaque,
            let names = try? tests.enumerableKeys(), names.count == 1, let name = names.first,
            tests.realm.describe(name) == "s3:prefix", let value = try? tests.get(name)
        else { return nil }
        let isExact = conditions.realm.describe(key) == "StringEquals"
        var texts: [String] = []
        var elements = [value]
        if case .object(let list) = value, list is ScriptArray { elements = value.elements }
        for value in elements {
            guard case .text(let text) = value else { return nil }
            if isExact, text.string.utf8.contains(where: { $0 == UInt8(ascii: "*") || $0 == UInt8(ascii: "?") }) {
                return nil
            }
            texts.append(text.string)
        }
        return texts
    }

    private func setEffect(_ value: ProgramValue, of statement: inout FunctionGrants.Statement) {
        switch value {
        case .undefined, .null: return
        case .text(let text): statement.isAllowing = text.string == "Allow"
        // Whatever is not known to allow something denies it.
        default: statement.isAllowing = value.opaque?.origin.hasSuffix(".ALLOW") == true
        }
    }

    /// The values of a list, or the one in its place.
    private static func values(_ written: ProgramValue) -> [ProgramValue] {
        switch written {
        case .undefined, .null: []
        case .object(let list) where list is ScriptArray: written.elements
        default: [written]
        }
    }

    private func addAction(_ value: ProgramValue, to statement: inout FunctionGrants.Statement) {
        if case .text(let text) = value {
            statement.actions.append(text.string)
        } else {
            statement.hasUnreadActions = true
        }
    }

    private func addResource(
        _ value: ProgramValue, to statement: inout FunctionGrants.Statement
    ) {
        let resource = signIn.gateways.policyResource(value) ?? run.environmentValue(value)
        if resource == .missing { statement.hasUnreadResources = true } else { statement.resources.append(resource) }
    }

    /// `ManagedPolicy.fromAwsManagedPolicyName('AmazonDynamoDBFullAccess')`
    private func readManaged(
        _ value: ProgramValue, into grants: inout FunctionGrants
    ) {
        guard case .object(let object) = value, let opaque = object as? OpaqueObject else {
            return grants.add(unread: "a managed policy")
        }
        guard case .call(let arguments) = opaque.making else { return grants.add(unread: opaque.origin) }
        if opaque.origin.hasSuffix("fromAwsManagedPolicyName()"), case .text(let name)? = arguments.first {
            return grants.add(managed: name.string)
        }
        if opaque.origin.hasSuffix("fromManagedPolicyArn()"), case .text(let arn)? = arguments.last,
            arn.string.hasPrefix("arn:aws:iam::aws:policy/")
        {
            return grants.add(managed: arn.string)
        }
        read(opaque, into: &grants, depth: 0)
    }

    // MARK: Methods

    private func read(
        _ method: String, of receiver: OpaqueObject, _ arguments: [ProgramValue],
        into grants: inout FunctionGrants
    ) {
        if let part = signIn.channels.part(receiver) {
            // Nothing of it is given that cannot be read.
            let statement = ChannelGrants.statement(method, ofNamespace: part.namespace, part.arn, arguments)
            return statement.map { grants.add($0) } ?? ()
        }
        let service: String
        var arn: FunctionVariable.Value?
        if let known = signIn.arn(of: receiver) {
            (service, arn) = (known.service, known.arn)
        } else if let module = receiver.module.flatMap({ GrantMethods.service(ofModule: $0.address) }) {
            service = module
        } else {
            return grants.add(unread: "\(receiver.origin).\(method)()")
        }
        guard let given = GrantMethods.grants(of: method, service) else {
            // What it gives is of that service, and no more is known.
            var statement = FunctionGrants.Statement(["\(service):*"], on: [])
            statement.hasUnreadResources = true
            return grants.add(statement)
        }
        for grant in given {
            var statement = FunctionGrants.Statement(grant.actions, on: [])
            if grant.namesActions {
                for value in arguments.dropFirst() { addAction(value, to: &statement) }
            }
            var endings = grant.endings
            if service == "s3" {
                endings = ["", "/*"]
                if arguments.count > 1, !arguments[1].isUndefined {
                    if case .text(let pattern) = arguments[1] {
                        endings = ["", "/\(pattern.string)"]
                    } else {
                        statement.hasUnreadResources = true
                    }
                }
            }
            if grant.isForEverything {
                statement.resources = [.text("*")]
            } else if let arn {
                statement.resources = endings.map { $0.isEmpty ? arn : .joined([arn, .text($0)]) }
            } else {
                statement.hasUnreadResources = true
            }
            grants.add(statement)
        }
    }

    private static func isFilled(_ object: ScriptObject) -> Bool {
        object.isOpaque || ((try? object.enumerableKeys()) ?? []).isEmpty == false
    }
}
