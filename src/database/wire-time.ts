/** SQL that formats a timestamp for responses, in the connection's time zone (D1). */
export const wireTime = (column: string): string => `to_char(${column}, 'YYYY-MM-DD HH24:MI:SS')`;
