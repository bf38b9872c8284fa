/// The order of a list as V8 finds it: runs that are there or made by insertion, merged two by two. A comparison is asked the same
/// questions here, so one that contradicts itself (`a < b ? -1 : 1`, `a > b`) leaves the same order.
///
/// `order` is negative where the first value comes before the second, and never NaN.
struct TimSort {
    typealias Order = (Value, Value) throws(Thrown) -> Double

    private struct Run {
        var start: Int
        var length: Int
    }

    private let realm: Realm
    private let order: Order
    private var values: [Value]
    private var runs: [Run] = []
    /// How often one of two runs has to win until its values are looked for in leaps.
    private var leapMin = Self.winsMin

    private static let winsMin = 7
    /// Shorter runs are made longer by insertion.
    private static let runMax = 64

    static func sort(_ values: [Value], _ realm: Realm, _ order: Order) throws(Thrown) -> [Value] {
        guard values.count > 1 else { return values }
        return try withoutActuallyEscaping(order) { (order) throws(Thrown) -> [Value] in
            var sort = TimSort(realm, values, order)
            try sort.run()
            return sort.values
        }
    }

    private init(_ realm: Realm, _ values: [Value], _ order: @escaping Order) {
        self.realm = realm
        self.values = values
        self.order = order
    }

    private func compare(_ left: Value, _ right: Value) throws(Thrown) -> Double {
        try realm.spend()
        return try order(left, right)
    }

    private mutating func run() throws(Thrown) {
        let lengthMin = Self.lengthMin(of: values.count)
        var low = 0
        while low < values.count {
            let left = values.count - low
            var length = try countRun(low)
            if length < lengthMin {
                let forced = min(lengthMin, left)
                try insert(low, from: low + length, to: low + forced)
                length = forced
            }
            runs.append(Run(start: low, length: length))
            try collapse()
            low += length
        }
        while runs.count > 1 {
            var number = runs.count - 2
            if number > 0, runs[number - 1].length < runs[number + 1].length { number -= 1 }
            try merge(number)
        }
    }

    private static func lengthMin(of count: Int) -> Int {
        var (count, rest) = (count, 0)
        while count >= runMax {
            rest |= count & 1
            count >>= 1
        }
        return count + rest
    }

    // MARK: Runs

    /// How many values from a place on are in order, or in the opposite one, which is turned round.
    private mutating func countRun(_ low: Int) throws(Thrown) -> Int {
        guard low + 1 < values.count else { return 1 }
        let isDescending = try compare(values[low + 1], values[low]) < 0
        var end = low + 2
        while end < values.count {
            let isLess = try compare(values[end], values[end - 1]) < 0
            guard isLess == isDescending else { break }
            end += 1
        }
        if isDescending { values[low..<end].reverse() }
        return end - low
    }

    private mutating func insert(_ low: Int, from start: Int, to high: Int) throws(Thrown) {
        for place in max(start, low + 1)..<max(high, max(start, low + 1)) {
            let value = values[place]
            var (left, right) = (low, place)
            while left < right {
                let middle = left + (right - left) / 2
                if try compare(value, values[middle]) < 0 { right = middle } else { left = middle + 1 }
            }
            var hole = place
            while hole > left {
                values[hole] = values[hole - 1]
                hole -= 1
            }
            values[left] = value
        }
    }

    private func isBalanced(_ number: Int) -> Bool {
        number < 2 || runs[number - 2].length > runs[number - 1].length + runs[number].length
    }

    private mutating func collapse() throws(Thrown) {
        while runs.count > 1 {
            var number = runs.count - 2
            if !isBalanced(number + 1) || !isBalanced(number) {
                if runs[number - 1].length < runs[number + 1].length { number -= 1 }
            } else if runs[number].length > runs[number + 1].length {
                return
            }
            try merge(number)
        }
    }

    // MARK: Merging

