import JSON

/// What computes a field that is not stored: a function, an HTTP call, or a service that runs nowhere but in the cloud.
package enum FieldResolver: Sendable, Hashable {
    /// Functions that are called in their order, each with the result of the one before.
    case functions([FunctionCall])
    case http(HTTPCall)
    case sql(SQLStatement)
    /// The actions of `@predictions`: in the API, but answered with an error.
    case predictions([String])
    /// `@generation`: a language model answers.
    case generation(AssistantSettings)
    /// `@conversation`: what it is to do with which of them.
    case conversation(Conversation, Conversation.Step)
    /// Steps that are written in JavaScript or Velocity: in the API, but answered with an error that names them.
    case scripts([CustomHandler])
    /// Such steps before and behind what a directive says.
    indirect case steps([CustomHandler], around: FieldResolver)

    /// The steps that somebody wrote for it.
    package var handlers: [CustomHandler] {
        switch self {
        case .scripts(let handlers): handlers
        case .steps(let handlers, let inner): handlers + inner.handlers
        default: []
        }
    }

    /// What answers for the field in the middle of such steps.
    package var inner: FieldResolver {
        if case .steps(_, let inner) = self { inner } else { self }
    }

    /// What `@http` says of the field: its arguments are grouped by that, whatever answers.
    var httpCall: HTTPCall? {
        switch self {
        case .http(let call): return call
        case .steps(_, let inner): return inner.httpCall
        case .scripts(let handlers):
            for handler in handlers { if case .http(let call)? = handler.directiveSource { return call } }
            return nil
        default: return nil
        }
    }

    /// What comes of a directive and of steps for the same field: steps that stand before and behind something stand around it, and files
    /// with the names of what Amplify makes of the directive come in the place of that. A resolver that is attached otherwise comes in the
    /// place of the directive.
    ///
    /// - Parameters:
    ///   - version: the transformer's.
    ///   - required: the arguments that the schema asks for.
    func under(_ steps: FieldResolver, version: Int, required: [String] = []) -> FieldResolver {
        if case .scripts = self { return steps }
        guard case .scripts(let all) = steps else { return steps }
        let handlers = all.filter { $0.role != .service }
        let slots = handlers.filter(\.isSlot)
        let own = handlers.filter { !$0.isSlot }
        guard own.allSatisfy({ $0.role == .main && $0.dataSource.isEmpty }) else { return steps }
        let middle: FieldResolver
        switch self {
        case .functions(let calls) where !own.isEmpty:
            let pipeline = calls.map { GeneratedCall($0).step(of: own[0].typeName, own[0].fieldName) }
            middle = .scripts(own.map(GeneratedCall.around) + pipeline)
        case .http(let call) where handlers.count < all.count:
            let calls = all.filter { $0.role == .service }.map {
                GeneratedHTTPCall(call, required: required).step(with: $0)
            }
            middle = .scripts(own.map(GeneratedCall.around) + calls)
        case .http(let call) where version == 1 && own.contains(where: \.code.hasRequest):
            // Of that version a resolver of its own stands there.
            middle = .scripts(
                own.map { handler in
                    var handler = handler.on("\(call.origin)HttpDataSource")
                    handler.directiveSource = .http(call)
                    return handler
                })
        default: return .steps(handlers, around: self)
        }
        return slots.isEmpty ? middle : .steps(slots, around: middle)
    }

    /// These steps without those that are called after a part which Amplify does not make of a field's directive; nil: none are left.
    func fitting(_ directive: FieldResolver?, version: Int) -> FieldResolver? {
        guard case .scripts(let handlers) = self, handlers.contains(where: { $0.role == .service }) else { return self }
        if version != 1, case .http? = directive { return self }
        let others = handlers.filter { $0.role != .service }
        return others.isEmpty ? nil : .scripts(others)
    }

    /// The same with the project's own files in the place of what Amplify makes to call functions.
    func calling(_ files: [ByteText: CustomHandler], at path: FieldPath) -> FieldResolver {
        switch self {
        case .functions(let calls):
            guard calls.contains(where: { files[GeneratedCall($0).name] != nil }) else { return self }
            let steps = calls.map { GeneratedCall($0).step(of: path.type, path.field) }
            return FieldResolver.scripts(steps).calling(files, at: path)
        case .scripts(let handlers):
            return .scripts(
                handlers.map { handler in
                    guard handler.isAmplifys, let file = files[handler.entry] else { return handler }
                    return GeneratedCall.step(handler, with: file)
                })
        case .steps(let handlers, let inner): return .steps(handlers, around: inner.calling(files, at: path))
        default: return self
        }
    }

    /// The same for an operation of a model, whose own step works on the model's table.
    func onTable(of model: String) -> FieldResolver {
        guard case .scripts(let handlers) = self else { return self }
        return .scripts(
            handlers.map { handler in
                guard handler.role == .main, handler.dataSource.isEmpty else { return handler }
                return handler.on(CustomHandler.table(of: model))
            })
    }

    /// The language of handlers, and the files that they are in.
    package static func language(of handlers: [CustomHandler]) -> String { handlers.first?.language ?? "JavaScript" }
}

/// A call of `@function`.
package struct FunctionCall: Sendable, Hashable {
    /// The name as written, `${env}` included.
    package let name: String
    package let region: String?
    package let accountID: String?
    /// True if the caller does not wait for the result (`invocationType: Event`).
    package let isEvent: Bool

    package init(name: String, region: String? = nil, accountID: String? = nil, isEvent: Bool = false) {
        self.name = name
        self.region = region
        self.accountID = accountID
        self.isEvent = isEvent
    }
}

/// A call of `@http`.
package struct HTTPCall: Sendable, Hashable {
    package enum Method: String, Sendable, CaseIterable {
        case get = "GET"
        case post = "POST"
        case put = "PUT"
        case delete = "DELETE"
        case patch = "PATCH"

        /// True if arguments may travel in the body too.
        package var hasBody: Bool { self == .post || self == .put || self == .patch }
    }

    package struct Header: Sendable, Hashable {
        package let name: String
        package let value: String

        package init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    package let method: Method
    package let url: String
    package let headers: [Header]

    package init(method: Method, url: String, headers: [Header] = []) {
        self.method = method
        self.url = url
        self.headers = headers
    }

    /// The names of the `:name` parts of the path, in their order.
    package var pathParameters: [String] {
        var names: [String] = []
        let bytes = Array(path.utf8)
        var index = 0
        while index < bytes.count {
            guard bytes[index] == UInt8(ascii: ":") else {
                index += 1
                continue
            }
            var end = index + 1
            while end < bytes.count, bytes[end].isWord { end += 1 }
            if end > index + 1 { names.append(String(decoding: bytes[(index + 1)..<end], as: UTF8.self)) }
            index = end
        }
        return names
    }

    /// Scheme and host of the URL.
    package var origin: String {
        let path = path
        return path == "/" && !url.hasSuffix("/")
            ? url : String(decoding: url.utf8.dropLast(path.utf8.count), as: UTF8.self)
    }

    /// The part of the URL after the host; `/` when there is none.
    package var path: String {
        let scheme = url.hasPrefix("https://") ? 8 : url.hasPrefix("http://") ? 7 : 0
        let bytes = Array(url.utf8.dropFirst(scheme))
        guard let slash = bytes.firstIndex(of: UInt8(ascii: "/")) else { return "/" }
        return String(decoding: bytes[slash...], as: UTF8.self)
    }
}

/// The statement of `@sql`, or the name of one.
package enum SQLStatement: Sendable, Hashable {
    case text(String)
    case reference(String)
}
