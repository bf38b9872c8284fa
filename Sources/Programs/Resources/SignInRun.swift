import Blueprint
import GraphQL
import JSON
import Project
import Script

/// What a run of a project's programs finds out about sign-in: the resource of `defineAuth`, and what `defineBackend` puts
/// together.
final class SignInRun {
    let errors = ResourceErrors()
    private(set) var auth: AuthResource?
    /// True if it is a user pool elsewhere that the project names.
    private(set) var isReference = false
    /// The resources that `defineBackend` names; nil before it is called.
    private(set) var backend: Backend?
    /// What `backend.addOutput` adds to the file that clients load.
    private(set) var added = OutputParts()
    /// What it adds that is known only when the app is deployed.
    private(set) var deployedParts: [(name: String, value: FunctionVariable.Value, position: Position)] = []
    /// What was defined and is not read yet.
    let definitions = Definitions()
    /// The resources under the constructs that it has.
    let parts = ResourceParts()
    /// What it finds out about files on the same way.
    let storage: StorageRun
    /// What it finds out about functions.
    let functions: FunctionRun
    /// What it finds out about calls by the clock.
    let timers = TimerRun()
    /// What it finds out about APIs over HTTP.
    let gateways = GatewayRun()
    /// What it finds out about queues.
    let messaging = MessagingRun()
    /// What it finds out about state machines.
    let workflows = WorkflowRun()
    /// What it finds out about channels.
    let channels = ChannelRun()
    /// What it finds out about what resolvers work on.
    let dataSources = DataSourceRun()
    /// What the program assigns to what is known only when the app is deployed.
    let assignments = AssignmentRun()
    /// What it finds out about the rights of functions.
    let grants = GrantRun()
    /// What the roles of the pool's identities are given.
    private(set) var identityGrants = IdentityRoleGrants()
    /// What the project makes of its own that nothing here stands for.
    private(set) var made: [(name: String, position: Position)] = []
    private static let madeMax = 100
    /// What the program needed that is known only when the app is deployed.
    private(set) var unknowns: [Unknown] = []
    private static let unknownsMax = 100

    struct Unknown {
        enum Use: Equatable {
            /// It was gone through, as if nothing were in it.
            case list
            case condition(taken: Bool)
            /// It was compared with something, and taken for something else.
            case comparison
            /// `typeof` was asked of it.
            case kind(taken: String)
        }

        let origin: String
        let use: Use
        let position: Position
    }
    private var overrides: [(part: OpaqueObject, path: [String], value: ProgramValue, position: Position)] = []
    private static let overridesMax = 1_000
    private let files: ProgramFiles

    /// What stands for the resource, and for what a deployment makes of it.
    private var object: OpaqueObject?
    private var deployed: DeployedPool?

    struct Backend {
        var hasAuth = false
        var hasData = false
    }

    init(_ files: ProgramFiles) {
        self.files = files
        storage = StorageRun(files, errors)
        functions = FunctionRun(files)
    }

    /// What the pool comes to, when the program has come to its end.
    func settle(_ run: ProgramRun) {
        // Of a program that does not call defineBackend, or of a resource alone.
        definitions.readAll()
        functions.readOptions()
        functions.settle(self, run)
        messaging.settle(self)
        dataSources.settle(run)
        if let deployed, let pool = auth?.pool {
            applyOverrides()
            deployed.check(errors, place: files.place(of:)) { [assignments] in assignments.warn($0, at: $1) }
            auth?.pool = deployed.settings(over: pool)
            let attributes = deployed.attributes(over: auth?.attributes ?? [])
            auth?.attributes = attributes
            settleTriggers(deployed)
        }
        assignments.settle(errors, files, readBy: deployed?.parts ?? [])
        // Groups of a pool elsewhere are known to it alone.
        functions.take(grants.settle(run, self))
        dataSources.take(grants.settleSources(run, self))
        identityGrants = grants.settleIdentities(run, self)
        grants.refuseDenials(identityGrants, run, self)
        grants.warnOfUnasked(identityGrants, run, self)
        functions.take(gateways.settle(identityGrants))
        storage.settle(auth: backend == nil || isReference ? nil : .some(backend?.hasAuth == true ? auth : nil))
    }

    /// What is odd about what the program says, and does no harm.
    func warnings(in sources: [Source]) -> [Diagnostic] {
        errors.warnings.map { .warning($0.message, at: $0.position, in: sources, hint: $0.hint) }
            + assignments.warnings.map { .warning($0.message, at: $0.position, in: sources) }
    }

    /// Goes on with a pool that another file describes.
    func adopt(_ deployed: DeployedPool, of auth: AuthResource) {
        self.auth = auth
        self.deployed = deployed
    }

    func forgetObjects() {
        object = nil
        deployed = nil
        overrides = []
        definitions.forgetObjects()
        parts.forgetObjects()
        storage.forgetObjects()
        functions.forgetObjects()
        timers.forgetObjects()
        gateways.forgetObjects()
        messaging.forgetObjects()
        workflows.forgetObjects()
        dataSources.forgetObjects()
        channels.forgetObjects()
        grants.forgetObjects()
        assignments.forgetObjects()
    }

