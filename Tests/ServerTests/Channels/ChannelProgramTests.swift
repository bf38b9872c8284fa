import Testing

@testable import Engine

@Suite("Programs of channels' handlers")
struct ChannelProgramTests {
    @Test("a handler's program is made once for the functions that there are")
    func isMadeOnce() {
        let handler = NamespaceHandler("onPublish", of: "chat", .function("say", isEvent: false))
        let (first, second) = (FunctionDirectory([:]), FunctionDirectory([:]))
        let program = handler.program(in: first)
        #expect(handler.program(in: first) === program)
        #expect(handler.program(in: second) !== program)
    }
}
