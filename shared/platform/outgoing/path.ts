import { HostError } from './host-error.ts';

/**
 * A path with percent-encoded parts, so that a part which another host named leads to no other path.
 * @throws HostError for a part that means the folder above
 */
export function path(texts: TemplateStringsArray, ...parts: readonly (string | number)[]): string {
  const encoded = parts.map((part) => {
    if (/^\.{1,2}$/.test(String(part)))
      throw new HostError('unexpected_answer', 'Its answer has an invalid part of a path.');
    return encodeURIComponent(part);
  });
  return String.raw({ raw: texts }, ...encoded);
}

/** The same for several parts with slashes between them. */
export const pathOfName = (name: string): string =>
  name
    .split('/')
    .map((part) => path`${part}`)
    .join('/');
