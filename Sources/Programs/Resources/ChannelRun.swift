import Blueprint
import GraphQL
import JSON
import Project
import Script

/// What a run of a project's programs finds out about channels: the API that `new EventApi(...)` or `new CfnApi(...)` makes, and its
/// namespaces.
final class ChannelRun {
    private(set) var api: EventAPIResource?
    /// The opaque object of the API, and those of its namespaces.
    private var object: OpaqueObject?
    private var namespaceObjects: [(object: OpaqueObject, name: String)] = []
    private static let namespacesMax = 50
    /// The name of the API in ARNs.
    private static let apiID = "local-events"
    private static let arn = "arn:aws:appsync:us-east-1:123456789012:apis/\(apiID)"

    func forgetObjects() { (object, namespaceObjects) = (nil, []) }

    /// The namespace that an object stands for; nil within: the API itself; nil: it is neither.
    func part(_ object: ScriptObject) -> (namespace: String?, arn: String)? {
        if object === self.object { return (nil, Self.arn) }
        return namespaceObjects.first { $0.object === object }.map { ($0.name, Self.arn) }
    }

    /// Whether `new X(...)` makes an API of channels, or a namespace.
    func takes(_ construct: NewConstruct, _ signIn: SignInRun, _ run: ProgramRun) -> Bool {
        guard construct.module.hasSuffix("aws-appsync") else { return false }
        let (made, arguments, options) = (construct.made, construct.arguments, construct.options)
        switch construct.name {
        case "EventApi": return take(api: made, options.flatMap { $0.plain("authorizationConfig") }, .construct)
        case "CfnApi":
            guard let config = options.flatMap({ $0.plain("eventConfig") }) else { return false }
            return take(api: made, config, .resource)
        case "ChannelNamespace", "CfnChannelNamespace":
            guard arguments.count > 1, api != nil else { return false }
            add(arguments[1], options, as: made, signIn, run)
            return true
        default: return false
        }
    }

    /// The names that the CDK has for the parts of an API: those of the construct, and those of the resource.
    private struct Names {
        let providers: String
        let connect: String
        let publish: String
        let subscribe: String

        static let construct = Names(
            providers: "authProviders", connect: "connectionAuthModeTypes", publish: "defaultPublishAuthModeTypes",
            subscribe: "defaultSubscribeAuthModeTypes")
        static let resource = Names(
            providers: "authProviders", connect: "connectionAuthModes", publish: "defaultPublishAuthModes",
            subscribe: "defaultSubscribeAuthModes")
    }

    private func take(api made: OpaqueObject, _ config: ScriptObject?, _ names: Names) -> Bool {
        guard api == nil else { return false }
        let providers = config.flatMap { Self.modes($0, names.providers) } ?? ["API_KEY"]
        func modes(_ name: String) -> [String] { config.flatMap { Self.modes($0, name) } ?? providers }
        api = EventAPIResource(
            connect: modes(names.connect), publish: modes(names.publish), subscribe: modes(names.subscribe))
        object = made
        let realm = made.realm
        for name in ["apiId", "attrApiId"] { made.put(name, realm.value(Self.apiID)) }
        for name in ["apiArn", "attrApiArn"] { made.put(name, realm.value(Self.arn)) }
        made.put(
            "addChannelNamespace",
            .object(
                realm.function("addChannelNamespace", length: 2) { call throws(Thrown) in
                    let run = try ProgramRun.of(call.realm)
                    let namespace = OpaqueObject(call.realm, origin: "api.addChannelNamespace()")
                    if let signIn = run.signIn {
                        signIn.channels.add(call[0], call[1].plain, as: namespace, signIn, run)
                    }
                    return .object(namespace)
                }))
        return true
    }

    // MARK: Namespaces

    private func add(
        _ id: ProgramValue, _ options: ScriptObject?, as object: OpaqueObject, _ signIn: SignInRun, _ run: ProgramRun
    ) {
        let given = options.flatMap { $0.text("channelNamespaceName") ?? $0.text("name") } ?? id.text
        guard let name = given, let count = api?.namespaces.count, count < Self.namespacesMax else { return }
        var namespace = EventAPIResource.Namespace(name)
        if let options {
            let config = options.plain("authorizationConfig")
            namespace.publish =
                config.flatMap { Self.modes($0, "publishAuthModeTypes") } ?? Self.modes(options, "publishAuthModes")
            namespace.subscribe =
                config.flatMap { Self.modes($0, "subscribeAuthModeTypes") } ?? Self.modes(options, "subscribeAuthModes")
            takeCode(options, of: &namespace, run)
            let handlers = options.plain("handlerConfigs")
            namespace.onPublish =
                options.plain("publishHandlerConfig").flatMap { handler($0, signIn) }
                ?? handlers.flatMap { $0.plain("onPublish") }.flatMap { part($0) }
            namespace.onSubscribe =
                options.plain("subscribeHandlerConfig").flatMap { handler($0, signIn) }
                ?? handlers.flatMap { $0.plain("onSubscribe") }.flatMap { part($0) }
        }
        api?.namespaces.removeAll { $0.name == name }
        api?.namespaces.append(namespace)
        namespaceObjects.append((object, name))
    }

