import Network

/// The limits of one source's deliveries.
package struct DeliveryLimits: Sendable {
    /// Deliveries at the same time. With one, a delivery begins when the one before is settled.
    package let atOnce: Int
    /// How long nothing begins where the database cannot be read or written.
    package let pauseMilliseconds: Int64
    /// How long nothing begins where nobody answers, for sources whose parts all go to one receiver.
    package let missed: BackOff
    /// The longest sleep while something is due later: somebody may set the clock.
    package let lookMilliseconds: Int64?
    /// True if the source is looked through after that time too where nothing is due.
    package let looksWhenIdle: Bool

    package init(
        atOnce: Int, pauseMilliseconds: Int64,
        missed: BackOff = BackOff(firstMilliseconds: 1_000, longestMilliseconds: 60_000),
        lookMilliseconds: Int64? = nil, looksWhenIdle: Bool = false
    ) {
        self.atOnce = atOnce
        self.pauseMilliseconds = pauseMilliseconds
        self.missed = missed
        self.lookMilliseconds = lookMilliseconds
        self.looksWhenIdle = looksWhenIdle
    }
}
