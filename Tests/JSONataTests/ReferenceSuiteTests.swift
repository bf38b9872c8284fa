import Foundation
import JSON
import Testing

@testable import JSONata

/// Where the suite is; nil: nowhere.
private let suiteFolder = ProcessInfo.processInfo.environment["HOMEPORT_JSONATA_SUITE"]

/// The test suite of the reference implementation, where a folder has it: `test/test-suite` of github.com/jsonata-js/jsonata.
///
///     HOMEPORT_JSONATA_SUITE=.../test/test-suite swift test --filter ReferenceSuiteTests
@Suite("JSONata's own test suite", .enabled(if: suiteFolder != nil, "HOMEPORT_JSONATA_SUITE names no folder"))
struct ReferenceSuiteTests {
    private static let surroundings = JSONataSurroundings(
        milliseconds: 1_780_000_000_123, fraction: { 0.25 }, makeID: { "id" })
    /// Groups about what AWS leaves out.
    private static let leftOut = ["function-eval"]
    /// What ends an expression that has no end: the runner of the suite has one code for what are two here.
    private static let endings: [String: [String]] = ["U1001": ["D1011", "D1012"]]
    /// Of a hundred cases.
    private static let passingMin = 99

    private struct Case {
        let name: String
        let members: JSONObject
        let text: String
    }

    private static func read(_ path: String) throws -> JSONValue {
        try JSONReader.value(of: Array(try Data(contentsOf: URL(filePath: path))))
    }

    private static func cases(in folder: String) throws -> [Case] {
        var cases: [Case] = []
        for group in try FileManager.default.contentsOfDirectory(atPath: "\(folder)/groups").sorted()
        where !leftOut.contains(group) {
            let place = "\(folder)/groups/\(group)"
            for file in try FileManager.default.contentsOfDirectory(atPath: place).sorted()
            where file.hasSuffix(".json") {
                let content = try read("\(place)/\(file)")
                for (number, item) in (content.array ?? [content]).enumerated() {
                    guard let members = item.object else { continue }
                    var text = members["expr"]?.string ?? ""
                    if let other = members["expr-file"]?.string {
                        text = String(decoding: try Data(contentsOf: URL(filePath: "\(place)/\(other)")), as: UTF8.self)
                    }
                    cases.append(Case(name: "\(group)/\(file)#\(number)", members: members, text: text))
                }
            }
        }
        return cases
    }

    /// Nil where the case passes, or what is otherwise.
    private static func fault(of item: Case, _ folder: String) throws -> String? {
        let members = item.members
        var input: JSONValue?
        if let data = members["data"] {
            input = data
        } else if let name = members["dataset"]?.string {
            input = try read("\(folder)/datasets/\(name).json")
        }
        let variables = JSONataVariables((members["bindings"]?.object?.members ?? []).map { ($0.key, $0.value) })
        let code = members["code"]?.string ?? members["error"]?["code"]?.string
        do throws(JSONataError) {
            let expression = try JSONataExpression(item.text)
            var budget = JSONataBudget()
            let found = try expression.value(of: input, variables, in: surroundings, &budget)
            let shown = found.map { JSONWriter.text(of: $0) } ?? "nothing"
            if let code { return "\(shown) where \(code) is wanted" }
            if members["undefinedResult"] != nil { return found == nil ? nil : "\(shown) where nothing is wanted" }
            let wanted = members["result"] ?? .null
            return found.map { isSame($0, wanted) } ?? false ? nil : "\(shown), not \(JSONWriter.text(of: wanted))"
        } catch {
            let isWanted = code.map { [$0] + (endings[$0] ?? []) }?.contains(error.code) ?? false
            return isWanted ? nil : "\(error.code) \(error.message), not \(code ?? "a value")"
        }
    }

    /// As JavaScript compares: numbers by their value, members in any order.
    private static func isSame(_ left: JSONValue, _ right: JSONValue) -> Bool {
        switch (left, right) {
        case (.array(let left), .array(let right)):
            return left.count == right.count && zip(left, right).allSatisfy { isSame($0, $1) }
        case (.object(let left), .object(let right)):
            return left.count == right.count
                && left.members.allSatisfy { member in right[member.key].map { isSame(member.value, $0) } ?? false }
        default:
            if let left = number(left), let right = number(right) { return left == right }
            return left == right
        }
    }

    private static func number(_ value: JSONValue) -> Double? {
        switch value {
        case .integer(let value): Double(value)
        case .double(let value): value
        default: nil
        }
    }

    @Test("gives the same values and errors")
    func suite() throws {
        let folder = try #require(suiteFolder)
        let cases = try Self.cases(in: folder)
        var faults: [String] = []
        for item in cases {
            if let fault = try Self.fault(of: item, folder) { faults.append("\(item.name): \(item.text): \(fault)") }
        }
        print("JSONata's suite: \(cases.count - faults.count) of \(cases.count) cases")
        for fault in faults { print("    \(fault)") }
        #expect(cases.count > 1_000 && faults.count * 100 <= cases.count * (100 - Self.passingMin))
    }
}
