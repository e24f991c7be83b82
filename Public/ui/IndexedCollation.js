const latin = "ABCDEFGHIJKLMNOPQRSTUVWXYZ".split("");
const scripts = ("Latin Cyrillic Greek Arabic Hebrew Devanagari Bengali Gurmukhi Gujarati Oriya "
  + "Tamil Telugu Kannada Malayalam Sinhala Thai Lao Tibetan Myanmar Georgian Armenian Ethiopic "
  + "Khmer Cherokee Ol_Chiki Tifinagh Vai Adlam Chakma Hangul Han Hiragana Katakana").split(" ")
  .map((name) => ({
    name: name.replace(/Hiragana|Katakana/, "Kana"), pattern: new RegExp(`\\p{Script=${name}}`, "u"),
  }));
/** Regions where a language is not in its usual script (CLDR, likely subtags). */
const implied = {
  "pa-PK": "Arab", "sr-ME": "Latn", "uz-AF": "Arab", "zh-HK": "Hant", "zh-MO": "Hant",
  "zh-TW": "Hant",
};

/** A locale's way to sort strings and to group them under letters, as the server has it. */
export class IndexedCollation {
  #compare;
  #compareLetters;
  #boundaries = new Map();
  /** The titles in order; `#`, of what fits nowhere, is the last. */
  sectionTitles = [];

