/** Whether a text fits a pattern, in which `*` stands for any characters. Letter case does not count. Linear in the text. */
export function fitsPattern(pattern: string, text: string): boolean {
  const [first = '', ...parts] = pattern.toLowerCase().split('*');
  const value = text.toLowerCase();
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
