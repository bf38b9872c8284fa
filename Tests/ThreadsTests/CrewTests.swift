import Dispatch
import Synchronization
import Testing

@testable import Threads

@Suite("Crews")
struct CrewTests {
    @Test("do all jobs, however many, with as many threads as they may have", arguments: [1, 2, 3])
    func doAllJobs(threads: Int) {
        let crew = Crew(threadsMax: threads)
        let sum = Atomic(0)
        let jobs = (1...500).map { number in Job { sum.add(number, ordering: .relaxed) } }
        for job in jobs { crew.begin(job) }
        for job in jobs.reversed() { crew.finish(job) }
        let whole = sum.load(ordering: .relaxed)
        #expect(whole == 500 * 501 / 2)
    }

    @Test("leave a job that no thread has come to to whoever waits for it")
    func leaveWhatWaits() {
        let crew = Crew(threadsMax: 1)
        let released = DispatchSemaphore(value: 0)
        let isReleased = Atomic(false)
        let long = Job { released.wait() }
        crew.begin(long)
        // The only thread is busy, or about to be: the second job can be done here only.
        let short = Job {
            isReleased.store(true, ordering: .releasing)
            released.signal()
        }
        crew.begin(short)
        crew.finish(short)
        crew.finish(long)
        let isDone = isReleased.load(ordering: .relaxed)
        #expect(isDone)
    }

    @Test("keep nothing of a job that is done, whether or not anybody asks for it")
    func letGo() {
        final class Held: Sendable {}
        let crew = Crew(threadsMax: 1, idleMilliseconds: 1)
        weak var held: Held?
        var jobs: [Job] = []
        do {
            let object = Held()
            held = object
            jobs = (0..<3).map { _ in Job { withExtendedLifetime(object) {} } }
        }
        for job in jobs { crew.begin(job) }
        crew.finish(jobs[2])
        crew.waitUntilGone()
        #expect(held == nil)
        crew.finish(jobs[0])
    }

    @Test("let a job wait for an earlier one, with one thread too")
    func letJobsWait() {
        let crew = Crew(threadsMax: 1)
        let order = Mutex<[Int]>([])
        let first = Job { order.withLock { $0.append(1) } }
        let second = Job {
            crew.finish(first)
            order.withLock { $0.append(2) }
        }
        crew.begin(first)
        crew.begin(second)
        crew.finish(second)
        let seen = order.withLock { $0 }
        #expect(seen == [1, 2])
    }

    @Test("do an urgent job before those that wait")
    func doUrgentJobsFirst() {
        let crew = Crew(threadsMax: 1)
        let order = Mutex<[Int]>([])
        let released = DispatchSemaphore(value: 0)
        let jobs = (0..<4).map { number in
            Job {
                if number == 0 { released.wait() }
                order.withLock { $0.append(number) }
            }
        }
        // The first one may be begun before or after the urgent one is there.
        crew.begin(jobs[0])
        crew.begin(jobs[1])
        crew.begin(jobs[2])
        crew.begin(jobs[3], isUrgent: true)
        released.signal()
        crew.waitUntilGone()
        let seen = order.withLock { $0 }
        #expect(seen == [0, 3, 1, 2] || seen == [3, 0, 1, 2])
    }

    @Test("have threads again after they had none")
    func comeBack() {
        let crew = Crew(threadsMax: 2, idleMilliseconds: 1)
        for round in 0..<20 {
            let count = Atomic(0)
            let jobs = (0..<4).map { _ in Job { count.add(1, ordering: .relaxed) } }
            for job in jobs { crew.begin(job) }
            crew.waitUntilGone()
            let done = count.load(ordering: .relaxed)
            #expect(done == 4, "round \(round)")
            for job in jobs { crew.finish(job) }
        }
    }
}
