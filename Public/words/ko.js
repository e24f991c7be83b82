// Korean.

export default {
  feeds: "피드", workbench: "작업대", view: "보기", key: "키", back: "피드 목록으로 돌아가기",
  filter: "필터", live: "실시간", refresh: "새로 고침", loading: "불러오는 중", item: "항목",
  filterWords: "단어로 찾기", unreadOnly: "읽지 않은 것만", someOf: "{all}개 중 {some}개",
  searchAll: "모든 피드 검색", foundNone: "검색 결과 없음",
  foundNoneText: "이 기기에서 연 피드를 검색합니다.",

  items: { other: "항목 {count}개" },
  updated: "업데이트: {ago}", offline: "오프라인, 업데이트: {ago}", isLive: "실시간",
  inserted: "새 항목 {count}개", moved: "이동 {count}개", changed: "변경 {count}개",
  removed: "삭제 {count}개", rearranged: "순서가 바뀜", nothingNew: "새 소식 없음",
  refreshing: "새로 고치는 중", asOf: "{time} 기준의 내용입니다.", sections: "섹션",

  liveNote: "실시간: 페이지가 보이는 동안 변경 내용이 저절로 나타납니다. 끄면 요청할 때만 확인합니다.",
  gotIt: "확인",
  release: "이 페이지의 새 버전이 있습니다.", takeRelease: "불러오기",

  noFeeds: "아직 피드가 없습니다", noFeedsText: "첫 피드를 게시하면 여기에 나타납니다.",
  openWorkbench: "작업대 열기",
  empty: "아직 아무것도 없습니다",
  emptyText: "아래 명령에 키를 넣어 실행하면 게시한 내용이 여기에 나타납니다.",
  keyNeeded: "키가 필요합니다", keyNeededText: "이 서버는 키가 있어야 피드를 보여 줍니다.",
  keyUnknown: "키가 맞지 않습니다", keyUnknownText: "서버가 모르는 키입니다. 바르게 입력했는지 확인하세요.",
  keyElsewhere: "이 키로는 열 수 없습니다", keyElsewhereText: "이 서버의 다른 피드를 위한 키입니다.",
  enterKey: "키 입력", enterAnotherKey: "다른 키 입력",
  feedMissing: "그런 피드가 없습니다", feedMissingText: "삭제되었거나 이름이 바뀌었습니다.",
  seeFeeds: "모든 피드 보기",
  failed: "문제가 생겼습니다", tryAgain: "다시 시도",
  lost: "서버에 연결할 수 없습니다.", lostText: "네트워크와 서버 상태를 확인하세요.",
  refused: "서버가 거절했습니다: {reason} ({status})",
  strange: "서버의 응답이 피드 문서가 아닙니다.",

  close: "닫기", previous: "이전 항목", next: "다음 항목", share: "공유",
  copyLink: "링크 복사", original: "원문", openOriginal: "원문 열기",
  copy: "복사", copied: "복사됨", selected: "선택됨", notAllowed: "여기서는 허용되지 않음",
  picture: "그림", files: "파일", markRead: "읽음", markUnread: "읽지 않음", markTo: "여기까지 모두",
  markedRead: "{count}개를 읽음으로 표시함",

  theme: "테마", asSystem: "시스템 설정", light: "밝게", dark: "어둡게", contrast: "고대비",
  textSize: "글자", medium: "보통", small: "작게", large: "크게",
  rows: "행 간격", comfortable: "넉넉하게", compact: "촘촘하게", language: "언어",
  asBrowser: "브라우저 설정", done: "완료",

  keys: "단축키", keyOpen: "다음 항목 열기, 이전 항목 열기", keyGo: "다음 행으로, 이전 행으로",
  keyToggle: "항목 열기 또는 닫기", keyMark: "읽음 또는 읽지 않음으로 표시",
  keyMarkTo: "여기까지 모두 읽음으로 표시", keyBack: "뒤로",

  keyText: "일부 서버는 키가 있어야 피드를 보여 줍니다."
    + " 키와 그 키로 연 내용은 이 탭을 닫을 때까지만 보관됩니다.",
  useKey: "사용", removeKey: "삭제", cancel: "취소",
};
