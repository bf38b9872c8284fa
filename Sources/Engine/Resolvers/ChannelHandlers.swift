import Access
import GraphQL
import JSON
import Resolvers
import Synchronization

/// The handler of a namespace of channels for one operation.
package struct NamespaceHandler: Sendable {
    package enum Work: Sendable {
        /// Code, with the data source that it works on; without one, it is a function that answers alone.
        case code(ResolverCode, source: String?)
        /// A function that is told of the events itself. Nobody waits for an event's answer.
        case function(String, isEvent: Bool)
        /// It cannot run, for this reason: nothing passes.
        case broken(String)
    }

    /// `onPublish` or `onSubscribe`
    package let name: String
    package let namespace: String
    package let work: Work
    private let kept = KeptProgram()

    package init(_ name: String, of namespace: String, _ work: Work) {
        self.name = name
        self.namespace = namespace
        self.work = work
    }

    /// The program that it runs, made once for each directory of functions.
    func program(in directory: FunctionDirectory) -> ResolverProgram {
        kept.value.withLock { kept in
            if let kept, kept.directory === directory { return kept.program }
            var (code, source): (ResolverCode?, String?) = (nil, nil)
            if case .code(let own, let name) = work { (code, source) = (own, name) }
            let program = ResolverProgram(ofChannel: name, namespace, code, source, directory)
            kept = (directory, program)
            return program
        }
    }

    private final class KeptProgram: Sendable {
        let value = Mutex<(directory: FunctionDirectory, program: ResolverProgram)?>(nil)
    }
}

/// A publish or a subscription as a handler gets it.
package struct ChannelCall: Sendable {
    let info: JSONValue
    let events: JSONValue?
    let addresses: [String]
    let fields: [(name: String, value: String)]

    /// - Parameters:
    ///   - events: those of a publish.
    ///   - addresses: where the caller is.
    ///   - fields: those of the head, or of the message, that it came with.
    package init(
        info: JSONValue, events: JSONValue? = nil, from addresses: [String], fields: [(name: String, value: String)]
    ) {
        self.info = info
        self.events = events
        self.addresses = addresses
        self.fields = fields
    }
}

/// The end of a handler's run.
package enum ChannelOutcome: Sendable {
    /// Code returned this.
    case returned(JSONValue)
    /// A function answered this.
    case answered(JSONValue)
    /// A function was told, and nobody waits for it.
    case told
    /// The code refused by `util.unauthorized()`.
    case unauthorized
    /// The code refused by `util.error()`.
    case refused(String, type: String?)
    /// The code failed.
    case failed(String)
    /// A function failed.
    case functionFailed(String)
}

extension Engine {
    /// Runs the handler of a namespace. Called on the loop of the shard.
    package func outcome(
        of handler: NamespaceHandler, _ told: ChannelCall, for identity: Identity, on shard: EngineShard
    ) async -> ChannelOutcome {
        guard let place = shard.callPlace(in: self) else { return .failed("nothing can be called here") }
        let caller = FieldCaller {
            FieldCaller.Told(
                identity: identity.channelPayload(sourceAddresses: told.addresses),
                authType: FieldCaller.Told.authType(identity.mode), fields: told.fields)
        }
        let call = FieldCall(
            caller: caller, path: ResponsePath([.name(handler.name)]),
            clock: CallClock(end: Timestamp.monotonicMilliseconds + settings.limits.milliseconds))
        do throws(CallFailure) {
            switch handler.work {
            case .broken(let reason): return .failed(reason)
            case .code(let code, let source):
                let program = handler.program(in: place.directory)
                var run = ResolverRun(program, call, place)
                run.context.channel = ResolverChannel(info: told.info, events: told.events)
                guard source != nil else {
                    return ChannelOutcome(try await run.run(code, .request))
                }
                switch try await run.run(program.steps[0]) {
                case .goesOn(let value), .ends(let value): return .returned(value)
                case .failed(let error): return ChannelOutcome(error)
                }
            case .function(let name, let isEvent):
                let program = handler.program(in: place.directory)
                let function = FunctionSourceCall(name, program.steps[0], program, call, place)
                let payload = Self.payload(of: told, caller)
                guard isEvent else { return .answered(try await function.result(of: payload)) }
                try function.begin(payload)
                return .told
            }
        } catch {
            if case .function = handler.work { return .functionFailed(error.detail ?? error.message) }
            return .failed(error.message)
        }
    }

    /// What a function is told that decides about events without any code.
    private static func payload(of told: ChannelCall, _ caller: FieldCaller) -> JSONValue {
        .object(
            JSONObject([
                ("identity", caller.identity), ("result", .null), ("request", caller.resolverRequest),
                ("info", told.info), ("error", .null), ("prev", .null), ("stash", [:]), ("outErrors", []),
                ("events", told.events ?? .null),
            ]))
    }
}

extension ChannelOutcome {
    fileprivate init(_ end: ResolverOutcome.End) {
        switch end {
        case .value(let value), .early(let value, _): self = .returned(value)
        case .failed(let error): self.init(error)
        }
    }

    fileprivate init(_ error: ResolverError) {
        if error.isUnauthorized {
            self = .unauthorized
        } else if error.isFault {
            self = .failed(error.message)
        } else {
            self = .refused(error.message, type: error.type)
        }
    }
}

extension Identity {
    /// `ctx.identity` of handlers of channels: what an authorizer said has another name there.
    fileprivate func channelPayload(sourceAddresses: [String]) -> JSONValue {
        guard let authorizer else { return payload(sourceAddresses: sourceAddresses) }
        return ["handlerContext": .object(authorizer.resolverContext)]
    }
}
