/** SQL that writes a timestamp as the wire has it, in the connection's time zone (D1). */
export const wireTime = (column: string): string => `to_char(${column}, 'YYYY-MM-DD HH24:MI:SS')`;
