import Blueprint
import GraphQL
import JSON
import Project
import Script

/// The methods of what stands for a function in a program: who calls it, and what it finds.
extension FunctionRun {
    /// Gives what stands for a function the methods by which a program says who calls it and what it finds.
    func stand(
        for place: Int, _ lambda: OpaqueObject, under key: String, settingsOf parts: [OpaqueObject], _ realm: Realm
    ) {
        know(lambda, as: place)
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
    static func isOn(_ options: ProgramValue?) -> Bool {
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
    static func method(
        _ name: String, _ realm: Realm, _ body: @escaping @Sendable (ProgramRun, [ProgramValue]) -> Void
    ) -> ProgramValue {
        .object(
            realm.function(name, length: 2) { call throws(Thrown) in
                body(try ProgramRun.of(call.realm), call.arguments)
                let origin = call.this.opaque.map { "\($0.origin).\(name)()" } ?? "\(name)()"
                return .object(OpaqueObject(call.realm, origin: origin))
            })
    }

    /// The function of a place is called with the changes of a table.
    @discardableResult
    func call(
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
