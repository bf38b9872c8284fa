import JSON
import Store

/// A sign-in of a user as those who run the pool see it: from when, by which app and device, and whether it still holds.
package struct KeptSignIn: Sendable {
    package let id: String
    /// The app's client that it was made by.
    package let client: String
    /// In milliseconds since 1970.
    package let began: Int64
    /// When it was last renewed with a new refresh token; nil where it was not.
    package let renewed: Int64?
    /// What its device is called, where devices are told apart.
    package let device: String?
    /// True if tokens can still be had by it.
    package let holds: Bool

    private static let ofUser = RoomStatement(
        """
        SELECT s.id, s.client, s.began, s.rotated, d.name, s.revoked = 0 AND s.expires > ?2
        FROM _homeport_users u JOIN _homeport_sign_ins s ON s.user = u.number
            LEFT JOIN _homeport_devices d ON d.key = s.device
        WHERE u.name = ?1 ORDER BY s.began DESC LIMIT ?3
        """)

    private init(_ row: borrowing Row) {
        id = row.text(0)
        client = row.text(1)
        began = row.integer(2)
        let rotated = row.integer(3)
        renewed = rotated > 0 ? rotated : nil
        device = row.isNull(4) ? nil : row.text(4)
        holds = row.boolean(5)
    }

    /// Those of a user that are kept, the newest first.
    fileprivate static func all(
        in reader: Reader, of user: String, at now: Int64, max: Int
    ) throws(StoreError) -> [KeptSignIn] {
        guard try reader.has(PoolTables.all) else { return [] }
        var found: [KeptSignIn] = []
        try reader.rows(ofUser, [.text(user), .integer(now), .integer(Int64(max))]) { row throws(StoreError) in
            found.append(KeptSignIn(row))
            return true
        }
        return found
    }
}

extension UserPool {
    private static let readMilliseconds: Int64 = 5_000

    /// The newest sign-ins of a user that are kept, whether they still hold or not; by the name that lists show.
    package func signIns(of user: String, max: Int) async throws -> [KeptSignIn] {
        let now = now
        return try await store.readersAside.read(until: Timestamp.monotonicMilliseconds + Self.readMilliseconds) {
            reader throws(StoreError) in
            try KeptSignIn.all(in: reader, of: user, at: now, max: max)
        }
    }
}
