import Cloud
import JSON
import Testing

@testable import Parameters

@Suite("Versions and labels of parameters")
struct ParameterVersionTests {
    private let services: TestParameters

    init() throws { services = try TestParameters() }

    @discardableResult
    private func call(_ operation: String, _ body: String) async throws -> JSONObject {
        try await TestParameters.call(services.parameters, operation, body)
    }

    private func refusal(_ operation: String, _ body: String) async -> String? {
        do {
            try await call(operation, body)
            return nil
        } catch { return (error as? CloudError)?.type ?? "\(error)" }
    }

    /// Puts versions with the values `1`, `2` and so on.
    private func put(_ name: String, _ versions: Int) async throws {
        for version in 1...versions {
            try await call(
                "PutParameter",
                #"{"Name": "\#(name)", "Value": "\#(version)", "Type": "String", "Overwrite": \#(version > 1)}"#)
        }
    }

    @Test("a name with a version or a label selects that version")
    func selectors() async throws {
        try await put("/a/b", 3)
        let labelled = try await call(
            "LabelParameterVersion",
            #"{"Name": "/a/b", "ParameterVersion": 2, "Labels": ["good", "1x", "awsx", "a b"]}"#)
        #expect(labelled["InvalidLabels"] == ["1x", "awsx", "a b"] && labelled["ParameterVersion"] == 2)
        let arn = "arn:aws:ssm:us-east-1:123456789012:parameter/a/b"
        for (said, value) in [
            ("/a/b", "3"), ("/a/b:1", "1"), ("/a/b:good", "2"), ("\(arn):1", "1"), ("\(arn):good", "2"), (arn, "3"),
        ] {
            let answer = try await call("GetParameter", #"{"Name": "\#(said)"}"#)["Parameter"]
            #expect(answer?["Value"] == .string(value), "\(said)")
        }
        #expect(try await call("GetParameter", #"{"Name": "/a/b:good"}"#)["Parameter"]?["Selector"] == ":good")
        for said in ["/a/b:4", "/a/b:0", "/a/b:bad"] {
            #expect(await refusal("GetParameter", #"{"Name": "\#(said)"}"#) == "ParameterVersionNotFound", "\(said)")
        }
        #expect(await refusal("GetParameter", #"{"Name": "/c:1"}"#) == "ParameterNotFound")
        let several = try await call("GetParameters", #"{"Names": ["/a/b:1", "/a/b:good", "/a/b:7", "/c"]}"#)
        #expect(several["Parameters"]?.array?.map { $0["Value"] } == ["1", "2"])
        #expect(several["InvalidParameters"] == ["/a/b:7", "/c"])
        let filtered = try await call(
            "GetParametersByPath", #"{"Path": "/a", "ParameterFilters": [{"Key": "Label", "Values": ["good"]}]}"#)
        #expect(filtered["Parameters"]?.array?.map { $0["Value"] } == ["2"])
    }

    @Test("a label moves to another version, stays over new values, and can be removed")
    func labels() async throws {
        try await put("/a", 2)
        try await call("LabelParameterVersion", #"{"Name": "/a", "Labels": ["x", "y"]}"#)
        try await call("LabelParameterVersion", #"{"Name": "/a", "ParameterVersion": 1, "Labels": ["x"]}"#)
        try await call("PutParameter", #"{"Name": "/a", "Value": "3", "Overwrite": true}"#)
        let history = try await call("GetParameterHistory", #"{"Name": "/a"}"#)["Parameters"]?.array ?? []
        #expect(history.map { $0["Value"] } == ["1", "2", "3"])
        #expect(history.map { $0["Version"] } == [1, 2, 3])
        #expect(history.map { $0["Labels"] } == [["x"], ["y"], []])
        let removed = try await call(
            "UnlabelParameterVersion", #"{"Name": "/a", "ParameterVersion": 1, "Labels": ["x", "y"]}"#)
        #expect(removed["RemovedLabels"] == ["x"] && removed["InvalidLabels"] == ["y"])
        #expect(await refusal("GetParameter", #"{"Name": "/a:x"}"#) == "ParameterVersionNotFound")
        for (body, error) in [
            (#"{"Name": "/a", "ParameterVersion": 9, "Labels": ["x"]}"#, "ParameterVersionNotFound"),
            (#"{"Name": "/none", "Labels": ["x"]}"#, "ParameterNotFound"),
            (#"{"Name": "/a", "Labels": []}"#, "ValidationException"),
        ] {
            #expect(await refusal("LabelParameterVersion", body) == error)
        }
        try await call(
            "LabelParameterVersion", #"{"Name": "/a", "Labels": ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"]}"#)
        #expect(
            await refusal("LabelParameterVersion", #"{"Name": "/a", "Labels": ["k"]}"#)
                == "ParameterVersionLabelLimitExceeded")
    }

    @Test("a parameter has at most a hundred versions, and the oldest stays while it has a label")
    func oldest() async throws {
        try await put("/a", Int(ParameterLimits.parameterVersionsMax) + 1)
        var versions: [JSONValue] = []
        var token = ""
        repeat {
            let page = try await call("GetParameterHistory", #"{"Name": "/a", "NextToken": "\#(token)"}"#)
            versions += (page["Parameters"]?.array ?? []).map { $0["Version"] ?? .null }
            token = page["NextToken"]?.string ?? ""
        } while !token.isEmpty
        #expect(versions == (2...101).map { .integer($0) })
        try await call("LabelParameterVersion", #"{"Name": "/a", "ParameterVersion": 2, "Labels": ["old"]}"#)
        #expect(
            await refusal("PutParameter", #"{"Name": "/a", "Value": "x", "Overwrite": true}"#)
                == "ParameterMaxVersionLimitExceeded")
        try await call("DeleteParameter", #"{"Name": "/a"}"#)
        #expect(try await services.kept.versions(of: "/a").isEmpty)
    }
}