    private mutating func merge(_ number: Int) throws(Thrown) {
        var (left, right) = (runs[number], runs[number + 1])
        runs[number].length = left.length + right.length
        runs.remove(at: number + 1)
        // What stands before the first of the right run stays where it is, and so does what comes after the last of the left one.
        let kept = try leapRight(values[right.start], in: values, left.start, left.length, hint: 0)
        left.start += kept
        left.length -= kept
        guard left.length > 0 else { return }
        right.length = try leapLeft(
            values[left.start + left.length - 1], in: values, right.start, right.length, hint: right.length - 1)
        guard right.length > 0 else { return }
        if left.length <= right.length { try mergeLow(left, right) } else { try mergeHigh(left, right) }
    }

    /// The place of the first value that does not come before a key.
    private func leapLeft(
        _ key: Value, in list: [Value], _ base: Int, _ length: Int, hint: Int
    ) throws(Thrown) -> Int {
        var (last, offset) = (0, 1)
        if try compare(list[base + hint], key) < 0 {
            let offsetMax = length - hint
            while offset < offsetMax, try compare(list[base + hint + offset], key) < 0 {
                last = offset
                offset = offset * 2 + 1
            }
            offset = min(offset, offsetMax)
            (last, offset) = (last + hint, offset + hint)
        } else {
            let offsetMax = hint + 1
            while offset < offsetMax, try compare(list[base + hint - offset], key) >= 0 {
                last = offset
                offset = offset * 2 + 1
            }
            offset = min(offset, offsetMax)
            (last, offset) = (hint - offset, hint - last)
        }
        last += 1
        while last < offset {
            let middle = last + (offset - last) / 2
            if try compare(list[base + middle], key) < 0 { last = middle + 1 } else { offset = middle }
        }
        return offset
    }

    /// The place behind the last value that a key does not come before.
    private func leapRight(
        _ key: Value, in list: [Value], _ base: Int, _ length: Int, hint: Int
    ) throws(Thrown) -> Int {
        var (last, offset) = (0, 1)
        if try compare(key, list[base + hint]) < 0 {
            let offsetMax = hint + 1
            while offset < offsetMax, try compare(key, list[base + hint - offset]) < 0 {
                last = offset
                offset = offset * 2 + 1
            }
            offset = min(offset, offsetMax)
            (last, offset) = (hint - offset, hint - last)
        } else {
            let offsetMax = length - hint
            while offset < offsetMax, try compare(key, list[base + hint + offset]) >= 0 {
                last = offset
                offset = offset * 2 + 1
            }
            offset = min(offset, offsetMax)
            (last, offset) = (last + hint, offset + hint)
        }
        last += 1
        while last < offset {
            let middle = last + (offset - last) / 2
            if try compare(key, list[base + middle]) < 0 { offset = middle } else { last = middle + 1 }
        }
        return offset
    }

    /// Merges where the left run is the shorter one, from the front. How the merge ends is the answer of its steps.
    private mutating func mergeLow(_ left: Run, _ right: Run) throws(Thrown) {
        let kept = Array(values[left.start..<left.start + left.length])
        var (leftCount, rightCount) = (left.length, right.length)
        var (place, next, other) = (left.start, 0, right.start)
        values[place] = values[other]
        (place, other, rightCount) = (place + 1, other + 1, rightCount - 1)
        var hasOneLeft = rightCount > 0 && leftCount == 1
        merging: while rightCount > 0, !hasOneLeft {
            var (leftWins, rightWins) = (0, 0)
            while true {
                if try compare(values[other], kept[next]) < 0 {
                    values[place] = values[other]
                    (place, other, rightCount) = (place + 1, other + 1, rightCount - 1)
                    (leftWins, rightWins) = (0, rightWins + 1)
                    if rightCount == 0 { break merging }
                    if rightWins >= leapMin { break }
                } else {
                    values[place] = kept[next]
                    (place, next, leftCount) = (place + 1, next + 1, leftCount - 1)
                    (leftWins, rightWins) = (leftWins + 1, 0)
                    hasOneLeft = leftCount == 1
                    if hasOneLeft { break merging }
                    if leftWins >= leapMin { break }
                }
            }
            leapMin += 1
            var isFirst = true
            while isFirst || leftWins >= Self.winsMin || rightWins >= Self.winsMin {
                isFirst = false
                leapMin = max(1, leapMin - 1)
                leftWins = try leapRight(values[other], in: kept, next, leftCount, hint: 0)
                for _ in 0..<leftWins {
                    values[place] = kept[next]
                    (place, next, leftCount) = (place + 1, next + 1, leftCount - 1)
                }
                hasOneLeft = leftWins > 0 && leftCount == 1
                // None is left only where the comparison contradicts itself.
                if hasOneLeft || leftCount == 0 { break merging }
                values[place] = values[other]
                (place, other, rightCount) = (place + 1, other + 1, rightCount - 1)
                if rightCount == 0 { break merging }
                rightWins = try leapLeft(kept[next], in: values, other, rightCount, hint: 0)
                for _ in 0..<rightWins {
                    values[place] = values[other]
                    (place, other, rightCount) = (place + 1, other + 1, rightCount - 1)
                }
                if rightCount == 0 { break merging }
                values[place] = kept[next]
                (place, next, leftCount) = (place + 1, next + 1, leftCount - 1)
                hasOneLeft = leftCount == 1
                if hasOneLeft { break merging }
            }
            leapMin += 1
        }
        // The last value of the left run comes behind all that is left of the right one.
        if hasOneLeft {
            for _ in 0..<rightCount {
                values[place] = values[other]
                (place, other) = (place + 1, other + 1)
            }
        }
        for number in 0..<leftCount { values[place + number] = kept[next + number] }
    }