    /// `codeHandlers: text`, `Code.fromInline(text)`, `Code.fromAsset(path)`. Code that cannot be read must not let everything pass.
    private func takeCode(_ options: ScriptObject, of namespace: inout EventAPIResource.Namespace, _ run: ProgramRun) {
        if let text = options.text("codeHandlers") {
            namespace.text = text
            return
        }
        let isGiven = ["code", "codeHandlers", "codeS3Location"].contains { name in
            (try? options.get(name)).map { !$0.isNullish } ?? false
        }
        guard isGiven else { return }
        namespace.text = ""
        guard case .object(let code)? = try? options.get("code"), let code = code as? OpaqueObject,
            case .call(let given) = code.making, let first = given.first, let text = first.text,
            case .member(_, let method)? = code.function?.making
        else { return }
        switch method {
        case "fromInline": namespace.text = text
        case "fromAsset":
            namespace.text = nil
            namespace.file = ProgramFiles.join(run.files.project.workingDirectory, text)
        default: break
        }
    }

    /// `{ direct, dataSource, lambdaInvokeType }`
    private func handler(_ options: ScriptObject, _ signIn: SignInRun) -> EventAPIResource.Handler? {
        var handler = EventAPIResource.Handler()
        if case .boolean(true)? = try? options.get("direct") { handler.isDirect = true }
        handler.isEvent = Self.member(options, "lambdaInvokeType") == "EVENT"
        guard case .object(let source)? = try? options.get("dataSource"), let source = source as? OpaqueObject,
            case .call(let given) = source.making, case .member(_, let method)? = source.function?.making
        else { return handler.isDirect ? handler : nil }
        if method == "addLambdaDataSource" {
            handler.function = given.count > 1 ? signIn.functions.name(ofFunction: given[1]) : nil
        } else {
            handler.dataSource = signIn.dataSources.add(method, given, as: source, signIn)
        }
        return handler
    }

    /// `{ behavior, integration: { dataSourceName, lambdaConfig: { invokeType } } }`
    private func part(_ options: ScriptObject) -> EventAPIResource.Handler? {
        var handler = EventAPIResource.Handler()
        handler.isDirect = options.text("behavior") == "DIRECT"
        guard let integration = options.plain("integration") else { return handler.isDirect ? handler : nil }
        handler.dataSource = integration.text("dataSourceName")
        handler.isEvent = integration.plain("lambdaConfig").flatMap { $0.text("invokeType") } == "EVENT"
        return handler
    }

    // MARK: Options

    private static let modeNames = [
        "API_KEY": "API_KEY", "IAM": "AWS_IAM", "AWS_IAM": "AWS_IAM", "USER_POOL": "AMAZON_COGNITO_USER_POOLS",
        "AMAZON_COGNITO_USER_POOLS": "AMAZON_COGNITO_USER_POOLS", "OIDC": "OPENID_CONNECT",
        "OPENID_CONNECT": "OPENID_CONNECT", "LAMBDA": "AWS_LAMBDA", "AWS_LAMBDA": "AWS_LAMBDA",
    ]

    /// The modes of a list: members of an enum, texts, or objects that have one. One that cannot be read admits nobody.
    private static func modes(_ options: ScriptObject, _ name: String) -> [String]? {
        guard case .object(let list)? = try? options.get(name), let list = list as? ScriptArray,
            let values = try? list.values(), !values.isEmpty
        else { return nil }
        return values.compactMap { value in
            var written = constant(value)
            if written == nil, let entry = value.plain {
                written = member(entry, "authType") ?? member(entry, "authorizationType")
            }
            return written.flatMap { modeNames[$0] }
        }.reduce(into: [String]()) { modes, mode in if !modes.contains(mode) { modes.append(mode) } }
    }

    /// A text, or the name of a member: `AuthorizationType.USER_POOL`.
    private static func constant(_ value: ProgramValue) -> String? {
        if let text = value.text { return text }
        guard case .object(let object) = value, let opaque = object as? OpaqueObject,
            case .member(_, let name) = opaque.making
        else { return nil }
        return name
    }

    private static func member(_ options: ScriptObject, _ name: String) -> String? {
        (try? options.get(name)).flatMap { constant($0) }
    }
}
