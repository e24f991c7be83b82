/// Why a text is not the value of a setting.
struct InvalidSetting: Error, Equatable {
    let reason: String
}
