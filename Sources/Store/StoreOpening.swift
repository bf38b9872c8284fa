import Blueprint

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A database that is opened on a thread of its own, while the schema that it is for is read.
///
///     let opening = StoreOpening(location)           the file is opened, checked, and what it says is read
///     …                                              the schema is read
///     opening.expect(blueprint)                      the tables that it wants are worked out
///     …                                              its API is made, and may be refused
///     let store = try opening.store(for: blueprint)  tables are made or changed, and the writer starts
///
/// A file that is not there yet is made by the last step only: a schema that is refused leaves nothing behind.
///
/// Unchecked: the thread that opens is joined before anybody else looks at what it left.
package final class StoreOpening: @unchecked Sendable {
    private let location: Store.Location
    private var file: StoreFile?
    private var failure: StoreError?
    private var plan: Migrator.Plan?
    private var spare = SpareReader()
    private var thread: pthread_t?

    package init(_ location: Store.Location) {
        self.location = location
        if case .file(let path) = location, access(path, F_OK) != 0 { return }
        begin { opening in
            do throws(StoreError) { opening.file = try StoreFile.open(opening.location) } catch {
                opening.failure = error
            }
        }
    }

    /// Says for which blueprint `store(for:)` is going to be called.
    package func expect(_ blueprint: Blueprint) {
        // Without a thread that opens there is no file to compare with.
        guard let first = thread else { return }
        begin { opening in
            opening.join(first)
            guard let file = opening.file.take() else { return }
            do throws(StoreError) {
                let plan = try Migrator.Plan(for: blueprint, over: file.stored)
                opening.plan = plan
                // Tables that are still to be made or changed are better read afterwards.
                if plan.isStored { opening.spare.reader = try? Reader(path: file.path) }
            } catch {
                opening.failure = error
            }
            opening.file = consume file
        }
    }

    /// Has a thread work. Without a thread the last step does it all.
    private func begin(_ work: @escaping (StoreOpening) -> Void) {
        let task = Unmanaged.passRetained(Work(self, work))
        var thread = pthread_t()
        let code = pthread_create(
            &thread, nil,
            { argument in
                if let argument { Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().run() }
                return nil
            }, task.toOpaque())
        if code == 0 { self.thread = thread } else { task.release() }
    }

    /// What a thread does.
    private final class Work {
        private let opening: StoreOpening
        private let body: (StoreOpening) -> Void

        init(_ opening: StoreOpening, _ body: @escaping (StoreOpening) -> Void) {
            self.opening = opening
            self.body = body
        }

        func run() {
            ThreadHeap.widened { body(opening) }
        }
    }

    private func join(_ thread: pthread_t) { pthread_join(thread, nil) }

    /// Waits for the file. Calling it again changes nothing.
    private func join() {
        guard let thread else { return }
        self.thread = nil
        join(thread)
    }

    /// Closes what was opened, when nobody wants it any more.
    package func cancel() {
        join()
        spare = SpareReader()
        file = nil
    }

    /// The store, with the tables of the blueprint. See `Store.init`.
    package func store(
        for blueprint: Blueprint, forcing forced: Set<String> = [], sync: SyncSettings = SyncSettings(),
        nowMilliseconds: Int64, onFailure: @escaping @Sendable (StoreError) -> Void
    ) throws(StoreError) -> Store {
        join()
        if let failure { throw failure }
        guard let file = file.take() else {
            return try Store(
                location, for: blueprint, forcing: forced, sync: sync, nowMilliseconds: nowMilliseconds,
                onFailure: onFailure)
        }
        let plan: Migrator.Plan
        if let known = self.plan { plan = known } else { plan = try Migrator.Plan(for: blueprint, over: file.stored) }
        return try Store(
            file, plan, spare: spare, forcing: forced, sync: sync, nowMilliseconds: nowMilliseconds,
            onFailure: onFailure)
    }
}
