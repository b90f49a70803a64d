/** Names of a kind of records, or of targets of the audit log. */
export interface KindNames {
  /** The name of one; missing for kinds that the audit log does not contain. */
  readonly one?: string;
  /** The name of several; missing for kinds that no import or export contains. */
  readonly many?: string;
}

type Kinds = Readonly<Record<string, KindNames>>;

const ENGLISH: Kinds = {
  user: { one: 'User', many: 'Users' },
  book: { one: 'Book', many: 'Books' },
  collection: { many: 'Book collections' },
  annotation: { many: 'Annotations' },
  review: { many: 'Book reviews' },
  friend: { many: 'Friendships' },
  note: { many: 'Notes' },
  'note-reply': { many: 'Replies to notes' },
  'note-like': { many: 'Likes of notes' },
  loc: { one: 'City', many: 'Cities' },
  movie: { one: 'Film', many: 'Films' },
  celebrity: { one: 'Person', many: 'People' },
  credit: { many: 'Credits' },
  photo: { one: 'Photo', many: 'Photos' },
  'movie-review': { many: 'Film reviews' },
  'movie-comment': { many: 'Film comments' },
  showing: { one: 'Showing', many: 'Showings' },
  chart: { one: 'Chart', many: 'Charts' },
  event: { one: 'Event', many: 'Events' },
  participation: { many: 'Participations' },
  all: { many: 'Everything' },
  'user-placeholder': { many: 'Placeholders of users' },
  'book-placeholder': { many: 'Placeholders of books' },
  'loc-placeholder': { many: 'Placeholders of cities' },
  'note-placeholder': { many: 'Placeholders of notes' },
  series: { one: 'Series', many: 'Series' },
  'banned-word': { many: 'Banned words' },
  'moderation-entry': { many: 'Review queue' },
  report: { one: 'Report', many: 'Reports' },
  'note-version': { many: 'Versions of notes' },
  'book-source': { many: 'Sources of books' },
  'merged-record': { many: 'Merged records' },
  picture: { many: 'Pictures' },
  application: { one: 'Application' },
  backup: { one: 'Backup' },
  counts: { one: 'Counters' },
  file: { one: 'File' },
  friends: { one: 'Friends' },
  import: { one: 'Import' },
  job: { one: 'Job' },
  limit: { one: 'Limit' },
  moderation: { one: 'Review queue' },
  token: { one: 'Token' },
  word: { one: 'Banned word' },
};

const SIMPLIFIED_CHINESE: Kinds = {
  user: { one: '用户', many: '用户' },
  book: { one: '图书', many: '图书' },
  collection: { many: '图书收藏' },
  annotation: { many: '笔记' },
  review: { many: '书评' },
  friend: { many: '好友关系' },
  note: { many: '日记' },
  'note-reply': { many: '日记回复' },
  'note-like': { many: '日记的赞' },
  loc: { one: '城市', many: '城市' },
  movie: { one: '电影', many: '电影' },
  celebrity: { one: '影人', many: '影人' },
  credit: { many: '演职员' },
  photo: { one: '剧照', many: '剧照' },
  'movie-review': { many: '影评' },
  'movie-comment': { many: '电影短评' },
  showing: { one: '放映', many: '放映' },
  chart: { one: '榜单', many: '榜单' },
  event: { one: '活动', many: '活动' },
  participation: { many: '活动参与' },
  all: { many: '全部' },
  'user-placeholder': { many: '用户占位' },
  'book-placeholder': { many: '图书占位' },
  'loc-placeholder': { many: '城市占位' },
  'note-placeholder': { many: '日记占位' },
  series: { one: '丛书', many: '丛书' },
  'banned-word': { many: '屏蔽词' },
  'moderation-entry': { many: '审核队列' },
  report: { one: '举报', many: '举报' },
  'note-version': { many: '日记历史版本' },
  'book-source': { many: '图书来源' },
  'merged-record': { many: '已合并的记录' },
  picture: { many: '图片' },
  application: { one: '应用' },
  backup: { one: '备份' },
  counts: { one: '统计' },
  file: { one: '文件' },
  friends: { one: '好友' },
  import: { one: '导入' },
  job: { one: '任务' },
  limit: { one: '限额' },
  moderation: { one: '审核队列' },
  token: { one: '令牌' },
  word: { one: '屏蔽词' },
};

const TRADITIONAL_CHINESE: Kinds = {
  user: { one: '使用者', many: '使用者' },
  book: { one: '書籍', many: '書籍' },
  collection: { many: '書籍收藏' },
  annotation: { many: '筆記' },
  review: { many: '書評' },
  friend: { many: '好友關係' },
  note: { many: '日記' },
  'note-reply': { many: '日記回覆' },
  'note-like': { many: '日記的讚' },
  loc: { one: '城市', many: '城市' },
  movie: { one: '電影', many: '電影' },
  celebrity: { one: '影人', many: '影人' },
  credit: { many: '演職員' },
  photo: { one: '劇照', many: '劇照' },
  'movie-review': { many: '影評' },
  'movie-comment': { many: '電影短評' },
  showing: { one: '放映', many: '放映' },
  chart: { one: '榜單', many: '榜單' },
  event: { one: '活動', many: '活動' },
  participation: { many: '活動參與' },
  all: { many: '全部' },
  'user-placeholder': { many: '使用者占位' },
  'book-placeholder': { many: '書籍占位' },
  'loc-placeholder': { many: '城市占位' },
  'note-placeholder': { many: '日記占位' },
  series: { one: '叢書', many: '叢書' },
  'banned-word': { many: '禁用詞' },
  'moderation-entry': { many: '審核佇列' },
  report: { one: '檢舉', many: '檢舉' },
  'note-version': { many: '日記歷史版本' },
  'book-source': { many: '書籍來源' },
  'merged-record': { many: '已合併的記錄' },
  picture: { many: '圖片' },
  application: { one: '應用程式' },
  backup: { one: '備份' },
  counts: { one: '統計' },
  file: { one: '檔案' },
  friends: { one: '好友' },
  import: { one: '匯入' },
  job: { one: '工作' },
  limit: { one: '限額' },
  moderation: { one: '審核佇列' },
  token: { one: '權杖' },
  word: { one: '禁用詞' },
};

type Names = Readonly<Record<string, string>>;

function namesOf(kinds: Kinds, number: keyof KindNames): Names {
  const named = Object.entries(kinds).map(([kind, names]) => [kind, names[number]]);
  return Object.fromEntries(named.filter(([, name]) => name !== undefined)) as Names;
}

const inAllLanguages = (number: keyof KindNames): Record<'en' | 'zhHans' | 'zhHant', Names> => ({
  en: namesOf(ENGLISH, number),
  zhHans: namesOf(SIMPLIFIED_CHINESE, number),
  zhHant: namesOf(TRADITIONAL_CHINESE, number),
});

/** Names of the kinds of targets in the audit log, in the singular. */
export const TARGET_KINDS = inAllLanguages('one');

/** Names of the kinds of records in imports and exports, in the plural. */
export const RECORD_KINDS = inAllLanguages('many');
