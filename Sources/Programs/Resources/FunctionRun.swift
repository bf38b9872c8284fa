import Blueprint
import GraphQL
import JSON
import Project
import Script

/// What a run of a project's programs finds out about functions: those that `defineFunction` makes, what `defineBackend` calls them,
/// and what `backend.ts` adds. What cannot be read is left as it is usual: nothing of it stops a project.
final class FunctionRun {
    let files: ProgramFiles
    var functions: [FunctionResource] = []
    /// The resources under them.
    private(set) var parts: [(place: Int, part: ResourcePart)] = []
    /// Those whose options are still to be read, and those of handlers of conversations.
    private var unread: [(place: Int, options: ObjectArgument?)] = []
    private var conversationHandlers: [(place: Int, options: ObjectArgument)] = []
    /// True if a callback of `defineFunction` is called: what it makes of the CDK's parts is the function.
    var isDefining = false
    /// What stands for the functions of the backend, by what it calls them.
    private var lambdas: [(object: OpaqueObject, place: Int)] = []
    private static let countMax = 1_000
    private static let usualEntry = "./handler.ts"

    init(_ files: ProgramFiles) {
        self.files = files
    }

    func forgetObjects() {
        (lambdas, unread, conversationHandlers) = ([], [], [])
        parts = []
    }

    /// `defineFunction({...})`, or `defineFunction((scope) => new Function(scope, 'name', {...}))`
    func define(
        _ reference: FunctionReference, _ object: ObjectArgument?, _ construct: MadeConstruct?, at position: Position
    ) {
        guard functions.count < Self.countMax else { return }
        if let construct {
            construct.run?.signIn?.grants.knows(construct.object, made: construct.kind, as: functions.count)
            functions.append(construct.function(reference, files))
            return
        }
        unread.append((functions.count, object))
        functions.append(FunctionResource(reference, entry(object, at: position).map { .file($0) }))
    }

    /// Reads the options of the functions that were defined since.
    func readOptions() {
        let places = unread
        unread = []
        for (place, object) in places where functions.indices.contains(place) { read(object, into: &functions[place]) }
        for (place, object) in conversationHandlers where functions.indices.contains(place) {
            readModels(object, into: &functions[place])
        }
        conversationHandlers = []
    }

    private func read(_ object: ObjectArgument?, into function: inout FunctionResource) {
        if let object {
            for variable in (try? object.environment("environment")) ?? [] {
                function.set(variable.name, to: variable.value)
            }
            function.timeoutSeconds = object.whole("timeoutSeconds") ?? function.timeoutSeconds
            function.memoryMegabytes = object.whole("memoryMB") ?? function.memoryMegabytes
            function.runtime = object.whole("runtime")
            function.group = (try? object.text("resourceGroupName"))?.text
            function.schedules = Self.schedules(object)
        }
    }

    /// What Amplify gives a handler of conversations.
    private static let conversationSeconds = 60
    private static let modelActions = ["bedrock:InvokeModel", "bedrock:InvokeModelWithResponseStream"]

    /// `defineConversationHandlerFunction({...})` with code of the project: it has a minute if nothing else is said, and may call its
    /// models.
    func define(conversationHandler reference: FunctionReference, _ object: ObjectArgument, at position: Position) {
        let place = functions.count
        define(reference, object, nil, at: position)
        conversationHandlers.append((place, object))
    }

    private func readModels(_ object: ObjectArgument, into function: inout FunctionResource) {
        function.timeoutSeconds = object.whole("timeoutSeconds") ?? Self.conversationSeconds
        for model in (try? object.objects("models")) ?? [] {
            let id =
                (try? model.object?.text("modelId"))?.text
                ?? (try? model.object?.object("modelId")?.text("resourcePath"))?.text
            guard let id else {
                function.grants.add(unread: "a model of the handler")
                continue
            }
            function.grants.add(
                FunctionGrants.Statement(
                    Self.modelActions, on: [.text("arn:aws:bedrock:*::foundation-model/\(id)")]))
        }
    }

