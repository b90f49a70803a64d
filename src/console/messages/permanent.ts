const ENGLISH = {
  title: 'Delete permanently?',
  lead: 'This deletion cannot be undone.',
  button: 'Delete permanently',
  cancel: 'Cancel',
  /** What stays of a deleted record, by type. */
  hints: {
    books: 'Reviews, annotations and collections stay. You can restore the book.',
    subjects: 'Reviews, comments and photos stay. You can restore the film.',
    celebrities: 'Films still name the person. You can restore the person.',
    photos: 'A photo is deleted permanently.',
    events: 'Restoring the event also restores its participations.',
    locs: 'Events in the city stay. You can restore the city.',
  } as Readonly<Record<string, string>>,
};

type Messages = typeof ENGLISH;

const SIMPLIFIED: Messages = {
  title: '永久删除？',
  lead: '删除后无法恢复。',
  button: '永久删除',
  cancel: '取消',
  hints: {
    books: '书评、笔记和收藏会保留。图书可以恢复。',
    subjects: '影评、短评和剧照会保留。影片可以恢复。',
    celebrities: '影片仍会列出该影人。影人可以恢复。',
    photos: '剧照会被永久删除。',
    events: '恢复活动时，参加记录也会恢复。',
    locs: '该城市的活动会保留。城市可以恢复。',
  },
};

const TRADITIONAL: Messages = {
  title: '永久刪除？',
  lead: '刪除後無法還原。',
  button: '永久刪除',
  cancel: '取消',
  hints: {
    books: '書評、筆記和收藏會保留。書籍可以還原。',
    subjects: '影評、短評和劇照會保留。影片可以還原。',
    celebrities: '影片仍會列出該影人。影人可以還原。',
    photos: '劇照會被永久刪除。',
    events: '還原活動時，參加記錄也會還原。',
    locs: '該城市的活動會保留。城市可以還原。',
  },
};

/** Messages about deletions, by language. */
export const PERMANENT = { en: ENGLISH, zhHans: SIMPLIFIED, zhHant: TRADITIONAL };
