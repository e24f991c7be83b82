import Platform

/// A time zone by its name in the tz database; only the zones of places that publish most are
/// known.
///
/// Its summer time has the rules since 1996; a zone without summer time today counts as one that
/// never had it.
struct NamedZone {
    private enum Summer {
        case none, europe, america, australia
    }

    /// The minutes east of Greenwich in winter.
    private let minutes: Int
    private let summer: Summer

    /// Finds a zone by its name, in upper or lower case; `nil`: the name is not known.
    init?(_ name: some StringProtocol) {
        guard let zone = NamedZone.byName[name.lowercased()] else { return nil }
        self = zone
    }

    private init(_ minutes: Int, _ summer: Summer) {
        (self.minutes, self.summer) = (minutes, summer)
    }

    /// Returns the offset of a local time, in seconds.
    func offset(_ day: CalendarDay, hour: Int) -> Int {
        (minutes + (isSummer(day, hour) ? 60 : 0)) * 60
    }

    /// Returns whether a local time is in summer time, which begins and ends at two or three
    /// o'clock of a Sunday.
    private func isSummer(_ day: CalendarDay, _ hour: Int) -> Bool {
        func sunday(_ month: Int, from first: Int) -> Int {
            guard let start = CalendarDay(year: day.year, month: month, day: first) else {
                return 0
            }
            // Day 0, 1970-01-01, was a Thursday.
            return start.daysSince1970 + (3 - start.daysSince1970).flooredDivision(by: 7).remainder
        }
        let time = day.daysSince1970 * 24 + hour
        switch summer {
        case .none: return false
        case .europe:
            let change = 1 + minutes / 60
            return (sunday(3, from: 25) * 24 + change)..<(sunday(10, from: 25) * 24 + change + 1)
                ~= time
        case .america:
            let isShort = day.year < 2007
            let start = isShort ? sunday(4, from: 1) : sunday(3, from: 8)
            let end = isShort ? sunday(10, from: 25) : sunday(11, from: 1)
            return (start * 24 + 2)..<(end * 24 + 2) ~= time
        case .australia:
            let isShort = day.year < 2008
            let end = isShort ? sunday(3, from: 25) : sunday(4, from: 1)
            let start = isShort ? sunday(10, from: 25) : sunday(10, from: 1)
            return !((end * 24 + 3)..<(start * 24 + 2) ~= time)
        }
    }

    private static let byName: [String: NamedZone] = {
        let groups: [(Summer, Int, String)] = [
            (.europe, 0, "europe/london europe/dublin europe/lisbon atlantic/canary"),
            (
                .europe, 60,
                "europe/paris europe/berlin europe/madrid europe/rome europe/amsterdam"
                    + " europe/brussels europe/vienna europe/zurich europe/stockholm europe/oslo"
                    + " europe/copenhagen europe/prague europe/warsaw europe/budapest"
                    + " europe/belgrade europe/zagreb europe/luxembourg europe/bratislava"
                    + " europe/ljubljana europe/malta"
            ),
            (
                .europe, 120,
                "europe/athens europe/helsinki europe/kiev europe/kyiv europe/bucharest"
                    + " europe/sofia europe/riga europe/tallinn europe/vilnius"
            ),
            (.none, 180, "europe/istanbul europe/moscow europe/minsk africa/nairobi"),
            (.america, -300, "america/new_york america/toronto america/detroit us/eastern"),
            (.america, -360, "america/chicago america/winnipeg us/central"),
            (.america, -420, "america/denver america/edmonton us/mountain"),
            (.america, -480, "america/los_angeles america/vancouver america/tijuana us/pacific"),
            (.america, -540, "america/anchorage"), (.america, -240, "america/halifax"),
            (.none, -420, "america/phoenix"), (.none, -600, "pacific/honolulu"),
            (.none, -360, "america/mexico_city america/costa_rica"),
            (.none, -300, "america/bogota america/lima"),
            (.none, -180, "america/sao_paulo america/argentina/buenos_aires america/buenos_aires"),
            (.none, 0, "utc etc/utc etc/gmt africa/accra atlantic/reykjavik"),
            (.none, 60, "africa/lagos africa/algiers"), (.none, 120, "africa/johannesburg"),
            (.none, 210, "asia/tehran"), (.none, 240, "asia/dubai"), (.none, 300, "asia/karachi"),
            (.none, 330, "asia/kolkata asia/calcutta"), (.none, 360, "asia/dhaka"),
            (.none, 420, "asia/bangkok asia/jakarta asia/ho_chi_minh asia/saigon"),
            (
                .none, 480,
                "asia/shanghai asia/hong_kong asia/singapore asia/taipei asia/manila"
                    + " asia/kuala_lumpur australia/perth"
            ),
            (.none, 540, "asia/tokyo asia/seoul"), (.none, 600, "australia/brisbane"),
            (.australia, 600, "australia/sydney australia/melbourne australia/hobart"),
            (.australia, 570, "australia/adelaide"), (.none, 570, "australia/darwin"),
        ]
        var zones: [String: NamedZone] = [:]
        for (summer, minutes, names) in groups {
            for name in names.split(separator: " ") {
                zones[String(name)] = NamedZone(minutes, summer)
            }
        }
        return zones
    }()
}