    private static func schedules(_ object: ObjectArgument) -> [FunctionSchedule] {
        object.items("schedule").compactMap { text, options in
            if let text { return FunctionSchedule(text) }
            guard let options else { return nil }
            let zone = (try? options.text("timezone"))?.text
            if let cron = (try? options.text("cron"))?.text { return FunctionSchedule(cron, zone: zone) }
            guard let rate = (try? options.text("rate"))?.text else { return nil }
            return FunctionSchedule(rate.hasPrefix("every") ? rate : "rate(\(rate))", zone: zone)
        }
    }

    private func entry(_ object: ObjectArgument?, at position: Position) -> String? {
        guard position.isKnown, files.sources.indices.contains(position.source),
            let file = files.sources[position.source].name
        else { return nil }
        var entry = Self.usualEntry
        if let object, (try? object.has("entry")) == true {
            guard let written = (try? object.text("entry"))?.text else { return nil }
            entry = written
        }
        return ProgramFiles.join(ProgramFiles.folder(of: file), entry)
    }

    /// Notes what stands for a function.
    func know(_ lambda: OpaqueObject, as place: Int) { lambdas.append((lambda, place)) }

    // MARK: The backend

    /// What a program sees of a function of the backend; nil where it is none.
    func name(_ reference: FunctionReference, _ key: String, _ realm: Realm) -> ProgramValue? {
        guard let place = functions.firstIndex(where: { $0.reference == reference && $0.key == nil }) else {
            return nil
        }
        functions[place].key = key
        let object = OpaqueObject(realm, origin: "backend.\(key)")
        let resources = OpaqueObject(realm, origin: "backend.\(key).resources")
        let lambda = OpaqueObject(realm, origin: Self.origin(key))
        object.put("resources", .object(resources))
        resources.put("lambda", .object(lambda))
        stand(for: place, lambda, under: key, settingsOf: [object, lambda], realm)
        if let signIn = (realm.host as? ProgramRun)?.signIn {
            let part = signIn.parts.part(of: lambda, "\(resources.origin).cfnResources.cfnFunction")
            parts.append((place, part))
            resources.putMember("cfnResources").put("cfnFunction", .object(part.object))
        }
        return .object(object)
    }

    static func origin(_ key: String) -> String { "backend.\(key).resources.lambda" }

    private static let functionKinds = ["Function", "NodejsFunction", "PythonFunction"]

    /// `new NodejsFunction(stack, 'id', {...})` in `backend.ts`: a function like those of `defineFunction`, by the name that it is given or
    /// that of its place. False: it is something else, or there is one of its name.
    private func takes(function construct: NewConstruct, _ signIn: SignInRun) -> Bool {
        let (made, arguments) = (construct.made, construct.arguments)
        guard functions.count < Self.countMax, let run = made.realm.host as? ProgramRun,
            Self.functionKinds.contains(construct.name), construct.module.contains(bytesOf: "aws-lambda"),
            arguments.count > 2, let id = construct.id
        else { return false }
        let places = ArgumentPlaces(made.origin, files.position(made.realm.callPlace), files)
        let written = MadeConstruct(
            kind: made.origin, id: id, options: ObjectArgument(arguments[2], nil, places, run), object: made,
            run: run)
        let given = written.options.flatMap { try? $0.text("functionName") }?.text
        let key = given ?? id
        guard !key.contains(bytesOf: "."),
            !functions.contains(where: { $0.reference.givenName == key || $0.key == key })
        else { return false }
        let function = written.function(FunctionReference(name: key), files)
        guard function.code != nil else { return false }
        let place = functions.count
        functions.append(function)
        signIn.grants.knows(made, made: made.origin, as: place)
        for value in ["functionName", "functionArn"] {
            made.put(
                value,
                .object(
                    OpaqueObject(
                        made.realm, origin: "\(Self.origin(key)).\(value)", by: .member(made, value))))
        }
        stand(for: place, made, under: key, settingsOf: [made], made.realm)
        parts.append((place, signIn.parts.part(of: made, "\(made.origin).cfnFunction")))
        return true
    }

