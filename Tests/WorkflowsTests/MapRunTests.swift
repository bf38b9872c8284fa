import Blueprint
import Crypto
import GraphQL
import JSON
import Network
import PostgresSupport
import Store
import Synchronization
import TestSupport
import Testing

@testable import Workflows

/// Distributed maps, with their executions in a database.
@Suite("Distributed maps")
struct MapRunTests {
    /// Buckets in memory, and a service that fails where its input says so.
    private final class Services: WorkflowServices, WorkflowBuckets {
        let files: Mutex<[String: String]>
        let asked = Mutex(0)

        init(_ files: [String: String]) { self.files = Mutex(files) }

        var buckets: (any WorkflowBuckets)? { self }

        func answer(
            to call: FlowCall, submitted: @escaping @Sendable (JSONValue) -> Void
        ) async -> Result<JSONValue, FlowFault> {
            asked.withLock { $0 += 1 }
            return call.input["fails"]?.bool == true ? .failure(FlowFault("Bad", "it fails")) : .success(call.input)
        }

        func read(_ bucket: String, _ key: String, bytesMax: Int) async throws(FlowFault) -> [UInt8] {
            guard let text = files.withLock({ $0["\(bucket)/\(key)"] }) else {
                throw FlowFault("States.ItemReaderFailed", "Amazon S3 -> The specified key does not exist.")
            }
            if text.hasPrefix("H4sI") { return Base64.bytes(of: text.utf8, .standard) ?? [] }
            return Array(text.utf8)
        }

        func list(_ bucket: String, _ prefix: String, max: Int) async throws(FlowFault) -> [JSONValue] {
            files.withLock { files in
                files.keys.filter { $0.hasPrefix("\(bucket)/\(prefix)") }.sorted { $0 < $1 }.prefix(max)
                    .map { ["Key": .string(String($0.dropFirst(bucket.utf8.count + 1)))] }
            }
        }

        func write(_ bytes: [UInt8], _ bucket: String, _ key: String, type: String) async throws(FlowFault) {
            files.withLock { $0["\(bucket)/\(key)"] = String(decoding: bytes, as: UTF8.self) }
        }
    }

    /// A server's workflows with one machine, `m`.
    private final class House {
        let store: Store
        let loops: EventLoopGroup
        let workflows: Workflows
        let services: Services
        let runner: WorkflowRunner

        init(_ states: String, files: [String: String] = [:], waitersMax: Int = 1_000) throws {
            let reading = SDLReader.read([Source("type Todo @model { id: ID! }")])
            store = try Store(TestDatabase.location(), for: try #require(reading.blueprint), nowMilliseconds: 0) {
                Issue.record("\($0)")
            }
            loops = try EventLoopGroup(count: 1)
            let machine = try WorkflowMachine(
                "m", definition: FlowRun.machine(states), isExpress: false, createdMilliseconds: 0)
            var capacity = WorkflowCapacity()
            capacity.waitersMax = waitersMax
            workflows = Workflows(
                over: store, machines: [machine], region: "us-east-1", accountID: "123456789012", capacity: capacity)
            services = Services(files)
            runner = WorkflowRunner(workflows, asking: services, on: loops.loops[0]) { Issue.record("\($0)") }
            runner.start()
        }

        /// The end of an execution.
        func run(_ input: String = "{}") async throws -> StoredExecution {
            try await workflows.run("m", name: "x", input: input, within: nil).execution
        }

        func call(_ operation: String, _ input: JSONValue) async throws -> JSONValue {
            .object(try await WorkflowCalls(workflows).table.answer(operation, input))
        }

        func types() async throws -> [String] {
            let history = try await call(
                "GetExecutionHistory",
                ["executionArn": "arn:aws:states:us-east-1:123456789012:execution:m:x"])
            return (history["events"]?.array ?? []).compactMap { $0["type"]?.string }
        }

        func close() async {
            await runner.stop()
            loops.stop()
            try? store.close()
        }
    }

