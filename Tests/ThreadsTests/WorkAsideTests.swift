import Synchronization
import Testing

@testable import Threads

@Suite("Work aside")
struct WorkAsideTests {
    @Test("is done once, and its value is there whenever it is asked for")
    func isDoneOnce() {
        let count = Atomic(0)
        let work = WorkAside { count.add(1, ordering: .relaxed).newValue }
        #expect(work.value == work.value)
        let times = count.load(ordering: .relaxed)
        #expect(times == 1)
    }

    @Test("that is not worth a thread is done when it is asked for")
    func isDoneLater() {
        let count = Atomic(0)
        let work = WorkAside(isWorthwhile: false) { count.add(1, ordering: .relaxed).newValue }
        let early = count.load(ordering: .relaxed)
        #expect(early == 0)
        #expect(work.value == 1)
        #expect(work.value == 1)
    }
}
