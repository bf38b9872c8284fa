/// The limits of parameters and secrets: AWS's, where it has some.
package enum ParameterLimits {
    package static let bodyBytesMax = 256 << 10
    package static let bodyNestingMax = 16
    /// Parameters, and secrets, that are kept.
    static let countMax = 10_000
    /// All that is kept, as JSON.
    package static let bytesMax = 64 << 20
    /// How long a call may read.
    static let readMilliseconds: Int64 = 5_000
    /// The names of a call.
    static let namesMax = 10
    /// The filters of a call, and the values of one.
    static let filtersMax = 10
    static let filterValuesMax = 50
    static let parameterNameBytesMax = 1_011
    /// The name in a call, which may be an ARN.
    static let saidNameMax = 2_048
    static let parameterLevelsMax = 15
    static let parameterBytesMax = 8_192
    static let standardBytesMax = 4_096
    /// The steps in which a value is matched with its pattern. Beyond: it does not match.
    static let patternStepsMax = 1_000_000
    static let pageMax: Int64 = 10
    /// The versions of a parameter: the oldest goes, unless it has a label.
    static let parameterVersionsMax: Int64 = 100
    static let labelsMax = 10
    static let labelBytesMax = 100
    static let describedMax: Int64 = 50
    static let describedUsual: Int64 = 10
    static let secretNameBytesMax = 512
    static let secretBytesMax = 65_536
    static let secretPageMax: Int64 = 100
    /// The secrets whose values a call asks for.
    static let batchMax = 20
    static let parameterDescriptionMax = 1_024
    static let descriptionMax = 2_048
    static let tokenBytes = 32...64
    /// How many days a secret that is deleted can be restored.
    static let recoveryDays: ClosedRange<Int64> = 7...30
    /// Versions of a secret: older ones go, those without a label first.
    static let versionsMax = 20
    static let stageMax = 256
    static let tagsMax = 50
    static let tagKeyMax = 128
    static let tagValueMax = 256
    static let passwordLength: ClosedRange<Int64> = 1...4_096
}