    private static func map(_ fields: String, type: String = "STANDARD", _ inner: String? = nil) -> String {
        let states = inner ?? #""p": {"Type": "Pass", "End": true}"#
        let label = fields.hasPrefix(#""Label""#) ? "" : #""Label": "L","#
        return
            #""a": {"Type": "Map", \#(label) \#(fields) "ItemProcessor": {"ProcessorConfig": {"Mode": "DISTRIBUTED", "ExecutionType": "\#(type)"}, "StartAt": "p", "States": {\#(states)}}, "End": true}"#
    }

    private static func file(_ config: String, more: String = "") -> String {
        map(
            #""ItemReader": {"Resource": "arn:aws:states:::s3:getObject", "Parameters": {"Bucket": "b", "Key.$": "$.key"}, "ReaderConfig": {\#(config)}}, \#(more)"#
        )
    }

    /// The manifest of an inventory, whose files lie in another bucket.
    private static func manifest(_ format: String = "CSV", _ keys: String = #"{"key": "1.gz"}, {"key": "2.gz"}"#)
        -> String
    {
        #"{"sourceBucket": "b", "destinationBucket": "arn:aws:s3:::i", "fileFormat": "\#(format)", "fileSchema": "Bucket, Key, Size", "files": [\#(keys)]}"#
    }

    private static let csv = "H1,H2\nv1,v2\n\"a,\"\"b\"\"\nc\"\n   \r\n1,2,3"

    @Test(
        "elements come from the input, from files and from listings, and may be put together",
        arguments: [
            (map(""), #"[1, "x", {"a": null}]"#, #"[1,"x",{"a":null}]"#),
            (map(""), "[]", "[]"),
            (map("", type: "EXPRESS"), "[3, 4]", "[3,4]"),
            (
                map(
                    #""ItemsPath": "$.l", "ItemSelector": {"i.$": "$$.Map.Item.Index", "v.$": "$$.Map.Item.Value", "n.$": "$.n"},"#
                ),
                #"{"l": ["x"], "n": 5}"#, #"[{"i":0,"v":"x","n":5}]"#
            ),
            (file(#""InputType": "JSON""#), #"{"key": "list"}"#, "[1,2,3]"),
            (file(#""InputType": "JSON", "MaxItemsPath": "$.most""#), #"{"key": "list", "most": 2}"#, "[1,2]"),
            (file(#""InputType": "JSON", "MaxItemsPath": "$.most""#), #"{"key": "list", "most": "2"}"#, "[1,2]"),
            (file(#""InputType": "JSON", "ItemsPointer": "/o/list""#), #"{"key": "object"}"#, "[7,8]"),
            (file(#""InputType": "JSONL""#), #"{"key": "lines"}"#, #"[{"a":1},2]"#),
            (
                file(#""InputType": "CSV", "CSVHeaderLocation": "FIRST_ROW""#), #"{"key": "csv"}"#,
                #"[{"H1":"v1","H2":"v2"},{"H1":"a,\"b\"\nc","H2":""},{"H1":"   ","H2":""},{"H1":"1","H2":"2"}]"#
            ),
            (
                file(
                    #""InputType": "CSV", "CSVHeaderLocation": "GIVEN", "CSVHeaders": ["k"], "CSVDelimiter": "PIPE", "MaxItems": 1"#
                ),
                #"{"key": "csv"}"#, #"[{"k":"H1,H2"}]"#
            ),
            (
                file(#""InputType": "CSV", "CSVHeaderLocation": "FIRST_ROW""#), #"{"key": "names"}"#,
                #"[{"0":"1","{}":"3","True":"2"}]"#
            ),
            (
                file(#""InputType": "MANIFEST", "ManifestType": "S3_INVENTORY""#), #"{"key": "manifest"}"#,
                #"[{"Bucket":"b","Size":"3","Key":"a.txt"},{"Bucket":"b","Size":"5","Key":"c.txt"},{"Bucket":"b","Size":"7","Key":"d.txt"}]"#
            ),
            (
                file(#""InputType": "MANIFEST", "MaxItems": 1"#), #"{"key": "manifest"}"#,
                #"[{"Bucket":"b","Size":"3","Key":"a.txt"}]"#
            ),
            (
                map(
                    #""ItemReader": {"Resource": "arn:aws:states:::s3:listObjectsV2", "Parameters": {"Bucket": "b", "Prefix": "l"}},"#
                ),
                "{}", #"[{"Key":"lines"},{"Key":"list"}]"#
            ),
            (
                file(
                    #""InputType": "JSON""#,
                    more: #""ItemBatcher": {"MaxItemsPerBatch": 2, "BatchInput": {"k.$": "$.key"}},"#),
                #"{"key": "list"}"#,
                #"[{"BatchInput":{"k":"list"},"Items":[1,2]},{"BatchInput":{"k":"list"},"Items":[3]}]"#
            ),
            (
                map(#""ItemBatcher": {"MaxInputBytesPerBatch": 30},"#), #"["0123456789", "0123456789", "012"]"#,
                #"[{"Items":["0123456789"]},{"Items":["0123456789","012"]}]"#
            ),
            (
                #""a": {"Type": "Map", "QueryLanguage": "JSONata", "ItemReader": {"Resource": "arn:aws:states:::s3:getObject", "Arguments": {"Bucket": "b", "Key": "{% $states.input.key %}"}, "ReaderConfig": {"InputType": "JSON", "MaxItems": "{% 1 + 1 %}"}}, "ItemBatcher": {"MaxItemsPerBatch": "{% $states.input.n %}"}, "ItemSelector": "{% $states.context.Map.Item.Value * 10 %}", "ItemProcessor": {"ProcessorConfig": {"Mode": "DISTRIBUTED", "ExecutionType": "STANDARD"}, "StartAt": "p", "States": {"p": {"Type": "Pass", "End": true}}}, "End": true}"#,
                #"{"key": "list", "n": 2}"#, #"[{"Items":[10,20]}]"#
            ),
        ])
    func elements(states: String, input: String, output: String) async throws {
        let house = try House(
            states,
            files: [
                "b/list": "[1, 2, 3]", "b/object": #"{"o": {"list": [7, 8]}}"#, "b/lines": "{\"a\": 1}\n\n2\n",
                "b/names": "0,True,{}\n1,2,3",
                "b/csv": Self.csv, "c/l": "", "b/manifest": Self.manifest(),
                "i/1.gz": "H4sIAAAAAAACA1NKUtJRStQrqSgB0sZKXEogfjKUb6rEBQC+0rwRIAAAAA==",
                "i/2.gz": "H4sIAAAAAAACA1NKUtJRStErqSgB0uZKXACejTE+EAAAAA==",
            ])
        let ended = try await house.run(input)
        #expect(ended.output == output, "\(ended.error ?? ""): \(ended.cause ?? "")")
        await house.close()
    }

    @Test(
        "a reader that finds no elements fails the state, and its error can be caught",
        arguments: [
            (#""InputType": "JSON""#, "text", "Attempting to map over non-iterable node."),
            (#""InputType": "JSON""#, "object", "Attempting to map over non-iterable node."),
            (#""InputType": "JSON""#, "none", "Amazon S3 -> The specified key does not exist."),
            (#""InputType": "JSON", "MaxItemsPath": "$.most""#, "list", "field MaxItems must be positive"),
            (
                #""InputType": "CSV", "CSVHeaderLocation": "GIVEN", "CSVHeaders": ["a", "a"]"#, "list",
                "CSV headers cannot contain duplicates."
            ),
            (#""InputType": "CSV", "CSVHeaderLocation": "FIRST_ROW""#, "open", "The file ends within quotes."),
            (
                #""InputType": "MANIFEST""#, "list",
                "The manifest is none of an inventory of S3: it has 'destinationBucket', 'fileSchema' and 'files'."
            ),
            (
                #""InputType": "MANIFEST""#, "orc",
                "The files of the manifest are not in the format CSV, which is the one that is read here."
            ),
            (#""InputType": "MANIFEST""#, "many", "The manifest has more than 1000 files."),
            (#""InputType": "MANIFEST""#, "nowhere", "Amazon S3 -> The specified key does not exist."),
            (
                #""InputType": "MANIFEST""#, "plain",
                "A file of the manifest cannot be unpacked: \(CompressionError.corrupt(expected: .gzip, offset: 2))"
            ),
        ])
    func readers(config: String, key: String, cause: String) async throws {
        let house = try House(
            Self.file(
                config, more: #""Catch": [{"ErrorEquals": ["States.ItemReaderFailed"], "Next": "c"}],"#)
                + #", "c": {"Type": "Pass", "End": true}"#,
            files: [
                "b/text": "7", "b/object": #"{"a": [1]}"#, "b/list": "[1]", "b/open": "a,\"b",
                "b/orc": Self.manifest("ORC"), "b/nowhere": Self.manifest(), "i/x": "plain",
                "b/plain": Self.manifest("CSV", #"{"key": "x"}"#),
                "b/many": Self.manifest(
                    "CSV",
                    Array(repeating: #"{"key": "x"}"#, count: WorkflowLimits.manifestFilesMax + 1).joined(
                        separator: ",")),
            ])
        let ended = try await house.run(#"{"key": "\#(key)", "most": -1}"#)
        #expect(Workflows.value(of: ended.output ?? "")["Cause"]?.string == cause)
        #expect(
            try await house.types().prefix(6) == [
                "ExecutionStarted", "MapStateEntered", "MapStateStarted", "MapRunStarted", "MapRunFailed",
                "MapStateFailed",
            ])
        await house.close()
    }

    private static let failing = #""p": {"Type": "Task", "Resource": "arn:aws:lambda:r:1:function:f", "End": true}"#
    private static let four = #"[{"fails": true}, {"v": 1}, {"v": 2}, {"fails": true}]"#

    @Test(
        "failures beyond those that it bears fail the run",
        arguments: [
            ("", false), (#""ToleratedFailureCount": 1,"#, false), (#""ToleratedFailureCount": 2,"#, true),
            (#""ToleratedFailurePercentage": 49.9,"#, false), (#""ToleratedFailurePercentage": 50,"#, true),
            (#""ToleratedFailurePercentage": 100, "ToleratedFailureCount": 1,"#, false),
            (#""ToleratedFailureCountPath": "$[1].v","#, false),
        ])
    func tolerance(fields: String, isBorne: Bool) async throws {
        let house = try House(Self.map(fields + #""MaxConcurrency": 1,"#, Self.failing))
        let ended = try await house.run(Self.four)
        #expect(ended.output == (isBorne ? #"[{"v":1},{"v":2}]"# : nil))
        #expect(ended.error == (isBorne ? nil : "States.ExceedToleratedFailureThreshold"))
        await house.close()
    }

    @Test("a run and its executions are listed and described", arguments: ["STANDARD", "EXPRESS"])
    func described(type: String) async throws {
        let house = try House(
            Self.map(#""ToleratedFailureCount": 5, "MaxConcurrency": 3,"#, type: type, Self.failing))
        let arn: JSONValue = "arn:aws:states:us-east-1:123456789012:execution:m:x"
        #expect(try await house.run(Self.four).status == .succeeded)
        let run = try #require(try await house.call("ListMapRuns", ["executionArn": arn])["mapRuns"]?.array?.first)
        #expect(run["executionArn"] == arn)
        #expect(run["stateMachineArn"] == "arn:aws:states:us-east-1:123456789012:stateMachine:m/L")
        let mapRun = try #require(run["mapRunArn"]?.string)
        #expect(mapRun.hasPrefix("arn:aws:states:us-east-1:123456789012:mapRun:m/L:"))
        let told = try await house.call("DescribeMapRun", ["mapRunArn": .string(mapRun)])
        #expect(told["status"] == "SUCCEEDED" && told["maxConcurrency"] == 3 && told["toleratedFailureCount"] == 5)
        for name in ["executionCounts", "itemCounts"] {
            let counts = told[name]
            #expect(counts?["succeeded"] == 2 && counts?["failed"] == 2 && counts?["total"] == 4, "\(told)")
            #expect(counts?["pending"] == 0 && counts?["running"] == 0)
        }
        let listed = try await house.call(
            "ListExecutions", ["mapRunArn": .string(mapRun), "statusFilter": "SUCCEEDED"])["executions"]?.array
        #expect(listed?.count == (type == "STANDARD" ? 2 : 0))
        #expect(listed?.allSatisfy { $0["mapRunArn"]?.string == mapRun } == true)
        for name in ["arn:aws:states:us-east-1:123456789012:mapRun:m/L:none", "arn:aws:states:us-east-1:1:mapRun:m:x"] {
            await #expect(throws: WorkflowError.self) {
                _ = try await house.call("DescribeMapRun", ["mapRunArn": .string(name)])
            }
        }
        await house.close()
    }

    @Test(
        "results go to a bucket with a list of the files",
        arguments: [
            ("", "json", nil),
            (#""WriterConfig": {"OutputType": "JSONL", "Transformation": "COMPACT"},"#, "jsonl", "[1]\n[2,3]"),
            (#""WriterConfig": {"Transformation": "FLATTEN"},"#, "json", "[1,2,3]"),
        ] as [(String, String, String?)])
    func writer(config: String, ending: String, content: String?) async throws {
        let house = try House(
            Self.map(
                #""ResultWriter": {\#(config) "Resource": "arn:aws:states:::s3:putObject", "Parameters": {"Bucket": "b", "Prefix": "out/"}}, "MaxConcurrency": 1,"#
            ))
        let ended = try await house.run("[[1], [2, 3]]")
        let output = Workflows.value(of: ended.output ?? "")
        let key = try #require(output["ResultWriterDetails"]?["Key"]?.string, "\(ended.cause ?? "")")
        let files = house.services.files.withLock { $0 }
        let manifest = Workflows.value(of: files["b/\(key)"] ?? "")
        #expect(key.hasPrefix("out/") && key.hasSuffix("/manifest.json"))
        #expect(manifest["MapRunArn"] == output["MapRunArn"] && manifest["DestinationBucket"] == "b")
        let file = try #require(manifest["ResultFiles"]?["SUCCEEDED"]?.array?.first?["Key"]?.string)
        #expect(file.hasSuffix("SUCCEEDED_0.\(ending)"))
        let written = files["b/\(file)"] ?? ""
        if let content {
            #expect(written == content)
        } else {
            #expect(Workflows.value(of: written).array?.map { $0["Output"]?.string } == ["[1]", "[2,3]"])
        }
        await house.close()
    }

    @Test("runs within runs wait for theirs, and for no place of others")
    func nested() async throws {
        let inner =
            #""i": {"Type": "Map", "ItemProcessor": {"ProcessorConfig": {"Mode": "DISTRIBUTED", "ExecutionType": "EXPRESS"}, "StartAt": "p", "States": {"p": {"Type": "Pass", "End": true}}}, "End": true}"#
        let house = try House(
            #""a": {"Type": "Map", "ItemProcessor": {"ProcessorConfig": {"Mode": "DISTRIBUTED", "ExecutionType": "STANDARD"}, "StartAt": "i", "States": {\#(inner)}}, "End": true}"#,
            waitersMax: 1)
        let input = "[" + (0..<12).map { "[\($0),\($0)]" }.joined(separator: ",") + "]"
        let ended = try await house.run(input)
        #expect(ended.output == input, "\(ended.cause ?? "")")
        await house.close()
    }

    @Test("an execution that is stopped stops those of its runs")
    func stopped() async throws {
        let house = try House(Self.map("", #""p": {"Type": "Wait", "Seconds": 3600, "End": true}"#))
        _ = try await house.workflows.begin("m", name: "x", input: "[1, 2]")
        let arn: JSONValue = "arn:aws:states:us-east-1:123456789012:execution:m:x"
        var run: JSONValue = .null
        try await eventually("both executions wait") {
            run =
                try await house.call("ListMapRuns", ["executionArn": arn])["mapRuns"]?.array?.first?["mapRunArn"]
                ?? .null
            guard run.string != nil else { return false }
            return try await house.call("DescribeMapRun", ["mapRunArn": run])["executionCounts"]?["running"] == 2
        }
        _ = try await house.call("StopExecution", ["executionArn": arn])
        try await eventually("both executions are stopped") {
            let told = try await house.call("DescribeMapRun", ["mapRunArn": run])
            return told["executionCounts"]?["aborted"] == 2 && told["status"] == "ABORTED"
        }
        await house.close()
    }

    @Test("another process goes on with a run, and its executions are the same")
    func restarts() throws {
        var run = try FlowRun(FlowRun.machine(Self.map("")), input: "[1, 2]")
        let first = try #require(run.calls.first?.run)
        run.restart()
        let again = try #require(run.calls.first?.run)
        #expect(first.id == again.id && first.arn == again.arn && again.items == [1, 2])
        // Nobody ends it by a token.
        #expect(run.calls.first?.token == nil)
        run.answer(0, .success([3]))
        #expect(run.output == "[3]")
    }

    @Test(
        "a distributed map that cannot be is refused",
        arguments: [
            (map(#""Label": "","#), "Label cannot be empty"), (map(#""Label": "a b","#), "invalid character: ' '"),
            (map(#""Label": "\#(String(repeating: "x", count: 41))","#), "exceed 40 characters"),
            (map(#""ToleratedFailurePercentage": 101,"#), "from 0 to 100"),
            (map(#""ToleratedFailureCount": -1,"#), "from 0 on"),
            (map(#""ItemReader": {"Resource": "arn:aws:states:::s3:x"},"#), "'Resource'"),
            (file(#""InputType": "PARQUET""#), "PARQUET"),
            (file(#""InputType": "MANIFEST", "ManifestType": "ATHENA_DATA""#), "S3_INVENTORY"),
            (file(#""InputType": "CSV""#), "CSVHeaderLocation"),
            (map(#""ResultWriter": {},"#), "'Resource'"),
            (
                #""a": {"Type": "Map", "Label": "x", "ItemProcessor": {"StartAt": "p", "States": {"p": {"Type": "Succeed"}}}, "End": true}"#,
                "DISTRIBUTED"
            ),
        ])
    func refused(states: String, words: String) {
        do throws(FlowRefusal) {
            _ = try FlowReader.definition(of: FlowRun.machine(states))
            Issue.record("it is taken")
        } catch { #expect(error.text.contains(words), "\(error.text)") }
    }

    @Test("a machine of the type EXPRESS has none, and what a run takes is bounded")
    func limits() throws {
        #expect(throws: FlowRefusal.self) {
            _ = try FlowReader.definition(of: FlowRun.machine(Self.map("")), isExpress: true)
        }
        let long = JSONValue.string(String(repeating: "x", count: WorkflowLimits.dataBytesMax))
        let settings = try FlowRunSettings(.null, concurrency: 0)
        for isBatched in [true, false] {
            var batches = try MapBatches(settings, isBatched: isBatched)
            #expect(throws: FlowFault.self) { try batches.add(long) }
        }
        var batches = try MapBatches(settings, isBatched: false)
        let half = JSONValue.string(String(repeating: "x", count: WorkflowLimits.dataBytesMax / 2))
        for _ in 0..<(2 * WorkflowLimits.runInputBytesMax / WorkflowLimits.dataBytesMax - 1) { try batches.add(half) }
        #expect(throws: FlowFault.self) { try batches.add(half) }
        let many = Array((String(repeating: "1\n", count: WorkflowLimits.runItemsMax + 1)).utf8)
        #expect(throws: FlowFault.self) { _ = try FlowItems.items(of: many, ["InputType": "JSONL"]) }
        let two = try FlowItems.items(of: Array("1\n2\n3".utf8), ["InputType": "JSONL", "MaxItems": 2])
        #expect(two == [1, 2])
    }
}
