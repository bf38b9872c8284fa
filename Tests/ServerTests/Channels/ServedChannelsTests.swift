import Channels
import JSON
import TestSupport
import Testing

@testable import Server

@Suite("The API of channels that follows a project")
struct ServedChannelsTests {
    private static func next(_ written: [ByteText: WrittenHandlers], after former: ServedChannels?) -> ServedChannels {
        let api = ChannelAPI(connect: [.apiKey], publish: [.apiKey], subscribe: [.apiKey], namespaces: [])
        return ServedChannels(api, [], [:], written, rights: nil, after: former)
    }

    @Test("handlers are others once their text, their file or their function has changed, and stay so")
    func handlers() throws {
        let folder = TemporaryFolder()
        try folder.write("export function onSubscribe(ctx) {}", to: "a.js")
        var setting = EventAPISetting()
        for name in ["edited", "function", "text", "kept", "gone"] { setting.namespaces[name] = NamespaceSetting() }
        setting.namespaces["edited"]?.code = folder.path + "/a.js"
        setting.namespaces["kept"]?.code = folder.path + "/none.js"
        setting.namespaces["text"]?.text = "export function onSubscribe(ctx) {}"
        let first = Self.next(WrittenHandlers.all(of: setting), after: nil)
        #expect(first.written == WrittenHandlers.all(of: setting))
        #expect(!first.hasChanged("edited"))

        try folder.write("export function onSubscribe(ctx) { util.unauthorized() }", to: "a.js")
        setting.namespaces["text"]?.text = "export function onSubscribe(ctx) { util.unauthorized() }"
        setting.namespaces["function"]?.onSubscribe = NamespaceSetting.Handler()
        setting.namespaces["function"]?.onSubscribe?.function = "decide"
        setting.namespaces["gone"] = nil
        let second = Self.next(WrittenHandlers.all(of: setting), after: first)
        let third = Self.next(second.written, after: second)
        for served in [second, third] {
            for name in ["edited", "function", "text", "gone"] { #expect(served.hasChanged(name), "\(name)") }
            #expect(!served.hasChanged("kept") && !served.hasChanged("never"))
        }
    }
}
