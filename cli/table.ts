import type { Context } from './context.ts';
import { oneLine } from './texts.ts';

/** Names with their values, one a line. */
export function facts({ colours }: Pick<Context, 'colours'>, values: Record<string, string>): string {
  const width = Math.max(...Object.keys(values).map((name) => name.length));
  return Object.entries(values)
    .map(([name, value]) => `${colours.dim(name.padEnd(width))}  ${oneLine(value)}`)
    .join('\n');
}
