/** Compiles the client to a folder, which it empties before. */
export function build(out: string): void;