    /// Returns whether `new X(...)` says something of a function: that it is called with the changes of a table, or by the clock.
    func takes(_ construct: NewConstruct, _ signIn: SignInRun) -> Bool {
        if takes(function: construct, signIn) { return true }
        if let isTaken = signIn.timers.takes(construct, signIn) { return isTaken }
        if construct.name == "DynamoEventSource", case .object(let table)? = construct.arguments.first {
            return Self.model(ofTable: table) != nil || signIn.dataSources.tables.name(of: table) != nil
        }
        guard construct.name == "EventSourceMapping", let options = construct.options,
            case .object(let target)? = try? options.get("target"),
            let place = lambdas.first(where: { $0.object === target })?.place
        else { return false }
        let source = try? options.get("eventSourceArn")
        if let subscription = signIn.messaging.subscription(source, .object(options)) {
            if Self.isOn(.object(options)) { functions[place].queues.append(subscription) }
            return true
        }
        return call(place, with: source, .object(options), signIn)
    }

    /// The function of `new LambdaFunction(fn)`, `new LambdaDestination(fn)`.
    func target(_ value: ProgramValue) -> FunctionResource? { place(ofTarget: value).map { functions[$0] } }

    func place(ofTarget value: ProgramValue) -> Int? {
        guard case .object(let object) = value, let opaque = object as? OpaqueObject,
            case .call(let given) = opaque.making, case .object(let lambda)? = given.first
        else { return nil }
        return lambdas.first { $0.object === lambda }?.place
    }

    /// The function of `new LambdaIntegration(fn)`, `new HttpLambdaIntegration('id', fn)`, or of the function itself, and whether it is told of
    /// calls in the form of version 1 at all events.
    func integration(_ value: ProgramValue) -> (place: Int, isVersion1: Bool)? {
        guard case .object(let object) = value, let opaque = object as? OpaqueObject else { return nil }
        if let place = lambdas.first(where: { $0.object === opaque })?.place { return (place, false) }
        guard case .call(let given) = opaque.making else { return nil }
        for argument in given {
            guard case .object(let lambda) = argument,
                let place = lambdas.first(where: { $0.object === lambda })?.place
            else { continue }
            var isVersion1 = false
            if case .object(let options)? = given.last, !options.isOpaque,
                case .object(let version)? = try? options.get("payloadFormatVersion")
            {
                isVersion1 = (version as? OpaqueObject)?.origin.hasSuffix(".VERSION_1_0") ?? false
            }
            return (place, isVersion1)
        }
        return nil
    }

    /// What the project calls a function that is given as itself, as what stands for it, or by its ARN.
    func name(ofFunction value: ProgramValue) -> String? {
        place(ofFunction: value).flatMap { functions[$0].reference.givenName ?? functions[$0].key }
    }

    /// The same as `defineAuth` would have it.
    func reference(ofFunction value: ProgramValue) -> FunctionReference? {
        place(ofFunction: value).map { place in
            let reference = functions[place].reference
            return reference.givenName == nil ? FunctionReference(name: functions[place].key) : reference
        }
    }

    func place(ofFunction value: ProgramValue) -> Int? {
        guard case .object(let object) = value else { return nil }
        var function = object
        if case .member(let owner, "functionArn")? = (object as? OpaqueObject)?.making { function = owner }
        let place = lambdas.first { $0.object === function }?.place
        return place.flatMap { functions.indices.contains($0) ? $0 : nil }
    }

    /// The place of the function that `defineBackend` gives as an object.
    func place(of object: ScriptObject) -> Int? { lambdas.first { $0.object === object }?.place }

    /// What a function's names and address are asked for under: `backend.mailer.resources.lambda`.
    func origin(of object: ScriptObject) -> String? {
        place(of: object).flatMap { functions[$0].key ?? functions[$0].reference.givenName }.map(Self.origin)
    }

    /// Says what the roles of functions are given.
    func take(_ grants: [(place: Int, grants: FunctionGrants)]) {
        for (place, given) in grants where functions.indices.contains(place) { functions[place].grants.add(given) }
    }

    /// Says at which paths of APIs functions are called.
    func take(_ paths: [(path: HTTPPath, function: Int)]) {
        for (path, place) in paths where functions.indices.contains(place) { functions[place].paths.append(path) }
    }
}
