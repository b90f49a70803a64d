const ENGLISH = {
  file: 'Choose a file.',
  name: 'A file name may have letters, digits, ".", "_" and "-", and at most 100 characters.',
  exists: 'The server has a file of this name. Rename yours, or choose to replace it.',
  target: 'The server has a file of this name. Choose another name for the export.',
  size: 'The file is larger than 2 GB. Copy it into the folder on the server.',
  missing: 'The server has no file of this name.',
  folder: 'This is not a full export. Choose a type of records.',
  export: 'This is a full export. Import it with the type "Everything".',
  manifest: 'This export is damaged, or a later version created it.',
  format: 'This file is not JSON, and was not accepted.',
  encoding: 'The text of this file is not UTF-8, and was not accepted.',
  damaged: 'This gzip file is damaged, and was not accepted.',
  busy: 'Another preview is running. Try again in a few seconds.',
  upload: 'The upload was incomplete. Try again.',
};

type TransferErrors = typeof ENGLISH;

const SIMPLIFIED_CHINESE: TransferErrors = {
  file: '请选择文件。',
  name: '文件名只能包含字母、数字、“.”、“_”和“-”，最多 100 个字符。',
  exists: '服务器上已有同名文件。请改名，或选择替换。',
  target: '服务器上已有同名文件。请为导出换一个名称。',
  size: '文件超过 2 GB。请把它复制到服务器的文件夹。',
  missing: '服务器上没有这个文件。',
  folder: '这不是完整导出。请选择记录类型。',
  export: '这是完整导出。请用类型“全部”导入。',
  manifest: '这个导出已损坏，或由更新的版本创建。',
  format: '这个文件不是 JSON，未被接受。',
  encoding: '这个文件的文字不是 UTF-8 编码，未被接受。',
  damaged: '这个 gzip 文件已损坏，未被接受。',
  busy: '另一个预览正在进行，请几秒后重试。',
  upload: '上传不完整，请重试。',
};

const TRADITIONAL_CHINESE: TransferErrors = {
  file: '請選擇檔案。',
  name: '檔名只能包含字母、數字、「.」、「_」和「-」，最多 100 個字元。',
  exists: '伺服器上已有同名檔案。請改名，或選擇取代。',
  target: '伺服器上已有同名檔案。請為匯出換一個名稱。',
  size: '檔案超過 2 GB。請把它複製到伺服器的資料夾。',
  missing: '伺服器上沒有這個檔案。',
  folder: '這不是完整匯出。請選擇記錄類型。',
  export: '這是完整匯出。請用類型「全部」匯入。',
  manifest: '這個匯出已損壞，或由更新的版本建立。',
  format: '這個檔案不是 JSON，未被接受。',
  encoding: '這個檔案的文字不是 UTF-8 編碼，未被接受。',
  damaged: '這個 gzip 檔案已損壞，未被接受。',
  busy: '另一個預覽正在進行，請幾秒後重試。',
  upload: '上傳不完整，請重試。',
};

/** Why forms for imports and exports are rejected, by code, in the languages of the console. */
export const TRANSFER_ERRORS = {
  en: ENGLISH,
  zhHans: SIMPLIFIED_CHINESE,
  zhHant: TRADITIONAL_CHINESE,
};
