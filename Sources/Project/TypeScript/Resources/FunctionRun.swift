import Blueprint
import GraphQL
import JSON
import Script

/// What a run of a project's programs finds out about functions: those that `defineFunction` makes, what `defineBackend` calls them,
/// and what `backend.ts` adds. What cannot be read is left as it is usual: nothing of it stops a project.
final class FunctionRun {
    private let files: ProgramFiles
    var functions: [FunctionResource] = []
    /// The resources under them.
    private(set) var parts: [(place: Int, part: ResourcePart)] = []
    /// What calls functions or starts state machines by the clock.
    private(set) var timers: [Timer] = []
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
        (parts, timers) = ([], [])
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

    private static func origin(_ key: String) -> String { "backend.\(key).resources.lambda" }

    private static let functionKinds = ["Function", "NodejsFunction", "PythonFunction"]

    /// `new NodejsFunction(stack, 'id', {...})` in `backend.ts`: a function like those of `defineFunction`, by the name that it is given or
    /// that of its place. False: it is something else, or there is one of its name.
    private func takes(
        function made: OpaqueObject, of kind: OpaqueObject, _ name: Substring, _ arguments: [ProgramValue],
        _ signIn: SignInRun
    ) -> Bool {
        guard functions.count < Self.countMax, let run = made.realm.host as? ProgramRun,
            Self.functionKinds.contains(where: { name == $0 }),
            kind.module?.address.contains(bytesOf: "aws-lambda") == true,
            arguments.count > 2, case .text(let id) = arguments[1]
        else { return false }
        let places = ArgumentPlaces(made.origin, files.position(made.realm.callPlace), files)
        let construct = MadeConstruct(
            kind: made.origin, id: id.string, options: ObjectArgument(arguments[2], nil, places, run), object: made,
            run: run)
        let given = construct.options.flatMap { try? $0.text("functionName") }?.text
        let key = given ?? id.string
        guard !key.contains(bytesOf: "."),
            !functions.contains(where: { $0.reference.givenName == key || $0.key == key })
        else { return false }
        let function = construct.function(FunctionReference(name: key), files)
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

    /// Gives what stands for a function the methods by which a program says who calls it and what it finds.
    private func stand(
        for place: Int, _ lambda: OpaqueObject, under key: String, settingsOf parts: [OpaqueObject], _ realm: Realm
    ) {
        lambdas.append((lambda, place))
        for part in parts {
            part.put(
                "addEnvironment",
                Self.method("addEnvironment", realm) { run, given in
                    guard let name = given.first, case .text(let name) = name else { return }
                    let value = given.count > 1 ? given[1] : .undefined
                    run.signIn?.functions.functions[place].set(name.string, to: run.environmentValue(value))
                })
        }
        lambda.put(
            "addEventSource",
            Self.method("addEventSource", realm) { run, given in
                guard case .object(let source)? = given.first, let source = source as? OpaqueObject,
                    case .call(let made) = source.making
                else { return }
                let (what, options) = (made.first, made.dropFirst().first)
                guard let signIn = run.signIn, !Self.subscribe(place, to: what, options, run) else { return }
                guard let bucket = signIn.storage.place(ofBucket: what) else {
                    if !signIn.functions.call(place, with: what, options, signIn),
                        source.origin.contains(bytesOf: "DynamoEventSource")
                    {
                        signIn.note(source.origin, at: run.files.position(source.realm.callPlace))
                    }
                    return
                }
                let function = signIn.functions.functions[place]
                if !signIn.storage.notify(bucket, function, NotificationArguments(options: options)) {
                    signIn.note(source.origin, at: run.files.position(source.realm.callPlace))
                }
            })
        lambda.put(
            "addEventSourceMapping",
            Self.method("addEventSourceMapping", realm) { run, given in
                guard given.count > 1, case .object(let options) = given[1], !options.isOpaque else { return }
                if let signIn = run.signIn {
                    ConstructOptions.methodMapping.check(
                        given, of: "addEventSourceMapping()", signIn, run, options.realm)
                }
                guard !Self.subscribe(place, to: try? options.get("eventSourceArn"), given[1], run) else { return }
                guard let signIn = run.signIn else { return }
                signIn.functions.call(place, with: try? options.get("eventSourceArn"), given[1], signIn)
            })
        lambda.put(
            "addFunctionUrl",
            .object(
                realm.function("addFunctionUrl", length: 1) { call throws(Thrown) in
                    let run = try ProgramRun.of(call.realm)
                    ConstructOptions.functionURL.check(call.arguments, of: "addFunctionUrl()", in: call.realm)
                    run.signIn?.functions.functions[place].hasOpenURL = Self.isOpen(call.arguments.first)
                    return .object(
                        OpaqueObject(call.realm, origin: "\(Self.origin(key)).addFunctionUrl()"))
                }))
    }

    /// Has a function told of the messages of a queue, where it is one.
    private static func subscribe(
        _ place: Int, to queue: ProgramValue?, _ options: ProgramValue?, _ run: ProgramRun
    ) -> Bool {
        guard let signIn = run.signIn, let subscription = signIn.messaging.subscription(queue, options) else {
            return false
        }
        guard isOn(options) else { return true }
        signIn.functions.functions[place].queues.append(subscription)
        return true
    }

    /// Returns whether the source of events is on that has these options: one of which that is not known is off.
    private static func isOn(_ options: ProgramValue?) -> Bool {
        guard let enabled = try? options?.plain?.get("enabled") else { return true }
        return Timer.isOn(enabled) == true
    }

    /// Returns whether `addFunctionUrl({ authType: FunctionUrlAuthType.NONE })` lets everybody call; without a word it is who signs.
    private static func isOpen(_ options: ProgramValue?) -> Bool {
        guard case .object(let options)? = options, !options.isOpaque else { return false }
        switch try? options.get("authType") {
        case .text(let text)?: return text.string == "NONE"
        case .object(let type as OpaqueObject)?: return type.origin.hasSuffix(".NONE")
        default: return false
        }
    }

    /// A method that gives another construct, or the value of which nobody asks.
    private static func method(
        _ name: String, _ realm: Realm, _ body: @escaping @Sendable (ProgramRun, [ProgramValue]) -> Void
    ) -> ProgramValue {
        .object(
            realm.function(name, length: 2) { call throws(Thrown) in
                body(try ProgramRun.of(call.realm), call.arguments)
                let origin = call.this.opaque.map { "\($0.origin).\(name)()" } ?? "\(name)()"
                return .object(OpaqueObject(call.realm, origin: origin))
            })
    }

    /// Returns whether `new X(...)` says something of a function: that it is called with the changes of a table, or by the clock.
    func takes(
        _ made: OpaqueObject, of kind: OpaqueObject, _ arguments: [ProgramValue], _ signIn: SignInRun
    ) -> Bool {
        let name = kind.origin.split(separator: ".").last ?? ""
        if takes(function: made, of: kind, name, arguments, signIn) { return true }
        if name == "Rule" { return takes(rule: made, arguments, signIn) }
        if kind.module?.address.contains(bytesOf: "aws-scheduler") == true, arguments.count > 2,
            case .object(let options) = arguments[2], !options.isOpaque
        {
            if name == "Schedule" { return takes(schedule: options, made, signIn) }
            if name == "CfnSchedule" { return takes(plainSchedule: options, made, signIn) }
        }
        if name == "DynamoEventSource", case .object(let table)? = arguments.first {
            return Self.model(ofTable: table) != nil || signIn.dataSources.tables.name(of: table) != nil
        }
        guard name == "EventSourceMapping", arguments.count > 2, case .object(let options) = arguments[2],
            !options.isOpaque, case .object(let target)? = try? options.get("target"),
            let place = lambdas.first(where: { $0.object === target })?.place
        else { return false }
        let source = try? options.get("eventSourceArn")
        if let subscription = signIn.messaging.subscription(source, arguments[2]) {
            if Self.isOn(arguments[2]) { functions[place].queues.append(subscription) }
            return true
        }
        return call(place, with: source, arguments[2], signIn)
    }

    /// `new Rule(scope, id, { schedule, targets })`
    private func takes(rule: OpaqueObject, _ arguments: [ProgramValue], _ signIn: SignInRun) -> Bool {
        guard arguments.count > 2, case .object(let options) = arguments[2], !options.isOpaque,
            case .object(let written)? = try? options.get("schedule"),
            let schedule = (written as? OpaqueObject).flatMap(CDKSchedule.init)
        else { return false }
        var targets: [ProgramValue] = []
        if case .object(let list)? = try? options.get("targets"), let list = list as? ScriptArray {
            targets = (try? list.values()) ?? []
        }
        let part = signIn.parts.part(of: rule, "\(rule.origin).CfnRule()")
        let enabled = (try? options.get("enabled")) ?? .undefined
        let place = timers.count
        timers.append(Timer(part: part, enabled: enabled, schedule: schedule, isOfRule: true, targets: targets))
        rule.put(
            "addTarget",
            Self.method("addTarget", rule.realm) { run, given in
                if let target = given.first { run.signIn?.functions.timers[place].targets.append(target) }
            })
        return true
    }

    /// `new Schedule(scope, id, { schedule, target, enabled })` of EventBridge's scheduler.
    private func takes(schedule options: ScriptObject, _ made: OpaqueObject, _ signIn: SignInRun) -> Bool {
        guard case .object(let written)? = try? options.get("schedule"),
            let schedule = (written as? OpaqueObject).flatMap(CDKSchedule.init),
            let target = try? options.get("target")
        else { return false }
        let enabled = (try? options.get("enabled")) ?? .undefined
        // Something else that the scheduler calls is said not to be served.
        guard start(target, by: schedule, isOfRule: false, signIn, isTried: true) else {
            if case .boolean(false) = enabled { return true }
            return false
        }
        let part = signIn.parts.part(of: made, "\(made.origin).CfnSchedule()")
        timers.append(Timer(part: part, enabled: enabled, schedule: schedule, isOfRule: false, targets: [target]))
        return true
    }

    /// `new CfnSchedule(scope, id, { scheduleExpression, target: { arn, input } })`
    private func takes(plainSchedule options: ScriptObject, _ made: OpaqueObject, _ signIn: SignInRun) -> Bool {
        func text(_ name: String, of object: ScriptObject) -> String? {
            if case .text(let text)? = try? object.get(name) { text.string } else { nil }
        }
        guard let expression = text("scheduleExpression", of: options), !expression.hasPrefix("at("),
            case .object(let target)? = try? options.get("target"), !target.isOpaque, let arn = try? target.get("arn"),
            let place = place(ofFunction: arn)
        else { return false }
        let input = text("input", of: target)
        // What is no JSON the scheduler refuses.
        if let input, (try? JSONReader.value(of: input)) == nil { return false }
        timers.append(
            Timer(
                part: signIn.parts.part(made), enabled: (try? options.get("state")) ?? .undefined,
                plain: FunctionSchedule(
                    expression, zone: text("scheduleExpressionTimezone", of: options), input: input),
                function: place))
        return true
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

    private func place(ofFunction value: ProgramValue) -> Int? {
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

    /// The function of a place is called with the changes of a table.
    @discardableResult
    private func call(
        _ place: Int, with table: ProgramValue?, _ options: ProgramValue?, _ signIn: SignInRun
    ) -> Bool {
        guard case .object(let table)? = table else { return false }
        let position = files.position(table.realm.callPlace)
        let own = signIn.dataSources.tables.streamed(table, at: position)
        guard let name = own ?? Self.model(ofTable: table) else { return false }
        guard Self.isOn(options),
            !functions[place].tables.contains(where: { $0.model == name && $0.isOwn == (own != nil) })
        else { return true }
        var events = TableEvents(name, isOwn: own != nil)
        EventSourceOptions(options)?.write(to: &events)
        functions[place].tables.append(events)
        return true
    }

    /// The model of `backend.data.resources.tables.Todo` and of what it has.
    static func model(ofTable object: ScriptObject) -> String? {
        guard let opaque = object as? OpaqueObject else { return nil }
        let parts = opaque.origin.split(separator: ".").map(String.init)
        guard let tables = parts.lastIndex(where: { $0 == "tables" || $0 == "amplifyDynamoDbTables" }) else {
            return nil
        }
        return parts.dropFirst(tables + 1).first
    }
}
