/// The steps that matches may still take: those of one text, or of all texts that are checked for one request.
package struct PatternSteps {
    private var left: Int
    /// The steps that are left at the next look at the clock.
    private var lookAt: Int
    private let isOver: () -> Bool

    /// `isOver` is asked now and then whether the time is over: then nothing is left.
    package init(left: Int = PatternLimits.stepsMax, isOver: @escaping () -> Bool = { false }) {
        self.left = left
        lookAt = left - PatternLimits.stepsPerLook
        self.isOver = isOver
    }

    package var areExhausted: Bool { left < 0 }
    package var remaining: Int { max(left, 0) }

    mutating func take(_ count: Int) {
        left -= count
        if left < lookAt { look() }
    }

    private mutating func look() {
        lookAt = left - PatternLimits.stepsPerLook
        if isOver() { left = min(left, -1) }
    }
}
