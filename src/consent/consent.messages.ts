const ENGLISH = {
  by: (owner: string) =>
    `${owner}, a user of this service, registered this app. This service did not create it.`,
  byService: 'The operator of this service registered this app.',
  homepage: 'Home page',
  confirm:
    'This app asks for administration. Enter your password, because you entered it more than 15 minutes ago.',
  password: 'Password',
  wrong: 'The password is wrong.',
  changed:
    'The permissions that this app asks for, or the address that receives the result, have changed. Review them again.',
};

/** Texts about the application on the consent page. */
export type ConsentMessages = typeof ENGLISH;

const BY_LANG: Readonly<Record<string, ConsentMessages>> = {
  en: ENGLISH,
  'zh-Hans': {
    by: (owner) => `该应用由本服务的用户 ${owner} 注册，并非由本服务开发。`,
    byService: '该应用由本服务的运营者注册。',
    homepage: '主页',
    confirm: '该应用要求管理权限。距您上次输入密码已超过 15 分钟，请输入密码。',
    password: '密码',
    wrong: '密码不正确。',
    changed: '该应用请求的权限或接收结果的地址已更改，请重新确认。',
  },
  'zh-Hant': {
    by: (owner) => `該應用程式由本服務的使用者 ${owner} 註冊，並非由本服務開發。`,
    byService: '該應用程式由本服務的營運者註冊。',
    homepage: '首頁',
    confirm: '該應用程式要求管理權限。距您上次輸入密碼已超過 15 分鐘，請輸入密碼。',
    password: '密碼',
    wrong: '密碼不正確。',
    changed: '該應用程式要求的權限或接收結果的網址已變更，請重新確認。',
  },
};

/** The texts in the language of a page (BCP 47). */
export const consentMessages = (lang: string): ConsentMessages => BY_LANG[lang] ?? ENGLISH;
