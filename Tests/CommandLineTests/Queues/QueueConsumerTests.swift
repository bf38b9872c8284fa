import Foundation
import JSON
import TestSupport
import Testing

/// Functions that are told of messages and of events, by a server that is killed too.
@Suite("Functions that consume queues")
struct QueueConsumerTests {
    private static let program = HomeportProcess.program(named: "test-runtime")

    private static func server(
        _ command: String, in folder: TemporaryFolder, source: String = #"{"queue": "jobs", "batch": 2}"#
    ) throws -> HomeportProcess {
        // What one that hangs has taken comes again soon behind a kill; one that serves has the time that a busy machine needs.
        let timeout = command == serving ? 60 : 1
        try folder.write(
            """
            {"functions": {"work": {"command": \(command), "timeout": \(timeout), "queues": [\(source)]}},
             "queues": {"jobs": {"visibilityTimeout": 1, "deadLetterQueue": "failed", "maxReceiveCount": 2}}}
            """, to: "homeport.json")
        return try HomeportProcess(["--config", "homeport.json"], in: folder)
    }

    private static let serving = #"["\#(program)", "serve"]"#

    @Test("a poison message goes to the dead letters, and stops no other; what was acknowledged survives a kill")
    func poison() throws {
        let folder = TemporaryFolder()
        // One that never asks for anything: nothing is taken.
        var server = try Self.server(#"["\#(Self.program)", "hang"]"#, in: folder)
        for body in ["poison", "one", "two", "three"] { try server.send(body, to: "jobs") }
        server.signal(SIGKILL)
        _ = server.exitStatus()
        server = try Self.server(Self.serving, in: folder, source: #"{"queue": "jobs", "batch": 1}"#)
        for body in ["one", "two", "three", "poison"] {
            #expect(server.logs("message \(body) of 1 function=work", milliseconds: 60_000), "\(server.log)")
        }
        #expect(try server.bodies(of: "failed", wait: 20, deletes: true) == ["poison"])
        try server.send("four", to: "jobs")
        #expect(server.logs("message four of 1 function=work", milliseconds: 60_000))
    }

    @Test("a function that names what it did not take is told of that again, and of nothing else")
    func partial() throws {
        let server = try Self.server(
            Self.serving, in: TemporaryFolder(),
            source: #"{"queue": "jobs", "batch": 10, "reportBatchItemFailures": true, "concurrency": 1}"#)
        let entries = ["bad", "good"].map { #"{"Id": "\#($0)", "MessageBody": "\#($0)"}"# }.joined(separator: ", ")
        try server.queue("SendMessageBatch", #"{"QueueUrl": "\#(server.queueURL("jobs"))", "Entries": [\#(entries)]}"#)
        #expect(try server.bodies(of: "failed", wait: 20) == ["bad"])
        #expect(server.log.matches(of: /message good of/).count == 1)
        #expect(server.log.matches(of: /message bad of/).count == 2)
    }

    @Test("an event that nobody waits for survives a kill before its function has taken it")
    func events() throws {
        let folder = TemporaryFolder()
        var server = try Self.server(#"["\#(Self.program)", "hang"]"#, in: folder)
        var call = SignedCall("", #"{"do": "say", "text": "told after all"}"#, to: server)
        (call.hasTarget, call.service, call.contentType) = (false, "lambda", "application/json")
        call.path = "/2015-03-31/functions/work/invocations"
        call.others = [("x-amz-invocation-type", "Event")]
        call.signed = ["content-type", "host", "x-amz-date", "x-amz-invocation-type"]
        #expect(try call.answer(from: server).status == 202)
        server.signal(SIGKILL)
        _ = server.exitStatus()
        server = try Self.server(Self.serving, in: folder)
        #expect(server.logs("told after all function=work", milliseconds: 60_000), "\(server.log)")
    }
}
