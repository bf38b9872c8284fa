import JSON
import Store

/// Takes users from a file into a pool, as many at once as `PoolLimits.importedUsersPerTransaction` says.
///
/// A line that cannot be is told and left out; the others come in. Who is there already stays as they are, so that repeating an
/// import, or going on with one that was interrupted, changes nothing.
package struct UserImport: Sendable {
    /// How far it is.
    package struct Progress: Sendable, Equatable {
        package var bytes = 0
        package var users = 0
    }

    /// What came of it.
    package struct Outcome: Sendable, Equatable {
        package var made = 0
        package var present = 0
        package var refused = 0
        /// Those of the new ones whom a client cannot prove a password of, until they have sent it once.
        package var withForeignPassword = 0
        /// Those of the new ones who have to reset it.
        package var withoutPassword = 0

        package init(
            made: Int = 0, present: Int = 0, refused: Int = 0, withForeignPassword: Int = 0, withoutPassword: Int = 0
        ) {
            self.made = made
            self.present = present
            self.refused = refused
            self.withForeignPassword = withForeignPassword
            self.withoutPassword = withoutPassword
        }
    }

    private let pool: UserPool

    package init(into pool: UserPool) {
        self.pool = pool
    }

    /// - Parameters:
    ///   - report: is told how far it is, behind each transaction.
    ///   - refuse: is told of a line that was left out, and why.
    package func run(
        _ file: consuming UserFile, on shard: PoolShard, report: (Progress) -> Void = { _ in },
        refuse: (_ line: Int, _ why: String) -> Void
    ) async throws(TransferError) -> Outcome {
        do throws(PoolError) { try await pool.makeTables(on: shard) } catch { throw Self.failure(error) }
        var outcome = Outcome()
        var progress = Progress()
        var batch: [(number: Int, line: UserFile.Line)] = []
        var isAtEnd = false
        while !isAtEnd {
            if let (number, line) = try file.next() {
                switch line {
                case .success(let line): batch.append((number, line))
                case .failure(let fault):
                    outcome.refused += 1
                    refuse(number, fault.message)
                }
            } else {
                isAtEnd = true
            }
            guard isAtEnd || batch.count >= PoolLimits.importedUsersPerTransaction else { continue }
            for (entry, admission) in zip(batch, try await admit(batch.map(\.line))) {
                switch admission {
                case .made(let password):
                    outcome.made += 1
                    if password == .foreign { outcome.withForeignPassword += 1 }
                    if password == .none { outcome.withoutPassword += 1 }
                case .group: break
                case .present: outcome.present += 1
                case .refused(let why):
                    outcome.refused += 1
                    refuse(entry.number, why)
                }
            }
            progress.users += batch.count
            progress.bytes = file.offset
            batch.removeAll(keepingCapacity: true)
            report(progress)
        }
        return outcome
    }

    /// One transaction.
    private func admit(_ lines: [UserFile.Line]) async throws(TransferError) -> [UserAdmission] {
        guard !lines.isEmpty else { return [] }
        let settings = pool.settings
        let poolName = pool.identifiers.poolName
        let now = pool.now
        do throws(PoolError) {
            return try await pool.write { session throws(PoolError) in
                let change = PoolWriting(session: session, settings: settings, now: now)
                var admissions: [UserAdmission] = []
                for line in lines {
                    switch line {
                    case .user(let entry): admissions.append(try change.admit(entry, poolName: poolName))
                    case .group(let group): admissions.append(try change.admit(group))
                    }
                }
                return admissions
            }
        } catch {
            throw Self.failure(error)
        }
    }

    private static func failure(_ error: PoolError) -> TransferError {
        .store(error.ofStore ?? StoreError(.unexpected, error.message))
    }
}
