import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { IndexedCollation } from "../../Public/ui/IndexedCollation.js";

/** Of the tests of the server's collation, which this one has to agree with. */
const places = [
  ["en", "A", "adam Adam ÀB Äpfel Ångström ãx ǻ ª 𝐀 Ａ ａ ⓐ 🄰 æsir Ægir ậ"],
  ["en", "D", "đ Ð ď ǆ"], ["de-AT", "F", "ﬁnance ﬀ"], ["en", "H", "ħ ℋ ʰ"], ["en", "I", "İx ı Ⅳ ⅱ"],
  ["en", "N", "ñu № ŋ"], ["en", "O", "Øre œuvre Öl ºx"], ["en", "S", "ßa straße ŝ ſ ẞ"],
  ["en", "Z", "ž ź ż ƶ Zz"], ["en", "B", "\ufeffB \u200bb \u0301b \u0000b \u0007B \u00adb b\u20dd"],
  ["en", "#", "1 42 ٣ ½ ① + - _ . ( “Adam” ’t #x @x $ € ° ℃ ㈎ 😀 👩‍👩‍👧 🇸🇪 ❤️ 〒 ー 々"],
  ["en", "#", "Жуков Ωmega שלום سلام ไทย हिन्दी 한글 あ ア 漢字 քա ꙮ 𐍈 𓀀 þorn Ʒ ǃ ƿynn"],
  ["sv", "Å", "Åsa åa A\u030a"], ["sv", "Ä", "Ärla æ"], ["sv", "Ö", "Öga øre œ"],
  ["sv", "A", "Aalto á"], ["sv", "Y", "ü Ÿ"], ["da", "Å", "Aalborg Århus aa"], ["da", "Ø", "øl Öl"],
  ["fi", "Z", "Zorro ž ʒ"], ["is", "Þ", "Þór þ"], ["es", "Ñ", "ñu Ñandú"], ["es", "C", "chico"],
  ["lt", "I", "ya Ilona Ypatinga į"], ["cs", "CH", "chleba Cheb CH"], ["cs", "H", "hrad"],
  ["hu", "CS", "csak Cs"], ["hu", "DZS", "dzsem"], ["hu", "Ö", "ő ö"], ["tr", "I", "ırmak IRMAK"],
  ["tr", "İ", "istanbul İzmir"], ["hr", "DŽ", "džep ǆ"], ["cy", "LL", "llan"], ["az", "Ə", "ə"],
  ["ko", "ㄱ", "가 까 각 ㄱ ㄲ 깍두기 ᄀ ﾡ ㉠ 강남 金 ㉮"], ["ko", "ㄷ", "다 따 ㄸ 또"], ["ko", "ㅎ", "하 힣 漢 ㅎ"],
  ["ko-KR", "A", "adam Ä"], ["ko", "#", "ㅏ あ Ж 1 😀 𠀀 ㈎"],
  ["ja", "あ", "あ ア ァ ぁ ｱ い う ヴ お え ㋐"], ["ja", "か", "か が ガ ゕ ヵ け ご ｶﾞ"], ["ja", "わ", "わ を ん ヰ ヮ ヷ"],
  ["ja", "#", "漢 日本 한 ー 1 々 〆"], ["zh", "B", "八 白 北京"], ["zh-Hans-SG", "Z", "张 中国 做 蓙 z"],
  ["yue-Hans", "W", "王 吴"], ["zh", "U", "ü Ǖ"], ["zh", "#", "𠀂 あ 한 1"],
  ["zh-Hant", "4劃", "王 不"], ["zh_HK", "7劃", "李 吳"], ["yue", "11劃", "張 陳"], ["zh-TW", "#", "あ 1"],
  ["ru", "Ж", "Жуков ж"], ["ru", "Е", "Ёлка е"], ["ru", "A", "Adam"], ["uk", "Ґ", "ґ"],
  ["el", "Α", "Ά άλφα ἀ ᾳ"], ["he", "כ", "כלב ך"], ["ar", "ا", "أحمد آ ا ﺍ ء"], ["fa", "پ", "پدر"],
  ["th", "ก", "ก เก กา แก"], ["hi", "क", "कमल क़"], ["ka", "ა", "აბ Ა"], ["am", "ሀ", "ሁ"],
];

suite("indexed collation", () => {
  test("says in words what it cannot go by", () => {
    for (const locale of [null, undefined, 5]) {
      assert.throws(() => new IndexedCollation(locale), { name: "TypeError", message: /of a locale, such as "en", not of/ });
    }
    const collation = new IndexedCollation("en");
    assert.throws(() => collation.sortedArray([{ name: "b" }], "name"), /such as \(\{ name \}\) => name, and not "name"/);
    assert.throws(() => collation.section({ name: "b" }, "name"), TypeError);
    for (const [object, by] of [[null], [undefined], [{}, ({ name }) => name], [{ name: 5 }, ({ name }) => name]]) {
      assert.throws(() => collation.section(object, by), /goes by a string, and not by (null|undefined|5)/);
      assert.throws(() => collation.sortedArray([object], by), /goes by a string/);
    }
    assert.equal(collation.sectionTitles[collation.section(42)], "#");
  });

  for (const [locale, title, strings] of places) {
    test(`${locale}: ${title}`, () => {
      const collation = new IndexedCollation(locale);
      for (const string of strings.split(" ")) {
        assert.equal(collation.sectionTitles[collation.section(string)], title, string);
      }
    });
  }

  test("what starts with white space, or is empty, fits nowhere", () => {
    const collation = new IndexedCollation("en");
    for (const string of ["", " Adam", "\tAdam", "\u00a0A", "\u3000A"]) {
      assert.equal(collation.section(string), 26);
    }
  });

  test("Han whose strokes the browser does not know fits nowhere", () => {
    const collation = new IndexedCollation("zh-Hant");
    const title = (string) => collation.sectionTitles[collation.section(string)];
    assert.equal(title("龘"), "48劃");
    for (const [string, strokes] of [["㐂", "6劃"], ["龴", "2劃"], ["𠀀", "2劃"], ["𪜁", "3劃"]]) {
      assert.ok([strokes, "#"].includes(title(string)), `${string} in ${title(string)}`);
    }
  });

  test("sorts objects by what they go by; ties keep their order", () => {
    const people = ["Zoë", "adam", "Émile", "Adam", "adam"].map((name, id) => ({ name, id }));
    const sorted = new IndexedCollation("en").sortedArray(people, ({ name }) => name);
    assert.deepEqual(sorted.map(({ id }) => id), [1, 4, 3, 2, 0]);
  });

  test("refuses a language that it does not know", () => {
    assert.throws(() => new IndexedCollation("tlh"), RangeError);
    assert.throws(() => new IndexedCollation("no locale"), RangeError);
  });

  test("the current one is always there", () => {
    const { sectionTitles, sectionIndexTitles } = IndexedCollation.current;
    assert.equal(sectionTitles.at(-1), "#");
    assert.deepEqual(sectionIndexTitles, sectionTitles);
  });
});
