export const CHROMIUM: string | undefined;
