type Value = { path: string[]; text?: string };
type Frame = { isArray: boolean; key: string };

const TOKEN = /\s*("(?:[^"\\]|\\.)*"|[{}[\]:,]|[^\s{}[\]:,"]+)/gy;
/** Deeper values do not distinguish formats. */
const MAX_DEPTH = 10;

/**
 * Whether the beginning of a JSON report, which may break off anywhere, has a value at one of these paths, such as
 * `matches.[].vulnerability.id`. `[]` matches each element of a list, `*` each member of an object, and
 * `bomFormat=CycloneDX` requires the text too. Unlike a pattern over the text, a path finds no key deep inside an
 * entry.
 */
export function hasShape(head: string, ...paths: readonly string[]): boolean {
  const wanted = paths.map((path) => path.split('.'));
  for (const value of valuesIn(head)) if (wanted.some((path) => isLike(value, path))) return true;
  return false;
}

function isLike({ path, text }: Value, wanted: readonly string[]): boolean {
  if (path.length !== wanted.length) return false;
  return wanted.every((step, depth) => {
    const key = path[depth];
    if (step === '*') return key !== '[]';
    return step === key || (depth === path.length - 1 && text !== undefined && step === `${key}=${text}`);
  });
}

let last: { head: string; values: Value[] } = { head: '', values: [] };

/** Many formats ask about the same head, one after the other: it is taken apart once. */
function valuesIn(head: string): Value[] {
  if (last.head !== head) last = { head, values: [...valuesOf(head)] };
  return last.values;
}

/** The values of one document or of several, each with its path of keys. */
function* valuesOf(head: string): Generator<Value> {
  const frames: Frame[] = [];
  let isKey = false;
  for (const [, token = ''] of head.matchAll(TOKEN)) {
    const frame = frames.at(-1);
    if (token === ':') isKey = false;
    else if (token === ',') isKey = frame?.isArray === false;
    else if (token === '}' || token === ']') frames.pop();
    else if (isKey && frame) frame.key = token.slice(1, -1);
    else {
      const opens = token === '{' || token === '[';
      if (frames.length <= MAX_DEPTH)
        yield { path: frames.map(({ key }) => key), ...(!opens && { text: token.replace(/^"|"$/g, '') }) };
      if (opens) frames.push({ isArray: token === '[', key: token === '[' ? '[]' : '' });
      isKey = token === '{';
    }
  }
}
