import JSON
import Testing

@testable import Resolvers

@Suite("Resolver context")
struct ResolverContextTests {
    @Test("a context that says nothing has arguments, a stash and an environment")
    func empty() {
        let context = ResolverContext(json: [:])
        #expect(context.arguments == [:])
        #expect(context.stash.isEmpty)
        #expect(context.result == nil)
        #expect(context.previous == nil)
    }
}
