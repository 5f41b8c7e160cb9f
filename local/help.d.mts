export function asksForHelp(words: readonly string[]): boolean;
export function helpOf(root: string, script: string): string | undefined;
