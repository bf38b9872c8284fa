/// Where a page of a sync ended, with what all pages of one sync have in common.
package struct SyncPosition: Sendable, Equatable {
    /// What a sync reads.
    package enum Source: UInt8, Sendable {
        /// Every record, in the order of creation.
        case records
        /// The records of a key.
        case key
        /// The log of changes.
        case log
    }

    package let source: Source
    /// When the sync began.
    package let startedAt: Int64
    package let position: ListQuery.Position

    package init(source: Source, startedAt: Int64, position: ListQuery.Position) {
        self.source = source
        self.startedAt = startedAt
        self.position = position
    }
}

extension CursorSeal {
    // No token of a list passes for one of a sync.
    private static let syncScope = Array("sync:".utf8)

    /// The token of a position in a sync.
    package func token(of position: SyncPosition, scope: [UInt8]) -> String {
        token(
            of: [position.source.rawValue] + PositionBytes.bytes(of: UInt64(bitPattern: position.startedAt))
                + position.position.bytes, scope: Self.syncScope + scope)
    }

    /// The position of the token of a sync.
    package func syncPosition(of token: String, scope: [UInt8]) throws(StoreError) -> SyncPosition {
        let plain = try plain(of: token, scope: Self.syncScope + scope)
        guard plain.count > 9, let source = SyncPosition.Source(rawValue: plain[0]),
            let startedAt = PositionBytes.number(of: plain[1..<9]),
            let position = ListQuery.Position(bytes: Array(plain[9...]))
        else { throw Self.invalid }
        return SyncPosition(source: source, startedAt: Int64(bitPattern: startedAt), position: position)
    }
}
