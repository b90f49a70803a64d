const ENGLISH = {
  reason: 'Reason (shown to the user)',
  until: 'Last day, empty for no end',
  since: (reason: string) => (reason === '' ? 'No reason given.' : `Reason: ${reason}`),
  ends: (day: string) => `The block ends after ${day}.`,
  endless: 'The block has no end.',
  revoke: 'Revoke',
  revoked: 'Access revoked. The tokens of the application no longer work for this user.',
};

type Messages = typeof ENGLISH;

const SIMPLIFIED: Messages = {
  reason: '原因（用户会看到）',
  until: '最后一天，留空则没有期限',
  since: (reason) => (reason === '' ? '没有填写原因。' : `原因：${reason}`),
  ends: (day) => `封禁到 ${day} 为止。`,
  endless: '封禁没有期限。',
  revoke: '撤销',
  revoked: '已撤销授权，该应用对此用户的令牌不再有效。',
};

const TRADITIONAL: Messages = {
  reason: '原因（使用者會看到）',
  until: '最後一天，留空則沒有期限',
  since: (reason) => (reason === '' ? '沒有填寫原因。' : `原因：${reason}`),
  ends: (day) => `停權到 ${day} 為止。`,
  endless: '停權沒有期限。',
  revoke: '撤銷',
  revoked: '已撤銷授權，該應用程式對此使用者的權杖不再有效。',
};

/** Messages about blocks of users and access of applications, by language. */
export const BLOCKS = { en: ENGLISH, zhHans: SIMPLIFIED, zhHant: TRADITIONAL };
