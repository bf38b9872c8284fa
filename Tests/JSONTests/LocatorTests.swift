import Testing

@testable import JSON

@Suite("Places in a text")
struct LocatorTests {
    static let text = Array(
        """
        {
          "host": "127.0.0.1",
          "auth": {
            "apiKeys": [
              {"key": "a"},
              { "key" : "ü", "expires": 1 }
            ],
            "p\\u006frt": 0
          },
          "host": "last"
        }
        """.utf8)

    static let places: [(path: JSONPath, line: Int, column: Int)] = [
        (JSONPath(), 1, 1), (JSONPath([.key("auth")]), 3, 11), (JSONPath([.key("host")]), 10, 11),
        (JSONPath([.key("auth"), .key("port")]), 8, 18), (JSONPath([.key("auth"), .key("apiKeys"), .index(0)]), 5, 7),
        (JSONPath([.key("auth"), .key("apiKeys"), .index(1), .key("expires")]), 6, 33),
    ]

    @Test("a value is found by its path", arguments: places)
    func findsValues(path: JSONPath, line: Int, column: Int) {
        let position = JSONLocator(Self.text).position(of: path)
        #expect(position?.line == line)
        #expect(position?.column == column)
    }

    @Test("a key is found by its path")
    func findsKeys() {
        let locator = JSONLocator([0xEF, 0xBB, 0xBF] + Self.text)
        let position = locator.positionOfKey(JSONPath([.key("auth"), .key("apiKeys"), .index(1), .key("expires")]))
        #expect(position?.line == 6)
        #expect(position?.column == 22)
        #expect(locator.positionOfKey(JSONPath([.key("auth"), .key("apiKeys"), .index(1)])) == nil)
    }

    @Test(
        "what is not there has no place",
        arguments: [
            [.key("none")], [.index(0)], [.key("host"), .key("x")], [.key("auth"), .key("apiKeys"), .index(2)],
            [.key("auth"), .key("apiKeys"), .index(-1), .key("x")],
        ] as [[JSONPath.Step]])
    func missesOthers(steps: [JSONPath.Step]) {
        #expect(JSONLocator(Self.text).position(of: JSONPath(steps)) == nil)
    }

    @Test("a path reads as people write it")
    func prints() {
        #expect(
            JSONPath().appending("auth").appending("apiKeys").appending(0).appending("key").description
                == "auth.apiKeys[0].key")
    }
}
