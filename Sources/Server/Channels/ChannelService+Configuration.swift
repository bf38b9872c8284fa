import Access
import Blueprint
import Channels
import Engine
import JSON
import Network
import Resolvers

extension ChannelService {
    /// The API of channels of a configuration; nil: there is none.
    ///
    /// - Parameters:
    ///   - mode: the API's default mode.
    ///   - rights: what the project gives the roles of the identity pool.
    static func of(
        _ configuration: Configuration, default mode: AuthMode, _ recognition: CallerRecognition,
        rights: IdentityRights, _ log: Log, tests: TestControl? = nil
    ) throws(StartError) -> ChannelService? {
        let setting = configuration.eventAPI
        guard setting.isThere else { return nil }
        for name in setting.namespaces.keys.sorted() where !ChannelNamespace.isName(name) {
            throw StartError(
                .configuration,
                "eventApi.namespaces: \"\(name)\" is no name of a namespace; expected 1 to "
                    + "\(ChannelLimits.segmentCharactersMax) letters, digits and hyphens, no hyphen at an end")
        }
        let api = setting.api(default: mode)
        var handlers: [ByteText: Handlers] = [:]
        for (name, namespace) in setting.namespaces {
            handlers[ByteText(name)] = Handlers(namespace, name, log)
        }
        var carried: (@Sendable (ReceivedPublish, Int) -> Void)?
        if let requests = tests?.requests {
            carried = { publish, status in requests.carried(publish, status: status) }
        }
        return ChannelService(
            api, handlers, try recognition.forChannels.authenticators(for: api.modes),
            rights: setting.isOfProject ? rights : nil, carried: carried)
    }
}

extension ChannelService.Handlers {
    /// The handlers of a namespace. One that cannot run lets nothing pass.
    fileprivate init(_ setting: NamespaceSetting, _ namespace: String, _ log: Log) {
        let settings = ["onPublish": setting.onPublish, "onSubscribe": setting.onSubscribe]
        func broken(_ reason: String) -> (String) -> NamespaceHandler? {
            log.warning("the handlers of the namespace \(namespace) cannot run, so it takes nothing: \(reason)")
            return { NamespaceHandler($0, of: namespace, .broken(reason)) }
        }
        let find: (String) -> NamespaceHandler?
        switch setting.source {
        case .failure(let fault): find = broken(fault.message)
        case .success(let source):
            do throws(ResolverCodeError) {
                let code = try source.map { source throws(ResolverCodeError) in
                    try ChannelCode(javaScript: source.text, isTypeScript: source.isTypeScript) { name in
                        (settings[name] ?? nil)?.source != nil
                    }
                }
                find = { name in
                    let setting = settings[name] ?? nil
                    if let function = setting?.function, let isEvent = setting?.isEvent {
                        return NamespaceHandler(name, of: namespace, .function(function, isEvent: isEvent))
                    }
                    let own = name == "onPublish" ? code?.onPublish : code?.onSubscribe
                    if let own { return NamespaceHandler(name, of: namespace, .code(own, source: setting?.source)) }
                    guard let setting else { return nil }
                    guard let function = setting.function else {
                        return NamespaceHandler(
                            name, of: namespace, .broken("\(name) has a data source and no code that works on it"))
                    }
                    return NamespaceHandler(name, of: namespace, .function(function, isEvent: false))
                }
            } catch {
                let first = error.findings.first
                let place = first.map { ":\($0.place.line):\($0.place.column)" } ?? ""
                find = broken("\(setting.code ?? "code.js")\(place): \(first?.message ?? error.message)")
            }
        }
        (onPublish, onSubscribe) = (find("onPublish"), find("onSubscribe"))
    }
}

extension NamespaceSetting.Handler {
    /// What code works on: a data source by its name. A function has one under its own.
    fileprivate var source: String? { dataSource ?? function.map { EventAPISetting.functionSource($0) } }
}

extension EventAPISetting {
    /// What the data source of a function is called that handlers of channels work on.
    static func functionSource(_ name: String) -> String { functionMark + name }

    /// No name of a data source has a colon.
    static let functionMark = "function:"
}

extension NamespaceSetting {
    fileprivate struct Source {
        let text: String
        let isTypeScript: Bool
    }

    fileprivate struct Fault: Error {
        let message: String
    }

    /// The code; nil: there is none.
    fileprivate var source: Result<Source?, Fault> {
        if let text { return .success(Source(text: text, isTypeScript: false)) }
        guard let code else { return .success(nil) }
        guard let bytes = try? SmallFile.read(code, bytesMax: 4 * ChannelLimits.codeCharactersMax) else {
            return .failure(
                Fault(
                    message:
                        "the file \(code) cannot be read, or has more than \(4 * ChannelLimits.codeCharactersMax) bytes"
                ))
        }
        return .success(Source(text: String(decoding: bytes, as: UTF8.self), isTypeScript: code.hasSuffix(".ts")))
    }
}
