// Arabic.

export default {
  feeds: "الخلاصات", workbench: "ورشة العمل", view: "العرض", key: "المفتاح",
  back: "العودة إلى الخلاصات", filter: "تصفية", live: "مباشر", refresh: "تحديث",
  loading: "جارٍ التحميل", item: "عنصر", filterWords: "تصفية بالكلمات",
  unreadOnly: "غير المقروء فقط", someOf: "{some} من {all}",
  searchAll: "البحث في كل الخلاصات", foundNone: "لم يُعثر على شيء",
  foundNoneText: "يشمل البحث الخلاصات التي فُتحت على هذا الجهاز.",

  items: {
    zero: "لا عناصر", one: "عنصر واحد", two: "عنصران", few: "{count} عناصر",
    many: "{count} عنصرًا", other: "{count} عنصر",
  },
  updated: "آخر تحديث: {ago}", offline: "دون اتصال، آخر تحديث: {ago}", isLive: "مباشر",
  inserted: "{count} جديد", moved: "{count} منقول", changed: "{count} معدّل",
  removed: "{count} محذوف", rearranged: "أُعيد الترتيب", nothingNew: "لا جديد",
  refreshing: "جارٍ التحديث", asOf: "هذا ما كان هنا في {time}.", sections: "الأقسام",

  liveNote: "مباشر: تظهر التغييرات تلقائيًا ما دامت الصفحة معروضة. وإلا فعند الطلب.",
  gotIt: "حسنًا",
  release: "توجد نسخة جديدة من هذه الصفحة.", takeRelease: "تحميلها",

  noFeeds: "لا توجد خلاصات بعد", noFeedsText: "انشر أول خلاصة وستظهر هنا.",
  openWorkbench: "فتح ورشة العمل",
  empty: "لا شيء هنا بعد", emptyText: "هذا السطر ينشر شيئًا إذا وضعت فيه مفتاحك، ثم يظهر هنا.",
  keyNeeded: "يلزم مفتاح", keyNeededText: "يعرض هذا الخادم خلاصاته لمن لديه مفتاح.",
  keyUnknown: "المفتاح غير صحيح", keyUnknownText: "لا يعرفه هذا الخادم. هل كُتب كما ينبغي؟",
  keyElsewhere: "هذا المفتاح لا يفتحها", keyElsewhereText: "هو لخلاصات أخرى على هذا الخادم.",
  enterKey: "أدخل مفتاحًا", enterAnotherKey: "أدخل مفتاحًا آخر",
  feedMissing: "لا توجد خلاصة كهذه", feedMissingText: "حُذفت أو تغيّر اسمها.",
  seeFeeds: "عرض كل الخلاصات",
  failed: "لم ينجح ذلك", tryAgain: "حاول مجددًا",
  lost: "تعذّر الوصول إلى الخادم.", lostText: "تحقق من الاتصال ومن أنه يعمل.",
  refused: "رفض الخادم: {reason} ({status})", strange: "جواب الخادم ليس مستند خلاصة.",

  close: "إغلاق", previous: "العنصر السابق", next: "العنصر التالي", share: "مشاركة",
  copyLink: "نسخ الرابط", original: "الأصل", openOriginal: "فتح الأصل",
  copy: "نسخ", copied: "نُسخ", selected: "حُدّد", notAllowed: "غير مسموح هنا",
  picture: "صورة", files: "ملفات", markRead: "مقروء", markUnread: "غير مقروء", markTo: "الكل حتى هنا",
  markedRead: "عدد ما عُلّم كمقروء: {count}",

  theme: "المظهر", asSystem: "كالنظام", light: "فاتح", dark: "داكن", contrast: "تباين عالٍ",
  textSize: "النص", medium: "متوسط", small: "صغير", large: "كبير",
  rows: "الصفوف", comfortable: "مريحة", compact: "متراصّة", language: "اللغة",
  asBrowser: "كالمتصفح", done: "تم",

  keys: "الاختصارات", keyOpen: "فتح العنصر التالي، أو السابق",
  keyGo: "الانتقال إلى الصف التالي، أو السابق", keyToggle: "فتح العنصر أو إغلاقه",
  keyMark: "وضع علامة مقروء أو غير مقروء", keyMarkTo: "تعليم الكل كمقروء حتى هنا",
  keyBack: "رجوع",

  keyText: "بعض الخوادم لا تعرض خلاصاتها إلا لمن لديه مفتاح."
    + " يُحفظ المفتاح وما فتحه إلى أن تُغلق هذه النافذة.",
  useKey: "استخدامه", removeKey: "إزالته", cancel: "إلغاء",
};
