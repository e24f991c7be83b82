/// Names of a script, for made-up people.
struct ContactNames {
    /// The script's name, for ids.
    var name: String
    /// The number of people of this script; at most given × family names.
    var count: Int
    /// The text between family name and given name, if the family name comes first; nil if the
    /// given name comes first.
    var familyFirstSeparator: String?
    var given: [String]
    var family: [String]
    var towns: [String]

    /// Returns a whole name in its script's order.
    func fullName(_ given: String, _ family: String) -> String {
        familyFirstSeparator.map { family + $0 + given } ?? "\(given) \(family)"
    }

    static let scripts = [latin, greek, cyrillic, hangul, kana, han, arabic, hebrew]

    private static let latin = ContactNames(
        name: "latin",
        count: 120,
        given: words(
            """
            Aoife Beñat Chloé Davíð Élodie Frøya Gülşen Håkon Íris Jürgen Kateřina Łukasz Małgorzata
            Núria Øyvind Pál Renée Søren Şebnem Tõnu Ülle Vojtěch Władysław Xóchitl Yıldız Zoë Åsa
            Čeněk Đorđe Žofia
            """
        ),
        family: words(
            """
            Ångström Blåsjö Čapek Dvořáček Eğilmez Fjærland Grünwald Håvardsen Ibáñez Jørgensson
            Kovářová Lindström Müllner Nuñez Öztürkmen Pérez-Soler Quiñones Řehoř Šimůnek Tóthfalvi
            Ünlü Vāgners Wójtowicz Ximénez Yûki Žižkovský
            """
        ),
        towns: words("Århus Brno Córdoba Düren Évora Győr İzmir Łódź Malmö Žilina")
    )

    private static let greek = ContactNames(
        name: "greek",
        count: 30,
        given: words("Άννα Βασίλης Γιώργος Δήμητρα Ελένη Ηλίας Ίρις Κώστας Ξένια Όλγα"),
        family: words("Αλεξίου Βλάχος Γεωργάκης Δημητρίου Ζαφείρη Θεοφίλου Λαμπράκης Ωραίος"),
        towns: words("Βόλος Καλαμάτα Πάτρα Χανιά")
    )

    private static let cyrillic = ContactNames(
        name: "cyrillic",
        count: 40,
        given: words("Алёна Борис Вера Глеб Ђорђе Елена Жанна Їжак Йордан Олена Юрий Ясна"),
        family: words(
            "Берёзко Вишняк Гончарик Дунаев Зорин Јовић Крутько Лозан Мельничук Шевчик Щербан"
        ),
        towns: words("Бургас Вятка Львів Ниш Скопје Томск")
    )

    private static let hangul = ContactNames(
        name: "hangul",
        count: 30,
        familyFirstSeparator: "",
        given: words("가온 나래 다솜 라온 미르 보람 새롬 아름 지우 하늘"),
        family: words("강 김 노 문 박 배 서 송 안 이 정 조 최 한"),
        towns: words("강릉 대구 부산 전주 제주")
    )

    private static let kana = ContactNames(
        name: "kana",
        count: 30,
        familyFirstSeparator: " ",
        given: words("あおい いぶき かえで さくら つむぎ なぎさ はると ひなた まこと ゆうき"),
        family: words("アベノ イシカワ ウエムラ カワベ サトミ タカギ ナカハラ ハヤシ ミウラ ヤマネ"),
        towns: words("おたる かまくら ながさき ひめじ")
    )

    private static let han = ContactNames(
        name: "han",
        count: 30,
        familyFirstSeparator: "",
        given: words("安然 晨曦 海燕 静怡 明哲 思远 文博 晓峰 雅琴 子涵"),
        family: words("陈 丁 高 何 李 林 马 王 吴 张 周"),
        towns: words("成都 杭州 昆明 青岛 西安")
    )

    private static let arabic = ContactNames(
        name: "arabic",
        count: 30,
        given: words("أمينة باسم جميلة حسن دانية رشيد سلمى طارق ليلى ياسين"),
        family: words("الأندلسي البغدادي الحلبي الدمشقي الزهراني الشامي القرطبي النجار"),
        towns: words("الإسكندرية حلب طنجة عمّان مسقط")
    )

    private static let hebrew = ContactNames(
        name: "hebrew",
        count: 30,
        given: words("אבישג בועז גלית דורון הדס זיו טליה יונתן נועה רותם"),
        family: words("אלמוג בר־אור גרוס דקל הררי כרמי לביא מזרחי שקד תבור"),
        towns: words("אילת חיפה טבריה נתניה")
    )

    private static func words(_ list: String) -> [String] {
        list.split(whereSeparator: \.isWhitespace).map(String.init)
    }
}
