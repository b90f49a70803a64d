export function digestOf(json: string): string;