    // MARK: Overrides

    /// `cfnUserPool.addPropertyOverride(...)` and the like. They hold in the end, whatever the program assigns behind them.
    func override(_ part: OpaqueObject, _ path: [String], _ value: ProgramValue, at position: Position) {
        if overrides.count < Self.overridesMax {
            overrides.append((part, path, value, position))
        } else {
            errors.add(TypeScriptError("there are more than \(Self.overridesMax) overrides", at: position))
        }
    }

    private func applyOverrides() {
        for (part, path, value, position) in overrides {
            do throws(Thrown) {
                try DeployedPool.override(part, path, merging: value, part.realm)
            } catch {
                errors.add(
                    TypeScriptError(
                        "`\(part.origin)` has nothing at \(path.joined(separator: ".")) to override", at: position))
            }
        }
        overrides = []
    }

    // MARK: Triggers

    /// `userPool.addTrigger(UserPoolOperation.POST_CONFIRMATION, fn)`
    func addTrigger(_ operation: ProgramValue, _ function: ProgramValue, at position: Position) {
        guard let event = AssignedTriggers.event(ofOperation: operation) else {
            return note("userPool.addTrigger()", at: position)
        }
        set(event, to: function, at: position)
    }

    private func set(_ event: AssignedTriggers.Event, to function: ProgramValue, at position: Position) {
        guard case .trigger(let trigger) = event, let reference = functions.reference(ofFunction: function) else {
            let kind = if case .trigger = event { "a function elsewhere" } else { "a function that sends messages" }
            return note("\(kind) as the trigger \(event.name)", at: position)
        }
        auth?.triggers.removeAll { $0.event == trigger }
        auth?.triggers.append(AuthResource.Trigger(event: trigger, function: reference))
    }

    /// What `cfnUserPool.lambdaConfig` is in the end. One that the program puts in the place of the first has all that there is.
    private func settleTriggers(_ deployed: DeployedPool) {
        let assigned = deployed.triggers
        if assigned.isReplaced { auth?.triggers = [] }
        for (event, function) in assigned.functions { set(event, to: function, at: .none) }
    }

    // MARK: What programs call

    /// `defineAuth({...})`
    func define(_ arguments: BuilderArguments, _ realm: Realm) -> ProgramValue {
        guard isAlone(arguments) else { return value(realm) }
        if let given = arguments.optionalObject(0) {
            let made = value(realm)
            definitions.add(object) { [weak self] in
                guard let self else { return }
                var reader = AuthReader(given, errors)
                auth = reader.read()
            }
            return made
        } else if case .refused(let error) = arguments.given(0).value {
            errors.add(error)
        } else {
            errors.add(
                TypeScriptError(
                    "`defineAuth` takes an object, found \(arguments.given(0).value.description)",
                    at: arguments.position(of: 0), hint: "Write defineAuth({ loginWith: { email: true } })."))
        }
        return value(realm)
    }

    /// `referenceAuth({...})`: what such a pool is like is known to it alone, so the local one stands in for it.
    func refer(_ arguments: BuilderArguments, _ realm: Realm) -> ProgramValue {
        guard isAlone(arguments) else { return value(realm) }
        var reference = AuthResource()
        reference.login.email = AuthResource.EmailLogin()
        reference.pool = DeclaredPool(reference)
        auth = reference
        isReference = true
        return value(realm)
    }

    private func value(_ realm: Realm) -> ProgramValue {
        let object = self.object ?? OpaqueObject(realm, origin: "defineAuth()")
        self.object = object
        return .object(object)
    }

    private static let place = "/amplify/auth/resource."

    /// Returns whether it is the one call, in the one place.
    private func isAlone(_ arguments: BuilderArguments) -> Bool {
        let position = arguments.position
        if object != nil {
            errors.add(
                TypeScriptError(
                    "Multiple `defineAuth` or `referenceAuth` calls are not allowed within an Amplify backend",
                    at: position,
                    hint: "Remove all but one."))
            return false
        }
        let file = files.sources.indices.contains(position.source) ? files.sources[position.source].name : nil
        if position.isKnown, let file, !files.project.path(of: file).contains(bytesOf: Self.place) {
            errors.add(
                TypeScriptError("Amplify Auth must be defined in amplify/auth/resource.ts", at: position))
        }
        return true
    }

