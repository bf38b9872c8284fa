import Glibc
import JSON
import TestSupport
import Testing

@testable import Moving

@Suite("The elements of a document")
struct SourceElementsTests {
    private func elements(_ text: String) throws -> (elements: [String], others: JSONObject) {
        let folder = TemporaryFolder()
        var elements = SourceElements(try SourceFile(try folder.write(text, to: "a.json")))
        var found: [String] = []
        while try elements.next({ list, bytes throws(MovingFault) in
            found.append("\(list) \(String(decoding: bytes, as: UTF8.self))")
        }) {}
        return (found, elements.others)
    }

    static let cases: [(text: String, elements: [String])] = [
        ("", []), ("  \n", []), (#"{"Items":[]}"#, []), (#"{"Count":0}"#, []),
        (
            #"{"Items":[{"a":{"S":"}]\""}},2 , "x"],"Count":2}"#,
            [#"Items {"a":{"S":"}]\""}}"#, "Items 2", #"Items "x""#]
        ),
        (#"{"A":[1],"B":{"C":[2]},"D":[3]}{"A":[4]}"#, ["A 1", "D 3", "A 4"]),
        ("[1,\n[2],true]", [" 1", " [2]", " true"]),
    ]

    @Test("come one by one, with the name of their list", arguments: cases)
    func elements(text: String, expected: [String]) throws {
        #expect(try elements(text).elements == expected)
    }

    @Test("leave the other members")
    func others() throws {
        let others = try elements(#"{"Items":[1],"LastEvaluatedKey":{"id":{"S":"a"}},"Count":1}"#).others
        #expect(others["LastEvaluatedKey"]?["id"]?["S"]?.string == "a")
        #expect(others["Count"]?.integer == 1)
    }

    static let faults = [
        #"{"Items":["#, #"{"Items":[{"a":1}"#, #"{"Items":[}"#, #"{"a":}"#, "7", #"{"a" 1}"#, #"{"a":[1]"#, #"{"a":"x"#,
        #"{"Items":[1 2]} x"#, #"{"Items":[{"a":"b]}"#,
    ]

    @Test("of a document that is cut off or none are refused with the place", arguments: faults)
    func refuses(text: String) throws {
        do {
            _ = try elements(text)
            Issue.record("\(text) was read")
        } catch let fault as MovingFault {
            #expect(fault.description.contains("a.json: byte "))
        }
    }

    @Test("are as long as they may be, and no longer")
    func limit() throws {
        let text = String(repeating: "a", count: MovingLimits.elementBytesMax - 2)
        #expect(try elements("[\"\(text)\"]").elements.count == 1)
        #expect(throws: MovingFault.self) { try elements("[\"\(text)\(String(repeating: "a", count: 600_000))\"]") }
        #expect(throws: MovingFault.self) {
            try elements("{\"a\":\"\(String(repeating: "a", count: MovingLimits.memberBytesMax))\"}")
        }
    }
}
