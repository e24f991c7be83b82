/**
 * The letters of an index by language, and script where that is not the usual one (CLDR). `A-Z` is
 * all letters from the one to the other, `(CH)` one letter of several characters.
 *
 * Made of the server's table by scripts/index-letters.mjs.
 */
export const indexLetters = `
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
