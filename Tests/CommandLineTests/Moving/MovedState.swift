import Foundation
import TestSupport

@testable import homeport

/// The state of an app in the forms of AWS, and a data folder that it moves into.
struct MovedState {
    static let apiID = "abcdefghijklmnopqrstuvwxyz"
    let folder: TemporaryFolder
    let recordCount: Int
    let userCount: Int
    let fileCount: Int

    static let options = [
        "move-in", "--tables", "tables", "--users", "users", "--identities", "identities.csv", "--files", "files",
        "--data",
    ]

    init(records: Int, users: Int, files: Int, in folder: TemporaryFolder = TemporaryFolder()) throws {
        (self.folder, recordCount, userCount, fileCount) = (folder, records, users, files)
        try folder.write(
            "type Todo @model @auth(rules: [{ allow: public }]) { id: ID! name: String rank: Int }",
            to: "schema.graphql")
        let parts = 4
        for part in 0..<parts {
            let lines = stride(from: part, to: records, by: parts).map {
                #"{"Item":{"id":{"S":"t\#($0)"},"__typename":{"S":"Todo"},"name":{"S":"Record number \#($0)"},"rank":{"N":"\#($0)"}}}"#
            }
            try folder.write(lines.map { "\($0)\n" }.joined(), to: "tables/\(part)/Todo-\(Self.apiID)-dev.jsonl")
        }
        let people = (0..<users).map {
            #"{"Username":"u\#($0)","Attributes":[{"Name":"sub","Value":"\#(Self.sub($0))"},{"Name":"email","Value":"u\#($0)@example.com"},{"Name":"email_verified","Value":"true"}],"UserStatus":"CONFIRMED"}"#
        }
        try folder.write(#"{"Users":[\#(people.joined(separator: ",\n"))]}"#, to: "users/users.json")
        try folder.write(
            (0..<users).map { "\(Self.sub($0)),us-east-1:\(Self.sub($0))\n" }.joined(), to: "identities.csv")
        for number in 0..<files {
            try folder.write(
                String(repeating: "file \(number)\n", count: 1 + number * 7 % 900),
                to: "files/private/us-east-1:\(Self.sub(number % users))/\(number).txt")
        }
    }

    static func sub(_ number: Int) -> String { "11111111-2222-4333-8444-" + String(number + 100_000_000_000) }

    func run(_ arguments: [String]) throws -> Outcome { try ProgramRun.outcome(arguments, in: folder) }

    /// The lines of an export of records and of users, sorted.
    ///
    /// - Parameter more: options that say where the database is, if not in the folder.
    func lines(of data: String, _ more: [String] = []) throws -> [String] {
        var lines: [String] = []
        for command in [["export", "--out"], ["users", "export"]] {
            let outcome = try run(command + ["\(data).out", "--data", data] + more)
            guard outcome.code == .success else { return [outcome.diagnostics] }
            lines += try String(contentsOfFile: folder.file("\(data).out"), encoding: .utf8).split(separator: "\n").map(
                String.init)
        }
        return lines.sorted()
    }

    /// The files below a folder with what is in them.
    func files(below path: String) throws -> [String: Data] {
        var files: [String: Data] = [:]
        let root = folder.file(path)
        for name in FileManager.default.enumerator(atPath: root)?.allObjects as? [String] ?? [] {
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: "\(root)/\(name)", isDirectory: &isFolder), !isFolder.boolValue
            else { continue }
            files[name] = try Data(contentsOf: URL(fileURLWithPath: "\(root)/\(name)"))
        }
        return files
    }
}
