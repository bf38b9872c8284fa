import JSON
import Network
import Testing

@testable import Cloud

/// One table with all that a form or a path may have, read and written without a request.
@Suite("Calls as the wire has them")
struct WireTests {
    private typealias Member = MemberShape.Member

    private static let text = MemberShape.text(0...100)
    private static let members = [
        Member("Name", text), Member("Count", .integer(0...9)), Member("Flag", .boolean),
        Member("Names", .list(text, max: 4)), Member("Map", .map(text, keyMax: 10, max: 4)),
        Member("Attributes", .map(.object([Member("Type", text)]), keyMax: 10, max: 4), form: .init("Attributes")),
        Member("Entries", .list(.object([Member("Id", text), Member("Inner", .object([Member("A", text)]))]), max: 4)),
    ]

    @Test(
        "parameters are the members that shapes name, with elements below a name of their own",
        arguments: [
            ("Name=a%20b&Other=c", #"{"Name":"a b"}"#), ("Count=3&Flag=true", #"{"Count":3,"Flag":true}"#),
            ("Count=x&Flag=yes", #"{"Count":"x","Flag":"yes"}"#),
            ("Names.member.2=b&Names.member.1=a", #"{"Names":["a","b"]}"#), ("Names=", #"{"Names":[]}"#),
            ("Names=a", #"{"Names":"a"}"#), ("Names.member.x=a", #"{"Names":[]}"#),
            ("Map.entry.1.key=k&Map.entry.1.value=v", #"{"Map":{"k":"v"}}"#), ("Map.entry.1.key=k", #"{"Map":{}}"#),
            ("Attributes.entry.1.Name=n&Attributes.entry.1.Value.Type=t", #"{"Attributes":{"n":{"Type":"t"}}}"#),
            ("Entries.member.1.Id=i&Entries.member.1.Inner.A=a", #"{"Entries":[{"Id":"i","Inner":{"A":"a"}}]}"#),
            ("Name.x=a", #"{"Name":{}}"#), ("Action=a&Version=1", "{}"),
        ])
    func forms(form: String, members: String) throws {
        let wire = FormWire(namespace: "", parametersMax: 8, nestingMax: 6)
        let object = try wire.object(of: wire.parameters(of: form), Self.members)
        #expect(JSONWriter.text(of: .object(object)) == members)
    }

    @Test("a form has its limits")
    func limits() {
        let wire = FormWire(namespace: "", parametersMax: 2, nestingMax: 2)
        for form in ["a=1&b=2&c=3", "a.b.c=1"] {
            #expect { try wire.object(of: wire.parameters(of: form), Self.members) } throws: {
                ($0 as? CloudError)?.code == "MalformedInput"
            }
        }
    }

    @Test("maps of answers are pairs, lists have an element around each item")
    func answers() {
        let wire = FormWire(namespace: "urn:x", parametersMax: 2, nestingMax: 2, maps: ["Map"])
        let content = JSONObject([("Map", ["a<": "1"]), ("List", ["x", ["Y": true]]), ("Empty", [])])
        let response = wire.answer(nil).success("Do", wire.shown(content, "Do"))
        guard case .bytes(let bytes, _) = response.body else { return #expect(Bool(false), "no bytes") }
        #expect(
            String(decoding: bytes, as: UTF8.self)
                == #"<DoResponse xmlns="urn:x"><DoResult><Map><entry><key>a&lt;</key><value>1</value></entry></Map>"#
                + "<List><member>x</member><member><Y>true</Y></member></List><Empty></Empty></DoResult>"
                + "<ResponseMetadata><RequestId>\(QueryAnswer.noIdentifier)</RequestId></ResponseMetadata></DoResponse>"
        )
    }

    // MARK: Paths

    private static func row(_ name: String, _ method: HTTPMethod, _ path: String) -> CloudOperation {
        CloudOperation(name, at: CallPath(method, path), members) { (call: CloudCall) async throws(CloudError) in
            call.input.members
        }
    }

    private static let table = ServiceTable(
        "Things", service: "things", paths: ["/v1/"], JSONLimits(bytesMax: 1_000), ServiceWords(),
        [
            row("List", .get, "/v1/things"), row("Put", .put, "/v1/things/{Name}"),
            row("Run", .post, "/v1/things/{Name}/run"),
        ])

    @Test(
        "a method and a path are an operation, with members in the path, in the query and in the body",
        arguments: [
            (.get, "/v1/things", "Count=2&Flag=false", "x", #"List {"Count":2,"Flag":false}"#),
            (.put, "/v1/things/a%2Fb", "Count=2", #"{"Count": 3, "Name": "c"}"#, #"Put {"Count":3,"Name":"a/b"}"#),
            (.post, "/v1/things/%7B/run", "", "", #"Run {"Name":"{"}"#),
            (.put, "/v1/things/a", "", "[]", nil), (.delete, "/v1/things", "", "", "DELETE /v1/things {}"),
            (.get, "/v1/things/a/run/b", "", "", "GET /v1/things/a/run/b {}"),
        ] as [(HTTPMethod, String, String, String, String?)])
    func paths(method: HTTPMethod, path: String, query: String, body: String, call: String?) throws {
        let found = try #require(Self.table.call(method, method.rawValue, path, query: query))
        let members = try? Self.table.members(of: found, Array(body.utf8))
        #expect(members.map { "\(found.operation) \(JSONWriter.text(of: .object($0)))" } == call)
    }

    @Test("other paths are another service's, and an unknown operation is not found")
    func others() async {
        #expect(Self.table.call(.get, "GET", "/v2/things") == nil)
        await #expect { try await Self.table.answer("GET /v1/x", .object(JSONObject())) } throws: {
            ($0 as? CloudError)?.status == 404
        }
    }

    // MARK: Tasks

    @Test("tasks write names with a capital letter, and JSON in the place of a text")
    func tasks() {
        let row = CloudOperation(
            "Do", [Member("name", Self.text), Member("entries", .list(.object([Member("Detail", Self.text)]), max: 2))]
        ) { (call: CloudCall) async throws(CloudError) in call.input.members }
        let table = ServiceTable(
            "Things", service: "things", target: "T", json: "1.0", JSONLimits(bytesMax: 9), ServiceWords(), [row])
        let input = JSONObject([
            ("Name", ["a": 1]), ("Entries", [["Detail": 7, "Other": [1]], ["Detail": .null]]), ("Else", ["b": 2]),
        ])
        #expect(
            JSONWriter.text(of: .object(table.members(ofTask: input, "Do")))
                == #"{"name":"{\"a\":1}","entries":[{"Detail":"7","Other":[1]},{"Detail":null}],"Else":{"b":2}}"#)
        #expect(table.hasSmallNames && table.members(ofTask: input, "No") == input)
    }
}
