const ENGLISH = {
  review: {
    select: 'Select entry',
    selected: 'Selected:',
    selectAll: 'Select all',
    release: 'Release',
    reject: 'Reject',
    undo: 'Undo',
    undoAll: (count: number) => `Undo all ${count}`,
    undoable: (count: number) =>
      count === 1
        ? 'You can undo your decision of the last minute.'
        : `You can undo your ${count} decisions of the last minute.`,
    author: 'Open the author (texts, block)',
    writtenBy: 'by',
    view: 'View on the site',
    gone: 'The content was deleted.',
    private: 'The author has made this text private since.',
    decided: (count: number) => (count === 1 ? 'Decision saved.' : `${count} decisions saved.`),
    failed: (count: number) =>
      count === 1
        ? '1 entry could not be decided. It was decided or changed meanwhile, or its content cannot be hidden.'
        : `${count} entries could not be decided. They were decided or changed meanwhile, or their content cannot be hidden.`,
    earlier: (released: number, rejected: number) =>
      `earlier: ${released} released, ${rejected} rejected`,
    empty: 'The queue is empty.',
    keys: 'Keys: a releases the current text, r rejects it, u undoes for a minute, x selects it, X selects all, A and R decide the selected texts, j and k move.',
    whatAuthorsSee:
      'Authors always see their own texts. Others see a text after its release, and never a rejected one. Authors are not notified.',
  },
  reports: {
    count: (count: number) => (count === 1 ? '1 report' : `${count} reports`),
    dismiss: 'Dismiss',
    hide: 'Hide the content',
    empty: 'No reports.',
    keys: 'Keys: d dismisses the reports of the current content, h hides it, u undoes for a minute, x selects it, X selects all, D and H decide the selected contents, j and k move.',
    effect:
      'A decision closes all reports of the content. Dismiss: it stays visible. Hide: only its author sees it, until you release it among the rejected texts of the review queue. Neither authors nor reporters are notified.',
    cannotHide: 'This content cannot be hidden here.',
    blockUser: 'Block the user instead',
    deleteRecord: 'Delete it in the catalogue instead',
  },
};

type Messages = typeof ENGLISH;

const SIMPLIFIED: Messages = {
  review: {
    select: '选择条目',
    selected: '所选：',
    selectAll: '全选',
    release: '放行',
    reject: '拒绝',
    undo: '撤销',
    undoAll: (count) => `全部撤销（${count}）`,
    undoable: (count) => `你可以撤销最近一分钟内的 ${count} 个决定。`,
    author: '作者：其他文字、封禁',
    writtenBy: '作者',
    view: '在网站上查看',
    gone: '内容已被删除。',
    private: '作者此后已将这段文字设为私密。',
    decided: (count) => `已保存 ${count} 个决定。`,
    failed: (count) => `${count} 个条目未能处理：其间已被处理或修改，或者内容无法隐藏。`,
    earlier: (released, rejected) => `此前：放行 ${released}，拒绝 ${rejected}`,
    empty: '没有待审核的文字。',
    keys: '快捷键：a 放行当前文字，r 拒绝，u 一分钟内撤销，x 选择，X 全选，A 和 R 处理所选文字，j 和 k 移动。',
    whatAuthorsSee:
      '作者始终能看到自己的文字。其他人在放行后才能看到，被拒绝的永远看不到。系统不会通知作者。',
  },
  reports: {
    count: (count) => `${count} 个举报`,
    dismiss: '驳回举报',
    hide: '隐藏内容',
    empty: '没有举报。',
    keys: '快捷键：d 驳回当前内容的举报，h 隐藏内容，u 一分钟内撤销，x 选择，X 全选，D 和 H 处理所选内容，j 和 k 移动。',
    effect:
      '一个决定会处理该内容的所有举报。驳回：内容仍然可见。隐藏：只有作者能看到，直到你在审核队列的“已拒绝”中放行。系统不会通知作者和举报人。',
    cannotHide: '此内容无法在这里隐藏。',
    blockUser: '改为封禁用户',
    deleteRecord: '改为在目录中删除',
  },
};

const TRADITIONAL: Messages = {
  review: {
    select: '選擇項目',
    selected: '所選：',
    selectAll: '全選',
    release: '通過',
    reject: '拒絕',
    undo: '復原',
    undoAll: (count) => `全部復原（${count}）`,
    undoable: (count) => `你可以復原最近一分鐘內的 ${count} 個決定。`,
    author: '作者：其他文字、停權',
    writtenBy: '作者',
    view: '在網站上檢視',
    gone: '內容已被刪除。',
    private: '作者此後已將這段文字設為私密。',
    decided: (count) => `已儲存 ${count} 個決定。`,
    failed: (count) => `${count} 個項目未能處理：其間已被處理或修改，或者內容無法隱藏。`,
    earlier: (released, rejected) => `此前：通過 ${released}，拒絕 ${rejected}`,
    empty: '沒有待審核的文字。',
    keys: '快速鍵：a 通過目前的文字，r 拒絕，u 一分鐘內復原，x 選擇，X 全選，A 和 R 處理所選文字，j 和 k 移動。',
    whatAuthorsSee:
      '作者始終能看到自己的文字。其他人在通過後才能看到，被拒絕的永遠看不到。系統不會通知作者。',
  },
  reports: {
    count: (count) => `${count} 個檢舉`,
    dismiss: '駁回檢舉',
    hide: '隱藏內容',
    empty: '沒有檢舉。',
    keys: '快速鍵：d 駁回目前內容的檢舉，h 隱藏內容，u 一分鐘內復原，x 選擇，X 全選，D 和 H 處理所選內容，j 和 k 移動。',
    effect:
      '一個決定會處理該內容的所有檢舉。駁回：內容仍然可見。隱藏：只有作者能看到，直到你在審核佇列的「已拒絕」中通過。系統不會通知作者和檢舉人。',
    cannotHide: '此內容無法在這裡隱藏。',
    blockUser: '改為停權使用者',
    deleteRecord: '改為在目錄中刪除',
  },
};

/** Messages of the review queue and of reports, by language. */
export const REVIEW = { en: ENGLISH, zhHans: SIMPLIFIED, zhHant: TRADITIONAL };
