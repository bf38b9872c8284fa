import Foundation
import JSON
import TestSupport
import Testing

@testable import Parameters

/// Earlier versions kept parameters in a file: a start takes them into the database.
@Suite("The file of parameters of earlier versions")
struct FormerFileTests {
    private let services: TestParameters
    private let folder = TemporaryFolder()
    private var path: String { folder.file(ParameterStore.formerFileName) }

    init() throws { services = try TestParameters() }

    private static let content = #"""
        {"parameters": {"/app/a": {"Type": "String", "Value": "file", "Version": 3},
                        "/app/b": {"Type": "String", "Value": "file", "Version": 1}},
         "secrets": {"s": {"suffix": "AbCdEf", "versions": {"v": {"SecretString": "x", "stages": ["AWSCURRENT"]}}}}}
        """#

    @Test("is taken over once, and what the database has goes over it")
    func takenOver() async throws {
        _ = try await TestParameters.call(
            services.parameters, "PutParameter", #"{"Name": "/app/b", "Value": "database", "Type": "String"}"#)
        try folder.write(Self.content, to: ParameterStore.formerFileName)
        #expect(await services.kept.takeFormerFile(in: folder.path) == nil)
        #expect(!FileManager.default.fileExists(atPath: path))
        let answer = try await TestParameters.call(
            services.parameters, "GetParameters", #"{"Names": ["/app/a", "/app/b", "/app/a:3"]}"#)
        #expect(answer["Parameters"]?.array?.map { $0["Value"] } == ["file", "database", "file"])
        let secret = try await TestParameters.call(services.secrets, "GetSecretValue", #"{"SecretId": "s"}"#)
        #expect(secret["SecretString"] == "x")
        #expect(secret["ARN"]?.string?.hasSuffix(":secret:s-AbCdEf") == true)
        #expect(await services.kept.takeFormerFile(in: folder.path) == nil)
    }

    @Test("that cannot be read stays where it is, with a reason", arguments: ["", "[]", "{\"parameters\": {}}", "{"])
    func unreadable(content: String) async throws {
        try folder.write(content, to: ParameterStore.formerFileName)
        let reason = await services.kept.takeFormerFile(in: folder.path)
        #expect(reason?.contains(ParameterStore.formerFileName) == true)
        #expect(FileManager.default.fileExists(atPath: path))
    }
}
