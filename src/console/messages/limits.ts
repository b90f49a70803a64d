import { type LimitName } from '../../config/limit-settings';

const ENGLISH: Readonly<Record<LimitName, string>> = {
  LIMIT_ANONYMOUS: 'Requests per hour from an address without a token or apikey',
  LIMIT_APIKEY: 'Requests per hour from an address with an apikey, per application',
  LIMIT_USER_L1: 'Requests per hour of a user through an L1 application',
  LIMIT_USER_L2: 'Requests per hour of a user through an L2 application',
  LIMIT_USER_L3: 'Requests per hour of a user through an L3 application',
  LIMIT_ADDRESS:
    'Requests per hour from an address with tokens or apikeys, all applications together',
  LIMIT_MOVIE_BASIC: 'Requests per minute of a caller in the basic movie tier',
  LIMIT_PAGES:
    'Requests per hour from an address to public pages; they count toward no other limit',
};

const SIMPLIFIED: typeof ENGLISH = {
  LIMIT_ANONYMOUS: '没有令牌和 apikey 的地址每小时的请求数',
  LIMIT_APIKEY: '使用 apikey 的地址每小时的请求数，每个应用分别计算',
  LIMIT_USER_L1: '用户通过 L1 级应用每小时的请求数',
  LIMIT_USER_L2: '用户通过 L2 级应用每小时的请求数',
  LIMIT_USER_L3: '用户通过 L3 级应用每小时的请求数',
  LIMIT_ADDRESS: '一个地址使用令牌和 apikey 每小时的请求数，所有应用合计',
  LIMIT_MOVIE_BASIC: '基础电影级别的调用方每分钟的请求数',
  LIMIT_PAGES: '一个地址每小时访问公开网页的次数，不计入其他限额',
};

const TRADITIONAL: typeof ENGLISH = {
  LIMIT_ANONYMOUS: '沒有權杖和 apikey 的位址每小時的請求數',
  LIMIT_APIKEY: '使用 apikey 的位址每小時的請求數，每個應用程式分別計算',
  LIMIT_USER_L1: '使用者透過 L1 級應用程式每小時的請求數',
  LIMIT_USER_L2: '使用者透過 L2 級應用程式每小時的請求數',
  LIMIT_USER_L3: '使用者透過 L3 級應用程式每小時的請求數',
  LIMIT_ADDRESS: '一個位址使用權杖和 apikey 每小時的請求數，所有應用程式合計',
  LIMIT_MOVIE_BASIC: '基礎電影等級的呼叫方每分鐘的請求數',
  LIMIT_PAGES: '一個位址每小時瀏覽公開網頁的次數，不計入其他限額',
};

/** What each limit counts, by language. */
export const LIMITS = { en: ENGLISH, zhHans: SIMPLIFIED, zhHant: TRADITIONAL };