    /// `defineBackend({...})`, which gives what a deployment would make of the resources.
    func assemble(_ resources: ProgramValue, _ realm: Realm) throws(Thrown) -> ProgramValue {
        let run = try ProgramRun.of(realm)
        let backend = OpaqueObject(realm, origin: "backend")
        var found = Backend()
        functions.readOptions()
        if case .object(let resources) = resources {
            // Of a literal with something unknown spread into it, the rest is known.
            let known = (resources as? OpaqueObject)?.assignedKeys
            let keys = if let known { known } else { try resources.enumerableKeys() }
            for key in keys {
                if case .object(let resource) = try resources.get(key) { definitions.read(Self.original(resource)) }
            }
            definitions.readAll()
            // What Amplify gives beside the resources is put below: all else is undefined there, too.
            backend.isClosed = !resources.isOpaque
            backend.isListed = backend.isClosed
            for key in keys {
                guard case .object(let given) = try resources.get(key) else { continue }
                backend.putMember(realm.describe(key))
                let resource = Self.original(given)
                if let opaque = resource as? OpaqueObject, let error = run.refusalOfMissing(opaque) {
                    errors.add(error)
                }
                if let place = storage.add(resource, realm.describe(key), realm) {
                    backend.put(realm.describe(key), place)
                }
                if resource === object, let auth {
                    let deployed = self.deployed ?? DeployedPool(auth.pool, auth.attributes, realm)
                    self.deployed = deployed
                    found.hasAuth = true
                    backend.put(realm.describe(key), deployed.value)
                } else if let data = (resource as? HostObject)?.payload as? DataBuilder {
                    found.hasData = true
                    run.readOutline(of: data)
                    backend.put(realm.describe(key), dataSources.data(realm.describe(key), data, realm))
                } else if let opaque = resource as? OpaqueObject,
                    let function = functions.name(run.reference(opaque), realm.describe(key), realm)
                {
                    backend.put(realm.describe(key), function)
                }
            }
        }
        definitions.readAll()
        self.backend = found
        storage.assemble()
        for name in ["stack", "createStack"] { backend.putMember(name) }
        backend.put(
            "addOutput",
            .object(
                realm.function("addOutput", length: 1) { call throws(Thrown) in
                    let run = try ProgramRun.of(call.realm)
                    try run.signIn?.add(call[0], at: run.files.position(call.realm.callPlace))
                    return .undefined
                }))
        return .object(backend)
    }

    /// The resource that a literal copies: `{ ...auth }`, whose methods are those of `auth`.
    private static func original(_ resource: ProgramObject) -> ProgramObject {
        var resource = resource
        while let copy = resource as? OpaqueObject, let source = copy.spreadOf,
            copy.origin.utf8.first == UInt8(ascii: "{"),
            !copy.assignedKeys.contains(where: { copy.realm.describe($0) == "getInstance" })
        {
            resource = source
        }
        return resource
    }

    /// Packages of what is passed over without a word: nobody needs rights here that the rules do not give.
    private static let silentModules = [
        "aws-cdk-lib/aws-iam", "constructs", "aws-cdk-lib/aws-events-targets", "aws-cdk-lib/aws-s3-notifications",
        "aws-cdk-lib/aws-sns-subscriptions", "aws-cdk-lib/aws-scheduler-targets", "aws-scheduler-targets-alpha",
        "aws-cdk-lib/aws-lambda-event-sources", "aws-cdk-lib/aws-apigatewayv2-integrations",
        "aws-cdk-lib/aws-apigatewayv2-authorizers",
    ]
    /// Parts of what is served, and what tells people of it.
    private static let silentNames = [
        "LambdaIntegration", "CognitoUserPoolsAuthorizer", "CfnOutput", "SubscriptionFilter",
    ]

    /// `new X()` of something that is known only when the app is deployed.
    func note(made object: OpaqueObject, at position: Position) {
        guard let module = object.module?.address, !Self.silentModules.contains(where: { module.hasSuffix($0) }),
            !Self.silentNames.contains(where: { object.origin.hasSuffix($0) })
        else { return }
        note(object.origin, at: position)
    }

    /// The program needs what is known only when the app is deployed, and goes on.
    func note(_ object: OpaqueObject, _ use: Unknown.Use, at position: Position) {
        let isKnown = unknowns.contains { $0.position == position && $0.use == use }
        guard unknowns.count < Self.unknownsMax, !isKnown else { return }
        unknowns.append(Unknown(origin: object.fullOrigin, use: use, position: position))
    }

    func note(_ name: String, at position: Position) {
        guard made.count < Self.madeMax, !made.contains(where: { $0.name == name }) else { return }
        made.append((name, position))
    }

    /// The version of the file that parts are of which say none.
    private static let addedVersion: JSONValue = "1.4"

    private func add(_ part: ProgramValue, at position: Position) throws(Thrown) {
        var reader = OutputValue(firstNumber: deployedParts.count)
        let value = try reader.json(part, "")
        deployedParts += reader.deployed.map { ($0.name, $0.value, position) }
        guard case .object(var object)? = value else {
            if reader.deployed.isEmpty { errors.add(TypeScriptError("`addOutput` takes an object", at: position)) }
            return
        }
        if object["version"]?.string?.isEmpty != false { object["version"] = Self.addedVersion }
        do throws(OutputParts.Conflict) {
            try added.add(object)
        } catch {
            errors.add(TypeScriptError(error.message, at: position, hint: error.hint))
        }
    }
}
