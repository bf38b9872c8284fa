import Dispatch
import Store
import TestSupport
import Testing

@Suite("What a room has read and keeps")
struct KeptReadingTests {
    private struct Failure: Error {}

    @Test("is there until it is forgotten, and a reading that fails changes nothing")
    func kept() throws {
        let kept = KeptReading<Int>()
        #expect(kept.value == nil)
        #expect(kept.read { 1 } == 1 && kept.value == 1)
        #expect(throws: Failure.self) { try kept.read { () throws(Failure) in throw Failure() } }
        #expect(kept.value == 1)
        kept.forget()
        #expect(kept.value == nil)
        #expect(kept.read { 2 } == 2 && kept.value == 2)
    }

    @Test("is that of the reading that began last, whichever ended last")
    func order() {
        let kept = KeptReading(0)
        let first = kept.read { () -> Int in
            #expect(kept.read { 2 } == 2)
            return 1
        }
        #expect(first == 1 && kept.value == 2)
    }

    @Test("is not what was being read when it was forgotten")
    func forgotten() {
        let kept = KeptReading(0)
        let read = kept.read { () -> Int in
            kept.forget()
            return 1
        }
        #expect(read == 1 && kept.value == nil)
        #expect(kept.read { 2 } == 2 && kept.value == 2)
    }

    @Test("is told from what a reading found that had begun before")
    func since() {
        let kept = KeptReading<Int>()
        #expect(kept.begun == 0 && kept.value(since: 0) == nil)
        _ = kept.read { () -> Int in
            // Whoever begins now may miss what is read by now.
            #expect(kept.begun == 1)
            return 1
        }
        #expect(kept.value(since: 0) == 1 && kept.value(since: 1) == nil && kept.value == 1)
        kept.read { 2 }
        #expect(kept.value(since: 1) == 2 && kept.value(since: 2) == nil)
        kept.forget()
        #expect(kept.value(since: 0) == nil)
    }

    @Test("is there while it is read again, and nobody waits for that")
    func waits() async throws {
        let kept = KeptReading(0)
        let (begun, released) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let reading = Task {
            try await BlockingThread.run {
                kept.read { () -> Int in
                    begun.signal()
                    released.wait()
                    return 1
                }
            }
        }
        try await BlockingThread.run { begun.wait() }
        #expect(kept.value == 0)
        released.signal()
        #expect(try await reading.value == 1)
        #expect(kept.value == 1)
    }
}