    /// The same from the back, where the right run is the shorter one.
    private mutating func mergeHigh(_ left: Run, _ right: Run) throws(Thrown) {
        let kept = Array(values[right.start..<right.start + right.length])
        var (leftCount, rightCount) = (left.length, right.length)
        var (place, next, other) = (
            right.start + right.length - 1, right.length - 1, left.start + left.length - 1
        )
        values[place] = values[other]
        (place, other, leftCount) = (place - 1, other - 1, leftCount - 1)
        var hasOneRight = leftCount > 0 && rightCount == 1
        merging: while leftCount > 0, !hasOneRight {
            var (leftWins, rightWins) = (0, 0)
            while true {
                if try compare(kept[next], values[other]) < 0 {
                    values[place] = values[other]
                    (place, other, leftCount) = (place - 1, other - 1, leftCount - 1)
                    (leftWins, rightWins) = (leftWins + 1, 0)
                    if leftCount == 0 { break merging }
                    if leftWins >= leapMin { break }
                } else {
                    values[place] = kept[next]
                    (place, next, rightCount) = (place - 1, next - 1, rightCount - 1)
                    (leftWins, rightWins) = (0, rightWins + 1)
                    hasOneRight = rightCount == 1
                    if hasOneRight { break merging }
                    if rightWins >= leapMin { break }
                }
            }
            leapMin += 1
            var isFirst = true
            while isFirst || leftWins >= Self.winsMin || rightWins >= Self.winsMin {
                isFirst = false
                leapMin = max(1, leapMin - 1)
                leftWins =
                    leftCount
                    - (try leapRight(kept[next], in: values, left.start, leftCount, hint: leftCount - 1))
                for _ in 0..<leftWins {
                    values[place] = values[other]
                    (place, other, leftCount) = (place - 1, other - 1, leftCount - 1)
                }
                if leftCount == 0 { break merging }
                values[place] = kept[next]
                (place, next, rightCount) = (place - 1, next - 1, rightCount - 1)
                hasOneRight = rightCount == 1
                if hasOneRight { break merging }
                rightWins =
                    rightCount - (try leapLeft(values[other], in: kept, 0, rightCount, hint: rightCount - 1))
                for _ in 0..<rightWins {
                    values[place] = kept[next]
                    (place, next, rightCount) = (place - 1, next - 1, rightCount - 1)
                }
                hasOneRight = rightWins > 0 && rightCount == 1
                if hasOneRight || rightCount == 0 { break merging }
                values[place] = values[other]
                (place, other, leftCount) = (place - 1, other - 1, leftCount - 1)
                if leftCount == 0 { break merging }
            }
            leapMin += 1
        }
        // The first value of the right run comes before all that is left of the left one.
        if hasOneRight {
            for _ in 0..<leftCount {
                values[place] = values[other]
                (place, other) = (place - 1, other - 1)
            }
        }
        for number in 0..<rightCount { values[place - number] = kept[next - number] }
    }
}
