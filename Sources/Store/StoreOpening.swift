import Blueprint
import JSON
import Threads

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A database that is opened aside, while the schema that it is for is read.
///
///     let opening = StoreOpening(location)           the file is opened, checked, and what it says is read
///     …                                              the schema is read
///     opening.expect(blueprint)                      the tables that it wants are worked out
///     …                                              its API is made, and may be refused
///     let store = try opening.store(for: blueprint)  tables are made or changed, and the writer starts
///
/// A file that is not there yet is made by the last step only: a schema that is refused leaves nothing behind.
///
/// Unchecked: the work aside is waited for before anybody else looks at what it left.
package final class StoreOpening: @unchecked Sendable {
    private let location: Store.Location
    private var file: StoreFile?
    private var failure: StoreError?
    private var plan: Migrator.Plan?
    private var work: WorkAside<Void>?

    package init(_ location: Store.Location) {
        self.location = location
        if case .file(let path) = location, access(path, F_OK) != 0 { return }
        // A world has no core to spare, and the stack of another thread would be kept for the next one.
        if location == .layered { return }
        work = WorkAside { [self] in
            do throws(StoreError) { file = try StoreFile.open(location) } catch { failure = error }
        }
    }

    /// Says for which blueprint `store(for:)` is going to be called.
    package func expect(_ blueprint: Blueprint) {
        // Nothing is opened where there is no file yet: then there is nothing to compare with.
        guard let opened = work else { return }
        work = WorkAside { [self] in
            opened.value
            guard let file = self.file.take() else { return }
            do throws(StoreError) {
                plan = try Migrator.Plan(for: blueprint, over: file.stored)
            } catch {
                failure = error
            }
            self.file = consume file
        }
    }

    /// Waits for the file. Calling it again changes nothing.
    private func join() {
        work?.value
        // It holds what holds it.
        work = nil
    }

    /// Closes what was opened and nobody has taken. Must be called where `store(for:)` is not.
    package func cancel() {
        join()
        file = nil
    }

    /// The store, with the tables of the blueprint. See `Store.init`.
    ///
    /// - Parameter isShared: whether other nodes serve the data: the tables have to be those of the blueprint then.
    package func store(
        for blueprint: Blueprint, forcing forced: Set<ByteText> = [], sync: SyncSettings = SyncSettings(),
        nowMilliseconds: Int64, isShared: Bool = false, onFailure: @escaping @Sendable (StoreError) -> Void
    ) throws(StoreError) -> Store {
        join()
        if let failure { throw failure }
        guard let file = file.take() else {
            return try Store(
                location, for: blueprint, forcing: forced, sync: sync, nowMilliseconds: nowMilliseconds,
                onFailure: onFailure)
        }
        if isShared, try !Migrator.Plan(for: blueprint, over: file.stored).isStored {
            throw StoreError(
                .locked,
                "database \(file.place.text): other nodes serve it with another schema. Stop all nodes, then start them with the new "
                    + "one")
        }
        let plan: Migrator.Plan
        if let known = self.plan.take() {
            plan = known
        } else {
            plan = try Migrator.Plan(for: blueprint, over: file.stored)
        }
        return try Store(
            file, plan, forcing: forced, sync: sync, nowMilliseconds: nowMilliseconds, isShared: isShared,
            onFailure: onFailure)
    }
}
