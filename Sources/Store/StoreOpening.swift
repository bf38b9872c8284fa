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
///     let store = try opening.store(for: blueprint)  tables are made or changed, and the writer starts
///
/// A file that is not there yet is made by the second step only: a schema that is refused leaves nothing behind.
///
/// Unchecked: the thread that opens is joined before anybody else looks at what it left.
package final class StoreOpening: @unchecked Sendable {
    private let location: Store.Location
    private var file: StoreFile?
    private var failure: StoreError?
    private var thread: pthread_t?

    package init(_ location: Store.Location) {
        self.location = location
        if case .file(let path) = location, access(path, F_OK) != 0 { return }
        let start = Unmanaged.passRetained(self)
        var thread = pthread_t()
        let code = pthread_create(
            &thread, nil,
            { argument in
                guard let argument else { return nil }
                let opening = Unmanaged<StoreOpening>.fromOpaque(argument).takeUnretainedValue()
                opening.open()
                return nil
            }, start.toOpaque())
        // Without a thread the second step does it all.
        if code == 0 { self.thread = thread } else { start.release() }
    }

    private func open() {
        do throws(StoreError) { file = try StoreFile.open(location) } catch { failure = error }
    }

    /// Waits for the file. Calling it again changes nothing.
    private func join() {
        guard let thread else { return }
        self.thread = nil
        pthread_join(thread, nil)
        Unmanaged.passUnretained(self).release()
    }

    /// Closes what was opened, when nobody wants it any more.
    package func cancel() {
        join()
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
        return try Store(
            file, for: blueprint, forcing: forced, sync: sync, nowMilliseconds: nowMilliseconds, onFailure: onFailure)
    }
}
