import Access
import Blueprint
import Channels
import Engine
import JSON
import Network
import Resolvers
import Synchronization

extension ChannelService {
    /// The API of channels of a project. Where another project may come, it is there without any.
    convenience init?(
        _ project: ServedProject, _ recognition: CallerRecognition, isRenewable: Bool, tests: TestControl? = nil
    ) throws(StartError) {
        let channels = try ServedChannels.of(project, recognition)
        guard channels != nil || isRenewable else { return nil }
        var carried: (@Sendable (ReceivedPublish, Int) -> Void)?
        if let requests = tests?.requests {
            carried = { publish, status in requests.carried(publish, status: status) }
        }
        self.init(channels, carried: carried)
    }
}

/// The channels follow the project: its namespaces, modes and handlers.
final class ChannelPart: ServedPart {
    private let service: ChannelService
    private let recognition: CallerRecognition
    private let project: Mutex<ServedProject>

    init(_ service: ChannelService, _ recognition: CallerRecognition, _ project: ServedProject) {
        self.service = service
        self.recognition = recognition
        self.project = Mutex(project)
    }

    func adopt(_ project: ServedProject) async throws(StartError) {
        self.project.withLock { $0 = project }
        let former = service.served
        if former == nil, !project.running.eventAPI.isThere { return }
        service.adopt(try ServedChannels.of(project, recognition.following(project.configuration), after: former))
    }

    /// A file of handlers may have been edited alone.
    func renew() async {
        let project = project.withLock { $0 }
        guard let served = service.served, served.written != WrittenHandlers.all(of: project.running.eventAPI) else {
            return
        }
        do throws(StartError) {
            try await adopt(project)
            project.log.info("the handlers of channels have changed, and are served")
        } catch {
            project.log.warning("the handlers of channels stay as they were: \(error)")
        }
    }
}

extension ServedChannels {
    /// The API of channels of a project; nil: there is none.
    ///
    /// - Parameter former: the one in whose place it comes.
    static func of(
        _ project: ServedProject, _ recognition: CallerRecognition, after former: ServedChannels? = nil
    ) throws(StartError) -> ServedChannels? {
        let setting = project.running.eventAPI
        guard setting.isThere else { return nil }
        for name in setting.namespaces.keys.sorted() where !ChannelNamespace.isName(name) {
            throw StartError(
                .configuration,
                "eventApi.namespaces: \"\(name)\" is no name of a namespace; expected 1 to "
                    + "\(ChannelLimits.segmentCharactersMax) letters, digits and hyphens, no hyphen at an end")
        }
        let api = setting.api(default: project.defaultMode)
        let written = WrittenHandlers.all(of: setting)
        var handlers: [ByteText: Handlers] = [:]
        for (name, written) in written {
            handlers[name] = Handlers(written, name.string, project.log)
        }
        return ServedChannels(
            api, try recognition.forChannels.authenticators(for: api.modes), handlers, written,
            rights: setting.isOfProject ? project.rights.identities : nil, after: former)
    }
}

/// The handlers of a namespace as they are written, with the text of their file.
struct WrittenHandlers: Equatable {
    let setting: NamespaceSetting
    /// Nil: there is no code.
    let text: ByteText?
    let isTypeScript: Bool
    /// Why the file cannot be read; nil: it can.
    let fault: String?

    private init(_ setting: NamespaceSetting) {
        self.setting = setting
        let code = setting.text == nil ? setting.code : nil
        isTypeScript = code?.hasSuffix(".ts") ?? false
        guard let code else {
            (text, fault) = (setting.text.map { ByteText($0) }, nil)
            return
        }
        let bytesMax = 4 * ChannelLimits.codeCharactersMax
        guard let bytes = try? SmallFile.read(code, bytesMax: bytesMax) else {
            (text, fault) = (nil, "the file \(code) cannot be read, or has more than \(bytesMax) bytes")
            return
        }
        (text, fault) = (ByteText(String(decoding: bytes, as: UTF8.self)), nil)
    }

    static func all(of setting: EventAPISetting) -> [ByteText: WrittenHandlers] {
        Dictionary(texts: setting.namespaces.map { ($0, WrittenHandlers($1)) }, uniquingKeysWith: { first, _ in first })
    }
}

extension ServedChannels.Handlers {
    /// The handlers of a namespace. One that cannot run lets nothing pass.
    fileprivate init(_ written: WrittenHandlers, _ namespace: String, _ log: Log) {
        let setting = written.setting
        let settings = ["onPublish": setting.onPublish, "onSubscribe": setting.onSubscribe]
        func broken(_ reason: String) -> (String) -> NamespaceHandler? {
            log.warning("the handlers of the namespace \(namespace) cannot run, so it takes nothing: \(reason)")
            return { NamespaceHandler($0, of: namespace, .broken(reason)) }
        }
        let find: (String) -> NamespaceHandler?
        if let fault = written.fault {
            find = broken(fault)
        } else {
            do throws(ResolverCodeError) {
                let code = try written.text.map { text throws(ResolverCodeError) in
                    try ChannelCode(javaScript: text.string, isTypeScript: written.isTypeScript) { name in
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
