import { type Problem } from './problem';

/** Problems of members and fields: the part of an error's detail after the name of the member. */
export const OF_MEMBERS: readonly Problem[] = [
  [
    /^was changed meanwhile$/,
    'Somebody else changed this value after your preview. Preview again to compare it with the new value.',
    '其他人在您预览之后修改了这个值。请再次预览，与新的值比较。',
    '其他人在您預覽之後修改了這個值。請再次預覽，與新的值比較。',
  ],
  [/^is missing$/, 'Enter a value.', '请填写。', '請填寫。'],
  [
    /^must be from 0 to 10$/,
    'Enter a number from 0 to 10.',
    '请填写 0 至 10 之间的数。',
    '請填寫 0 至 10 之間的數。',
  ],
  [
    /^must have four digits$/,
    'Enter a year of four digits.',
    '请填写四位数的年份。',
    '請填寫四位數的年份。',
  ],
  [
    /^must have a number after each name$/,
    'Write a number after the name in each line.',
    '请在每行的名称后面写上数量。',
    '請在每行的名稱後面寫上數量。',
  ],
  [
    /^must be a positive integer below.*/,
    'Enter an id: a whole number from 1.',
    '请填写编号：从 1 开始的整数。',
    '請填寫編號：從 1 開始的整數。',
  ],
  [
    /^must be an integer (of 0 or more|from 0 to).*/,
    'Enter a whole number from 0 to 1,000,000,000.',
    '请填写 0 至 1,000,000,000 之间的整数。',
    '請填寫 0 至 1,000,000,000 之間的整數。',
  ],
  [
    /^must be a time like .*/,
    'Enter a valid day and time.',
    '请填写有效的日期和时间。',
    '請填寫有效的日期和時間。',
  ],
  [
    /^must be a day like .*/,
    'Enter a valid day, such as 2026-12-31.',
    '请填写有效的日期，例如 2026-12-31。',
    '請填寫有效的日期，例如 2026-12-31。',
  ],
  [
    /^must be (yes or no|movie or tv)$/,
    'Choose one of the values.',
    '请选择其中一个值。',
    '請選擇其中一個值。',
  ],
  [
    /^must be an http or https URL.*/,
    'Enter an address that begins with https:// or http://, or for this service with /.',
    '请填写以 https:// 或 http:// 开头的地址，本服务的地址以 / 开头。',
    '請填寫以 https:// 或 http:// 開頭的網址，本服務的網址以 / 開頭。',
  ],
  [
    /^is already in use$/,
    'Another record has this value.',
    '另一条记录已使用这个值。',
    '另一筆記錄已使用這個值。',
  ],
  [
    /^unknown \w+: (.*)$/,
    'There are no records with these ids: $1',
    '没有编号如下的记录：$1',
    '沒有編號如下的記錄：$1',
  ],
  [
    /^must not be before .*/,
    'The end must not be before the start.',
    '结束不能早于开始。',
    '結束不能早於開始。',
  ],
  [
    /^must be latitude and longitude.*/,
    'Enter latitude and longitude, such as 39.9 116.4.',
    '请填写纬度和经度，例如 39.9 116.4。',
    '請填寫緯度和經度，例如 39.9 116.4。',
  ],
  [
    /^must be an IANA time zone$/,
    'Enter a time zone such as Asia/Shanghai.',
    '请填写时区，例如 Asia/Shanghai。',
    '請填寫時區，例如 Asia/Shanghai。',
  ],
  [
    /^must be letters, digits.*/,
    'Enter letters, digits, "-", "_" or ".", and not digits only or dots only.',
    '请使用字母、数字、“-”、“_”或“.”，不能只有数字或只有“.”。',
    '請使用字母、數字、「-」、「_」或「.」，不能只有數字或只有「.」。',
  ],
  [
    /^must have 1 to (\d+) characters$/,
    'Enter 1 to $1 characters.',
    '请填写 1 至 $1 个字符。',
    '請填寫 1 至 $1 個字元。',
  ],
  [/^is too long$/, 'This text is too long.', '文字太长。', '文字太長。'],
  [
    /^must be (text|a list|an object|a number).*/,
    'This value has a wrong format.',
    '格式不正确。',
    '格式不正確。',
  ],
  [/^not found: (.*)$/, 'There is no such record: $1', '没有这条记录：$1', '沒有這筆記錄：$1'],
];
