import JSON
import Testing

@testable import Channels

@Suite("names of channels")
struct ChannelNameTests {
    @Test(
        "a name has one to five segments of letters, digits and hyphens; slashes around it make no difference",
        arguments: [
            ("default", "/default"), ("/default", "/default"), ("default/", "/default"), ("/a/b/c/d/e", "/a/b/c/d/e"),
            ("/default/a-b/C3/", "/default/a-b/C3"), ("default/*", "/default/*"), ("/a/b/c/d/*", "/a/b/c/d/*"),
        ])
    func accepts(_ row: (text: String, path: String)) {
        #expect(ChannelName(row.text)?.path == row.path)
    }

    @Test(
        "everything else is no name",
        arguments: [
            "", "/", "//", "*", "/*", "default//a", "//default/a", "default/a//", "default/a b", "default/-a",
            "default/a-", "default/a*", "default/**", "default/*/a", "*/a", "default/a_b", "default/\u{e9}",
            "default/a?b", "default/a.b", "default/\u{212A}elvin", "default/a\u{0}", "default/\u{2215}a", "a/b/c/d/e/f",
            "a/b/c/d/e/*", "default/%2a", "default/a\n",
            String(repeating: "a", count: 51), "a/" + String(repeating: "b", count: 51),
            String(repeating: "/a", count: 100_000),
        ])
    func refuses(_ text: String) {
        #expect(ChannelName(text) == nil)
    }

    @Test("the longest name is one")
    func longest() {
        let segment = String(repeating: "a", count: 50)
        #expect(ChannelName("/" + Array(repeating: segment, count: 5).joined(separator: "/") + "/") != nil)
    }

    @Test(
        "an event reaches its channel and the wildcards above it, by whole segments and within its namespace",
        arguments: [
            ("/default/news/a", ["/default/news/a", "/default/*", "/default/news/*"]),
            ("/default/newsroom", ["/default/*"]), ("/default", ["/default"]),
            ("/Default/news/a", []), ("/defaults/news", ["/defaults/*"]),
        ])
    func matches(_ row: (channel: String, found: [String])) throws {
        var table = ChannelTable<String>()
        for name in ["/default/news/a", "/default/*", "/default/news/*", "/default", "/defaults/*"] {
            _ = table.add(name, to: try #require(ChannelName(name)))
        }
        let found = table.listeners(to: try #require(ChannelName(row.channel))).map(\.member)
        #expect(Set(found) == Set(row.found))
        #expect(found.count == row.found.count)
    }

    @Test("nothing is left of a subscription that has gone, in whatever order they go")
    func removes() throws {
        var table = ChannelTable<Int>()
        let name = try #require(ChannelName("a/*"))
        var places = (0..<100).map { table.add($0, to: name) }
        places.shuffle()
        for place in places {
            table.remove(place)
            table.remove(place)
            #expect(!table.listeners(to: try #require(ChannelName("a/b"))).contains { $0 === place })
        }
        #expect(table.count == 0)
        #expect(table.nameCount == 0)
    }

    @Test("channels that are published to leave nothing behind, however many they are")
    func manyNames() throws {
        var table = ChannelTable<Int>()
        let place = table.add(1, to: try #require(ChannelName("/default/*")))
        for number in 0..<10_000 {
            #expect(table.listeners(to: try #require(ChannelName("/default/c\(number)"))).count == 1)
        }
        #expect(table.nameCount == 1)
        #expect(table.first(5) == [1] && table.first(0).isEmpty)
        table.remove(place)
        #expect(table.nameCount == 0 && table.first(5).isEmpty)
    }

    @Test("a namespace's list replaces the API's, also where it is empty")
    func modes() {
        let api = ChannelAPI(
            connect: [.apiKey], publish: [.apiKey], subscribe: [.iam],
            namespaces: [ChannelNamespace("chat", publish: [.userPools]), ChannelNamespace("shut", subscribe: [])])
        #expect(api.modes(for: .publish, in: api["chat"]) == [.userPools])
        #expect(api.modes(for: .subscribe, in: api["chat"]) == [.iam])
        #expect(api.modes(for: .subscribe, in: api["shut"]) == [])
        #expect(api["Chat"] == nil)
        #expect(Set(api.modes) == [.apiKey, .iam, .userPools])
    }
}
