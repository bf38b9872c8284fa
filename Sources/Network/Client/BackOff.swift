/// How long something that has failed waits until it is tried again: twice as long with each try, up to a bound.
package struct BackOff: Sendable, Equatable {
    package var firstMilliseconds: Int64
    package var longestMilliseconds: Int64

    package init(firstMilliseconds: Int64, longestMilliseconds: Int64) {
        (self.firstMilliseconds, self.longestMilliseconds) = (firstMilliseconds, longestMilliseconds)
    }

    private static let doublingsMax = 30

    /// - Parameter tries: those that failed before the last one.
    package func delay(after tries: Int64) -> Int64 {
        let doublings = min(max(tries, 0), Int64(Self.doublingsMax))
        let (delay, isTooLong) = firstMilliseconds.multipliedReportingOverflow(by: 1 << doublings)
        return isTooLong ? longestMilliseconds : min(delay, longestMilliseconds)
    }
}
