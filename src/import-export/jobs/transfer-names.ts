/** Names of files in TRANSFER_DIR: no folders and no hidden files. */
const NAME = /^[A-Za-z0-9_][A-Za-z0-9._-]{0,99}$/;

/** Whether a text is a valid name of a file or folder in TRANSFER_DIR. */
export const isTransferName = (name: string): boolean => NAME.test(name);