  /** @param {string} locale @throws {RangeError} when its language is not known, {TypeError} for none */
  constructor(locale) {
    if (typeof locale !== "string") throw new TypeError(`A collation is of a locale, such as "en", not of ${locale}.`);
    const { language, script: given, region } = new Intl.Locale(locale.replaceAll("_", "-"));
    const script = given ?? implied[`${language}-${region}`];
    // Browsers know no order of Cantonese, whose letters are those of Chinese.
    const name = language === "yue" ? `zh-${script ?? "Hant"}`
      : [language, script, region].filter(Boolean).join("-");
    this.#compare = new Intl.Collator(name, { sensitivity: "variant" }).compare;
    this.#compareLetters = new Intl.Collator(name, { sensitivity: "base" }).compare;
    this.#addLetters(language, script);
    this.#add("Latin", ["ʒ", "ǀ"], null);
    for (const [of, list] of this.#boundaries) this.#boundaries.set(of, this.#ordered(list));
    this.sectionTitles.push("#");
  }

  /** That of the reader's own language; English where it is not known. */
  static get current() {
    for (const locale of globalThis.navigator?.languages ?? []) {
      try {
        return new IndexedCollation(locale);
      } catch { /* the next one, then */ }
    }
    return new IndexedCollation("en");
  }

  /** What an index bar shows. */
  get sectionIndexTitles() { return this.sectionTitles; }
  /** The section that a title of the index bar, by its number, leads to. */
  sectionForSectionIndexTitle(index) { return index; }

  /**
   * The number of the section of an object.
   * @template T @param {T} object @param {(object: T) => string} [by] what it goes by
   */
  section(object, by = String) {
    const string = nameOf(object, by);
    const list = this.#boundaries.get(scriptAtStart(string));
    const last = this.sectionTitles.length - 1;
    if (!list) return last;
    const after = list.findLast(({ start }) => this.#compareLetters(string, start) >= 0);
    return (after ?? list[0]).section ?? last;
  }

  /**
   * The objects in the locale's order; those that tie keep theirs.
   * @template T @param {T[]} array @param {(object: T) => string} [by] @returns {T[]}
   */
  sortedArray(array, by = String) {
    const keyed = array.map((object) => [nameOf(object, by), object]);
    return keyed.sort(([one], [other]) => this.#compare(one, other)).map(([, object]) => object);
  }

  #addLetters(language, script) {
    if (language === "ja") {
      this.#add("Kana", [..."あかさたなはまやらわ"]);
    } else if (language === "ko") {
      this.#add("Hangul", [..."ㄱㄴㄷㄹㅁㅂㅅㅇㅈㅊㅋㅌㅍㅎ"]);
      this.#add("Hangul", ["\u1161"], null);
      this.#put("Han", this.#boundaries.get("Hangul") ?? []);
    } else if (["zh", "yue"].includes(language)) {
      return this.#addChinese(script === "Hant" || (language === "yue" && !script));
    } else {
      const letters = lettersOf(`${language}_${script}`) ?? lettersOf(language);
      if (!letters) throw new RangeError(`No index is known for the language ${language}.`);
      this.#add(scriptAtStart(letters[0]), letters);
    }
    if (!this.#boundaries.has("Latin")) this.#add("Latin", latin);
  }

  /** By strokes or by pinyin; U+FDD0 marks where each begins (UTS 35, part 5). */
  #addChinese(isByStrokes) {
    if (!isByStrokes) {
      this.#add("Latin", latin);
      this.#put("Han", latin.map((letter, section) => ({ start: `\ufdd0${letter}`, section })));
      return this.#add("Han", ["\u{2a6d9}"], null);
    }
    const mark = (strokes) => `\ufdd0${String.fromCharCode(0x2800 + strokes)}`;
    this.sectionTitles = Array.from({ length: 48 }, (_, index) => `${index + 1}劃`);
    this.#put("Han",
      this.sectionTitles.map((_, section) => ({ start: mark(section + 1), section })));
    // Short orders, of newer browsers, end at 48; the rest follows, this one first.
    const rest = "\u{2a6d9}";
    this.#add("Han", [this.#compareLetters(rest, mark(48)) > 0 ? rest : mark(52)], null);
    this.#add("Latin", latin);
  }

  /** Adds letters of a script; with null, of where letters begin that are none of the index's. */
  #add(script, letters, first = this.sectionTitles.length) {
    this.#put(script, letters.map((start, index) =>
      ({ start, section: first === null ? null : first + index })));
    if (first !== null) this.sectionTitles.push(...letters);
  }

  #put(script, list) {
    this.#boundaries.set(script, [...this.#boundaries.get(script) ?? [], ...list]);
  }

  /** Where letters end, a letter may begin (ezh is a z in Finnish): that one counts. */
  #ordered(list) {
    return list.filter((end) => end.section !== null || !list.some((one) =>
      one.section !== null && this.#compareLetters(one.start, end.start) === 0))
      .sort((one, other) => this.#compareLetters(one.start, other.start));
  }
}

/** What an object goes by. @throws {TypeError} where that is no string */
function nameOf(object, by) {
  if (typeof by !== "function") {
    throw new TypeError(`\`by\` is a function, such as ({ ${by} }) => ${by}, and not ${JSON.stringify(by)}.`);
  }
  const name = by === String && (object === null || object === undefined) ? object : by(object);
  if (typeof name === "string") return name;
  throw new TypeError(`An object goes by a string, and not by ${name}.`);
}

function lettersOf(name) {
  const [languages, letters] = indexLetters.split("\n").map((line) => line.split(": "))
    .find(([languages]) => languages.split(" ").includes(name)) ?? [];
  return languages && [...letters.matchAll(/\((.+?)\)|(.)-(.)|(.)/gu)].flatMap(
    ([, several, from, to, one]) => (from ? range(from, to) : several ?? one));
}

function range(from, to) {
  const start = from.codePointAt(0);
  return Array.from({ length: to.codePointAt(0) - start + 1 },
    (_, index) => String.fromCodePoint(start + index));
}

/** The script of the letter that a string begins with, past what sorting ignores; or null. */
function scriptAtStart(string) {
  for (const character of string) {
    if (/[\p{Mn}\p{Me}\p{Cf}]|(?!\s|\u0085)\p{Cc}/u.test(character)) continue;
    return scriptOf(character) ?? scriptOf([...character.normalize("NFKD")][0]);
  }
  return null;
}

function scriptOf(letter) {
  if (!/[\p{Lu}\p{Ll}\p{Lt}\p{Lo}\p{Nl}]/u.test(letter)) return null;
  return scripts.find(({ pattern }) => pattern.test(letter))?.name ?? null;
}

/**
 * The letters of an index by language, and script where that is not the usual one (CLDR). `A-Z` is
 * all letters from the one to the other, `(CH)` one letter of several characters.
 *
 * Made of the server's table by scripts/index-letters.mjs.
 */
const indexLetters = `
af asa ast bem bez br ca ceb cgg dav de ebu en eu fr fur ga gd gsw guz gv ia id ig it: A-Z
jmc jv kam kde kea kgp ki kln ksb ksh kw lb lu luo luy mer mfe mg mgh mi ms naq nd nl: A-Z
nyn om pcm pt qu rm rn rof rw rwk saq sbp sc seh sg sn so su sw teo und vun wae xh xog: A-Z
yo yrl zu: A-Z
agq: A-EƐF-IƗJ-NŊOƆP-UɄV-Zʔ
ak: A-EƐF-OƆP-Z
az: A-CÇDEƏFGĞHXIİJKQL-OÖPRSŞTUÜVYZW
bas: ABƁC-EƐF-NŊOƆP-Z
bm: A-EƐF-NƝŊOƆP-Z
bs sr_Latn: A-CČĆD(DŽ)E-L(LJ)MN(NJ)O-SŠT-ZŽ
cs: A-CČD-H(CH)I-RŘSŠT-ZŽ
cy: A-C(CH)D(DD)EF(FF)G(NG)H-L(LL)M-P(PH)QR(RH)ST(TH)U-Z
da kl nb nn no: A-ZÆØÅ
dje khq ses twq: A-NƝŊO-Z
dsb: A-CČĆD-H(Ch)I-KŁL-SŠŚT-ZŽŹ
dua kkj vai_Latn: ABƁCDƊEƐF-NŊOƆP-Z
dyo lg wo: A-NŊO-Z
ee: A-DƉEƐFƑGƔHXI-NŊOƆP-VƲWYZ
eo: A-CĈD-GĜHĤIJĴK-SŜTUŬV-Z
es gl: A-NÑO-Z
et: A-SŠZŽT-WÕÄÖÜXY
ewo: A-EƏƐF-NŊOƆP-Z
ff: ABƁCDƊE-NŊO-YƳZ
fi sv: A-ZÅÄÖ
fil: A-NÑ(Ng)O-Z
fo: A-ZÆØ
fy: A-XZ
ha: ABƁCDƊE-KƘL-YƳZ
haw: AEIOUB-DF-HJ-NP-TV-Z
hr: A-CČĆD(DŽ)ĐE-L(LJ)MN(NJ)O-SŠT-ZŽ
hsb: A-CČĆD-H(CH)I-KŁL-SŠT-ZŽ
hu: A-C(CS)D(DZ)(DZS)E-G(GY)H-L(LY)MN(NY)OÖP-S(SZ)T(TY)UÜV-Z(ZS)
is: AÁB-DÐEÉF-IÍJ-OÓP-UÚV-YÝZÞÆÖ
jgo: A-EƐF-NŊOƆP-UɄV-ZꞋ
kab shi_Latn tzm: A-EƐFGƔH-Z
ksf: A-EƎƐF-NŊOƆP-Z
ku: A-CÇDEÊF-IÎJ-SŞTUÛV-Z
lag: A-IƗJ-UɄV-Z
lkt: A-CČD-GǦHȞI-NŊO-SŠT-ZŽ
ln: A-EƐF-Z
lt: A-CČD-SŠT-XZŽ
lv: A-CČD-GĢH-KĶLĻMNŅO-SŠT-XZŽ
mas: A-EƐF-IƗJ-NŊOƆP-UɄV-Z
mgo: A-EƏF-NŊOƆP-Z
mt: ABĊC-FĠG(GĦ)HĦI(IE)J-YŻZ
mua: ABƁCDƊEƎF-NŊO-Z
nmg: ABƁC-EƎƐF-NŊOƆP-Z
nnh: A-EƐF-NŊOƆP-UɄV-Z
nus: A-EƐFGƔH-NŊOƆP-Z
pl: A-CĆD-LŁM-OÓP-SŚT-ZŹŻ
ro: AĂÂB-IÎJ-SȘTȚU-Z
se: AÁBCČDĐE-NŊO-SŠTŦU-ZŽØÆÅÄÖ
sk: AÄBCČD-H(CH)I-OÔP-SŠT-ZŽ
sl: A-CČĆDĐE-SŠT-ZŽ
smn: AÂBCČDĐE-NŊO-SŠT-ZŽÄÁ
sq: A-CÇD(DH)EËFG(GJ)H-L(LL)MN(NJ)O-R(RR)S(SH)T(TH)U-X(XH)YZ(ZH)
tk: A-CÇDEÄF-JŽK-NŇOÖP-SŞTUÜV-YÝZ
to: A-N(NG)O-Z
tr: A-CÇD-IİJ-OÖP-SŞTUÜV-Z
uz: A-Z(Oʻ)(Gʻ)(Sh)(Ch)
vi: AĂÂB-DĐEÊF-OÔƠP-UƯV-Z
yav: A-EƐF-NŊOƆP-Z
am: ሀለሐመሠረሰሸቀቈበቨተቸኀኈነኘአከኰኸወዐዘዠየደጀገጐጠጨጰጸፀፈፐ
ar: ابت-غف-وي
as: অ-ঋএঐও-ণৎত-নপ-যৰলৱশ-হ
az_Cyrl: АӘБ-ГҒД-ЙЈКҜЛ-ОӨП-УҮФХҺЧҸШЫ
be: А-ЕЁЖЗІЙ-ШЫ-Я
bg: А-ЩЮЯ
bgc hi ne: अ-ऋएऐओ-नप-रलव-ह
bho: क-घच-नप-रलव-ह
bn: অ-ঋএঐও-নপ-রলশ-হ
bo dz: ཀ-གང-ཇཉཏ-དན-བམ-ཛཝ-ཤས-ཨ
brx: अ-ऊऍए-ऑओ-घच-नप-रलळव-ह
bs_Cyrl sr: А-ДЂЕ-ИЈКЛЉМНЊО-ТЋУ-ЧЏШ
ccp: 𑄃-𑄦
ce: А-ИК-Я
chr: ᎠᎦᎭᎳᎹᎾᏆᏌᏓᏜᏣᏩᏯ
ckb: ئ-بپتجچح-درزڕژسشعغفڤقکگلڵمنھەوۆیێ
cv: А-СҪТ-Я
doi sa: अ-ऋॠऌॡएऐओ-नप-रलळव-ह
el: Α-ΡΣ-Ω
fa: آابپت-جچح-زژس-غفقکگل-نوهی
ff_Adlm: 𞤀𞤛
gu: અ-ઋઍએ-ઑઓ-નપ-રલવ-હળ
he yi: א-יכלמנ-עפצ-ת
hy: Ա-Ֆ
ka: ა-ჰ
kk: АӘБ-ГҒДЕЁЖ-КҚЛ-НҢОӨП-УҰҮФХҺЦ-ЫІЬ-Я
km: ក-រឫឬលឭឮវស-អឥ-ឧឩឪឯ-ឱឳ
kn: ಅ-ಋೠಌೡಎ-ಐಒ-ನಪ-ಲವ-ಹಳೞ
kok: अ-ऍए-ऑओ-नप-रलव-हळ
ks: ء-أٲؤابپتثٹجچح-ذڈرزڑژس-غفقکگل-نںھہوۄۆیۍؠے
ks_Deva: अ-ऊएऑओक-गच-जट-डत-दनप-बम-रलवशसह
ky: А-ЕЁЖ-НҢОӨП-УҮФ-Я
lo: ກຂຄງຈສຊຍດ-ທນ-ຟມ-ຣລວຫອຮ
lrc: آابپت-جچح-زژس-غفقکگل-نھوی
mai: अ-ऌॡएऐओ-घच-नप-रलव-ह
mk: А-ДЃЕ-ЗЅИЈКЛЉМНЊО-ТЌУ-ЧЏШ
ml: അ-ഋഎ-ഐഒ-നപ-രലവ-ഹളഴറ
mn: А-ОӨП-УҮФ-Я
mni: অ-ঋএঐও-নপ-রলৱশ-হ
mr: ॐअ-ऌए-ऑओ-नप-रलव-हळऽ
my: က-အ
mzn: آابپت-جچح-زژس-غفقکگل-وی
or: ଅ-ଋଏଐଓ-ନପ-ରଲଳଶ-ହ
os: АӔБ-ЩЫЭ-Я
pa: ੳਅੲਸਹਕ-ਨਪ-ਰਲਵੜ
pa_Arab: ءآؤئ-بپتثٹجچح-ذڈرزڑژس-غفقکگل-نںهھہویے
ps: آاءبپتټثجځچڅح-دډذرړزژږسشښص-غفقکګل-نڼهوی
raj: अक-नप-रलव-ह
ru: А-ЩЫЭ-Я
sah: АБГҔДИ-НҤОӨП-УҮХҺЧЫЭ
sat: ᱚ-ᱷ
sd: ابٻپڀتثٺٽٿجڃڄچڇح-ذڊڌڍڏرزڙس-غفڦقکڪگڱڳل-نڻهھوي
sd_Deva: अ-ऊएऐओ-गॻघ-जॼझ-डॾढ-नप-बॿभ-रलव-ह
shi zgh: ⴰⴱⴳⴷⴹⴻ-ⴽⵀⵃ-ⵅⵇⵉⵊⵍ-ⵏⵓ-ⵖⵙ-ⵜⵟⵡ-ⵣⵥ
si: අ-ඍඑ-ඖක-ඣඥඤට-නඳ-රලව-ෆ
ta: அ-ஊஎ-ஐஒ-கஙசஞடணதநபம-ரலவழளறன
te: అ-ఋౠఎ-ఐఒ-నప-లవ-హళ
tg: А-ГҒД-КҚЛ-ХҲЧҶШЪЭ-Я
th: ก-ฮ
ti: ሀለሐመሠረሰሸቀቈቐቘበቨተቸኀኈነኘአከኰኸዀወዐዘዠየደጀገጐጠጨጰጸፀፈፐ
tt: АӘБ-ЖҖЗ-НҢОӨП-УҮФХҺЦ-Я
ug: اەبپتجچخدرزژسشغف-كگڭل-نھوۇۆۈۋېىي
uk: А-ГҐДЕЄЖ-ИІЇЙ-ЩЮЯ
ur: ابپتٹثجچح-دڈذرڑزژس-غفقکگل-نوہھءیے
uz_Arab: ء-ؤئ-بپة-جچح-زژس-غفقکگل-وۇۉی
uz_Cyrl: А-ГҒД-КҚЛ-ХҲЧШЪЭ-Я
vai: ꔀꔃꔆꔉꔌꔏꔒꔕꔘꔛꔞꔡꔤꔧꔪꔭꔰꔳꔶꔹꔼꔿꕂꕅꕇꕊꕍꕐꕓꕖꕙꕜꕟꕢꕥꕨꕫꕮꕱꕴꕷꕺꕽꖀꖃꖆꖉꖌꖏꖒꖕꖘꖛꖞꖡꖤꖧꖩꖬꖯꖲꖵꖸꖻꖾꗁꗄꗇꗊꗍꗐꗓꗖꗙꗜꗟꗢꗥꗨꗫꗮꗱꗴꗷꗺꗽꘀꘃꘆꘉꘋ
`;
