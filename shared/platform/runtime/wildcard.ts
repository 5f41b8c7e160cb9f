/** Whether a text matches a pattern, in which `*` matches any characters. Letter case does not count. */
export const fitsPattern = (pattern: string, text: string): boolean =>
  fitsExactly(pattern.toLowerCase(), text.toLowerCase());

/** The same with letter case. Linear in the text. */
export function fitsExactly(pattern: string, value: string): boolean {
  const [first = '', ...parts] = pattern.split('*');
  const last = parts.pop();
  if (last === undefined) return value === first;
  if (!value.startsWith(first)) return false;
  let at = first.length;
  for (const part of parts) {
    const found = value.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return value.length - last.length >= at && value.endsWith(last);
}
