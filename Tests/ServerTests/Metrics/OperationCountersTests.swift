import Engine
import Testing

@testable import Server

@Suite("Counters of operations")
struct OperationCountersTests {
    @Test("what an exchange carries in one word is what was noted, and the most that fits where it was more")
    func word() {
        let note = OperationNote()
        #expect(OperationSummary(word: 0) == nil)
        let empty = OperationSummary(note)
        #expect(OperationSummary(word: empty.word) == empty && empty.word != 0)
        note.caller = .lambda
        for _ in 0..<100 { note.refuse("Unauthorized") }
        note.refuse("a name of somebody's own")
        let summary = OperationSummary(word: OperationSummary(note).word)
        #expect(summary?.caller == .lambda && summary?.errorCount == OperationSummary.errorCountMax)
        let names = ErrorName.all.indices.filter { (summary?.errorNames ?? 0) >> UInt64($0) & 1 == 1 }
        #expect(names.map { ErrorName.all[$0] } == ["other", "Unauthorized"])
        note.clear()
        #expect(OperationSummary(note) == empty)
    }

    @Test("every caller and every name of an error has a place in the word")
    func fits() {
        #expect(ErrorName.all.count <= 40 && CallerKind.allCases.count <= 8)
        #expect(RootFields.fieldsMax + 7 < 1 << 10)
        #expect(Set(ErrorName.all).count == ErrorName.all.count)
    }

    @Test("counts by caller, error and duration, and an unknown operation as none")
    func counts() throws {
        let counters = OperationCounters(operations: 3)
        let note = OperationNote()
        note.caller = .iam
        note.refuse("Unauthorized")
        counters.ended(OperationSummary(note), nanoseconds: 2_000_000)
        counters.ended(try #require(OperationSummary(word: .max)), nanoseconds: .max)
        #expect(counters.answers(of: 0)[CallerKind.iam.rawValue] == 1)
        #expect(counters.errors(of: 0).reduce(0, +) == UInt64(1 + ErrorName.all.count))
        #expect(counters.durations(of: 0) == [0, 1, 0, 0, 0, 0, 0, 1])
        #expect(counters.answers(of: 1).reduce(0, +) == 0)
    }
}
