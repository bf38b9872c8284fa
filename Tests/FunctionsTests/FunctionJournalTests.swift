import JSON
import Testing

@testable import Functions

@Suite("What is kept of calls of functions", .timeLimit(.minutes(10)))
struct FunctionJournalTests {
    @Test("a call is kept with its event, what came of it, and the lines that it wrote")
    func calls() async throws {
        let test = try TestFunctions()
        _ = await test.answer(["do": "say", "text": "told"])
        _ = await test.answer(["do": "error"])
        let entry = test.functions.journal.entry("test")
        #expect(entry.count == 2 && entry.failures == 1)
        #expect(entry.calls.map { String(decoding: $0.event, as: UTF8.self) }.first == #"{"do":"say","text":"told"}"#)
        guard case .result? = entry.calls.first?.outcome, case .failed? = entry.calls.last?.outcome else {
            Issue.record("\(entry.calls)")
            return
        }
        #expect(entry.lines.contains { $0.report.text == "told" })
        #expect(test.functions.journal.entry("other").count == 0)
    }

    @Test("no more calls, bytes and lines are kept than may, and functions that are gone are forgotten")
    func limits() {
        let journal = FunctionJournal()
        let long = [UInt8](repeating: 0, count: RuntimeLimits.journalBytesMax + 1)
        for number in 0...RuntimeLimits.journalCallsMax {
            journal.add("\(number)", of: FunctionRequest("f", long), began: 0, .result(long))
        }
        for _ in 0...RuntimeLimits.journalLinesMax {
            journal.add(FunctionReport(level: .info, function: "f", request: nil, text: "line"))
        }
        let entry = journal.entry("f")
        #expect(entry.calls.count == RuntimeLimits.journalCallsMax && entry.count == entry.calls.count + 1)
        #expect(entry.lines.count == RuntimeLimits.journalLinesMax)
        #expect(entry.calls.last?.event.count == RuntimeLimits.journalBytesMax)
        #expect(entry.calls.last?.eventBytes == long.count)
        #expect(entry.calls.last?.outcome == .result(Array(long.prefix(RuntimeLimits.journalBytesMax))))
        journal.keep(only: ["g"])
        #expect(journal.entry("f").count == 0)
    }
}
