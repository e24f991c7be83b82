// Arabic, for `pages.js`, by the English texts.

export default {
  "Pages": "الصفحات",
  "Reader": "القارئ",
  "Workbench": "طاولة العمل",
  "Gallery": "المعرض",
  "Publish the whole list. Readers get just what changed.":
    "انشر القائمة كلها، ولا يصل القراء إلا ما تغيّر.",
  "Change the list and publish it. One reader follows and hears at once; the other asks when you tell it to, and gets everything it missed in a single answer.":
    "غيّر القائمة وانشرها. أحد القارئين يتابع فيعلم فورًا، والآخر يسأل حين تطلب منه فيصله كل ما فاته في جواب واحد.",
  "Sent to both readers": "ما أُرسل إلى القارئين",
  "Nothing yet. Publish, change something and publish again, or let a story do it.":
    "لا شيء بعد. انشر ثم غيّر شيئًا وانشر من جديد، أو دع إحدى القصص تفعل ذلك.",
  "Three stories": "ثلاث قصص",
  "One change": "تغيير واحد",
  "in a list of 200": "في قائمة من 200",
  "A week away": "غياب أسبوع",
  "21 versions, one answer": "21 نسخة وجواب واحد",
  "A thousand readers": "ألف قارئ",
  "who want to know what is new": "يريدون معرفة الجديد",
  "Publisher": "الناشر",
  "Expand": "تكبير",
  "Shrink": "تصغير",
  "Feed": "الموجز",
  "Small letters a to z, digits, and . _ - between them":
    "حروف صغيرة من a إلى z وأرقام، وبينها . _ -",
  "Key": "المفتاح",
  "printed by the server": "يطبعه الخادم",
  "Change the list": "تغيير القائمة",
  "Add": "إضافة",
  "Change": "تغيير",
  "Move": "نقل",
  "Remove": "إزالة",
  "The list, as JSON": "القائمة بصيغة JSON",
  "Publish": "نشر",
  "Reader that follows": "قارئ يتابع",
  "One stream. A change arrives as soon as it is published.": "بث واحد. يصل التغيير فور نشره.",
  "Items": "العناصر",
  "Reader that asks": "قارئ يسأل",
  "Ask": "اسأل",
  "Publish a few times, then ask: one answer brings it up to date.":
    "انشر بضع مرات ثم اسأل: جواب واحد يكفي ليلحق بالجديد.",
  "and {more} more": "و{more} أخرى",
  "Nothing published yet": "لم يُنشر شيء بعد",
  "live": "مباشر",
  "idle": "ساكن",
  "refreshing": "يحدّث",
  "offline": "غير متصل",
  "refused": "مرفوض",
  "Copy": "نسخ",
  "Copied": "نُسخ",
  "Selected": "حُدّد",
  "304: nothing new, and no body": "304: لا جديد ولا محتوى",
  "{size} bytes in place of {whole}": "{size} بايت بدلًا من {whole}",
  "{sent} bytes of changes, where snapshots would have been {whole}: {less} % less.":
    "{sent} بايت من التغييرات، وكانت النسخ الكاملة ستبلغ {whole}: أقل بنسبة {less} %.",
  "{sent} bytes in place of {whole}: {less} % less":
    "{sent} بايت بدلًا من {whole}: أقل بنسبة {less} %",
  "There is nothing to change.": "لا شيء لتغييره.",
  "There is nothing to move.": "لا شيء لنقله.",
  "There is nothing to remove.": "لا شيء لإزالته.",
  "Now publish it.": "انشرها الآن.",
  "Added “{id}”.": "أُضيف «{id}».",
  "Changed “{id}” to {state}.": "تغيّر «{id}» إلى {state}.",
  "Moved “{id}” to the end.": "نُقل «{id}» إلى الآخر.",
  "Removed “{id}”.": "أُزيل «{id}».",
  "This is no list that can be changed: {message}": "هذه ليست قائمة يمكن تغييرها: {message}",
  "it has neither sections nor items with an id each.": "ليس فيها أقسام ولا عناصر لكل منها id.",
  "The server cannot be reached. Is it running? Publish again when it is: what arrived the first time is not published twice.":
    "تعذّر الوصول إلى الخادم. هل يعمل؟ انشر من جديد حين يعمل: ما وصل أول مرة لا يُنشر مرتين.",
  "The server does not know this key. It prints its own when it starts.":
    "لا يعرف الخادم هذا المفتاح. وهو يطبع مفتاحه حين يبدأ.",
  "This key may not publish to this feed.": "لا يحق لهذا المفتاح النشر في هذا الموجز.",
  "The server cannot say whether that was published. Publish it again: it is not published twice.":
    "لا يستطيع الخادم أن يقول هل نُشر ذلك. انشره من جديد: لن يُنشر مرتين.",
  "That did not work": "لم ينجح ذلك",
  "Line {line}, column {column}: {said}": "السطر {line}، العمود {column}: {said}",
  "Line {line}: {said}": "السطر {line}: {said}",
  "Published. It was the same before, and so there is no new version.":
    "نُشرت. كانت كما هي من قبل، فلا نسخة جديدة.",
  "Published: {what}.": "نُشر: {what}.",
  "{count} new": "{count} جديد",
  "{count} moved": "{count} منقول",
  "{count} changed": "{count} متغيّر",
  "{count} gone": "{count} محذوف",
  "other sections": "أقسام أخرى",
  "another title": "عنوان آخر",
  "A publisher sends a list of {count} items.": "يرسل الناشر قائمة من {count} عنصر.",
  "One item changed. The publisher sends the whole list again; what differs the server finds out.":
    "تغيّر عنصر واحد. يرسل الناشر القائمة كلها من جديد، ويكتشف الخادم ما اختلف.",
  "A reader that had the list asks what is new since.": "قارئ عنده القائمة يسأل عمّا جدّ منذئذ.",
  "A week goes by: the list is published three times a day, each time with a change. The reader that follows hears of each.":
    "يمضي أسبوع: تُنشر القائمة ثلاث مرات في اليوم، كل مرة بتغيير. والقارئ الذي يتابع يعلم بكل منها.",
  "The other one was away. It asks once, and gets all that it missed in one answer.":
    "كان الآخر غائبًا. يسأل مرة واحدة فيصله كل ما فاته في جواب واحد.",
  "A thousand readers ask, and nothing is new: {bytes} bytes of content in {seconds} s.":
    "يسأل ألف قارئ ولا جديد: {bytes} بايت من المحتوى في {seconds} ث.",
  "One item changes.": "يتغيّر عنصر واحد.",
  "All thousand ask what is new, and are told in {seconds} s.":
    "يسأل الألف عن الجديد، ويصلهم الجواب في {seconds} ث.",
  "Every class, running, with its code.": "كل صنف وهو يعمل، ومعه شيفرته.",
  "Custom elements over the browser’s own scrolling. They know no feed and need nothing else.":
    "عناصر مخصصة فوق تمرير المتصفح نفسه. لا تعرف أي موجز ولا تحتاج إلى غيرها.",
  "Classes": "الأصناف",
  "The code of {title}": "شيفرة {title}",
  "Rows that are made when they are in sight: here 100,000. Arrow keys move, Enter selects.":
    "صفوف تُنشأ حين تُرى: هنا 100,000. تتحرك بمفاتيح الأسهم وتختار بمفتاح الإدخال.",
  "The styles of a cell, in a static table.": "أنماط الخلية في جدول ثابت.",
  "A list is given whole; what differs comes, goes and moves.":
    "تُعطى القائمة كلها، وما اختلف يأتي ويذهب وينتقل.",
  "Names under their letters, as their language has them. Drag along the letters.":
    "أسماء تحت حروفها كما ترتبها لغتها. اسحب على طول الحروف.",
  "A finger swipes a row; keys do the same.": "يسحب الإصبع صفًا، والمفاتيح تفعل مثله.",
  "Pull the list down with a finger, or press the button.":
    "اسحب القائمة إلى أسفل بإصبعك، أو اضغط الزر.",
  "A look of one’s own: the header sticks, the wheel is below it.":
    "مظهر خاص: الترويسة ثابتة والعجلة تحتها.",
  "Pages, from side to side.": "صفحات من جانب إلى جانب.",
  "Two fingers, a double tap, or Ctrl and the wheel.": "إصبعان، أو نقرتان، أو Ctrl مع العجلة.",
  "Something that is operated: by touch, mouse, pen and keys.":
    "شيء يُشغَّل: باللمس والفأرة والقلم والمفاتيح.",
  "A wheel, and words for those who do not see it.": "عجلة، وكلمات لمن لا يراها.",
  "Requests": "الطلبات",
  "What this server answers, as": "ما يجيب عنه هذا الخادم، بصيغة",
  "Loading …": "جارٍ التحميل …",
  "Documents": "المستندات",
};
