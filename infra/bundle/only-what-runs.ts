import { readFile } from 'node:fs/promises';
import { type Plugin, transform } from 'esbuild';

/**
 * Our declarations serve the compiler, the API reference and the running service. Of routes and entities this leaves
 * out what the service does not read (summaries, descriptions, schemas of answers and records) and lets esbuild drop
 * each declaration that nothing uses then: our files only declare, nothing happens when one is loaded. To make a schema
 * takes processor time at every cold start; those of answers took more than all other code of an area.
 */
export const onlyWhatRuns: Plugin = {
  name: 'only-what-runs',
  setup(build) {
    build.onLoad({ filter: /\/(shared|functions)\/.*\.ts$/ }, async ({ path }) => {
      // esbuild's own print of the file, whose layout is known: one statement or property a line, two blanks a level
      const options = { loader: 'ts', target: 'node24', sourcemap: 'inline', sourcefile: path } as const;
      const { code } = await transform(await readFile(path, 'utf8'), options);
      const lines = code.split('\n');
      return { contents: droppable(path.endsWith('/routes.ts') ? served(lines) : lines).join('\n'), loader: 'js' };
    });
  },
};

/**
 * The routes that are written out, without what only the API reference shows. An answer that is not JSON names its type,
 * and keeps it.
 */
export function served(lines: readonly string[]): string[] {
  const kept = [...lines];
  const first = lines.findIndex((line) => line.endsWith('= defineRoutes({'));
  let isInRoute = false;
  for (const [n, line] of lines.entries()) {
    if (first < 0 || n < first) continue;
    if (/^ {2}\S/.test(line)) isInRoute = /^ {2}\w+: \{$/.test(line);
    const [, name, value = ''] = /^ {4}(summary|description|response): (.*)$/.exec(line) ?? [];
    if (!isInRoute || name === undefined || value.startsWith('{')) continue;
    const end = lines.findIndex((later, at) => at > n && /^ {4}\w|^ {2}\}/.test(later));
    kept.fill('', n, end);
    if (name === 'response') kept[n] = '    response: {},';
  }
  return kept;
}

/** What a name at the top of a file stands for is made only if something uses the name. */
export function droppable(lines: readonly string[]): string[] {
  const marked = [...lines];
  for (const [n, line] of lines.entries()) {
    const [, start, value = ''] = MADE.exec(line) ?? [];
    const end = lines.findIndex((later, at) => at >= n && (at > n ? /^\S.*;$/ : /;$/).test(later));
    if (start === undefined || end < n) continue;
    marked[n] = `${start}/* @__PURE__ */ (() => (${value}`;
    marked[end] = `${marked[end]?.slice(0, -1)}))();`;
  }
  return marked.map((line, n) => withoutRecord(line, lines[n - 1]));
}

/** A call, or an object or array with calls in it; functions and plain values need no help. */
const MADE = /^((?:export )?const \w+ = )(?!async |function\b|class\b|new )([A-Za-z_$][\w$.]*[.(].*|[{[].*)$/;

/** The schema of an entity says its type to the compiler; the table writes what handlers give it. */
const withoutRecord = (line: string, before = ''): string =>
  /\bdefineEntity\($/.test(before)
    ? line.replace(/^ {2}[A-Z]\w*,$/, '  undefined,')
    : line.replace(/\bdefineEntity\([A-Z]\w*, /, 'defineEntity(undefined, ');
