import { type Import, importsOf, type Sources } from './sources.ts';

type Graph = ReadonlyMap<string, readonly string[]>;

/** Groups of files that import each other, directly or through others (Tarjan's strongly connected components). */
export function circles(graph: Graph): string[] {
  const order = new Map<string, number>();
  const open: string[] = [];
  const found: string[] = [];
  const visit = (file: string): number => {
    const own = order.size;
    order.set(file, own);
    open.push(file);
    const reached = (graph.get(file) ?? []).map((next) => {
      if (!order.has(next)) return visit(next);
      return open.includes(next) ? (order.get(next) ?? own) : own;
    });
    const lowest = Math.min(own, ...reached);
    if (lowest < own) return lowest;
    const circle = open.splice(open.indexOf(file));
    if (circle.length > 1 || graph.get(file)?.includes(file))
      found.push(`files that import each other: ${circle.join(', ')}`);
    return own;
  };
  for (const file of graph.keys()) if (!order.has(file)) visit(file);
  return found;
}

/** One queue orders imports and changes of an organization, so one Lambda works both. */
const QUEUE_OF_BOTH = { entry: 'workers/ingest', works: ['workers/imports', 'workers/changes'] };

/** Imports from one area's folder into another's. `contract.ts` and its like belong to no area and may import all. */
export function crossings(graph: Graph): string[] {
  return arrows(graph, (from, to) => {
    const [one, other] = [areaOf(from), areaOf(to)];
    if (one === QUEUE_OF_BOTH.entry && other && QUEUE_OF_BOTH.works.includes(other)) return undefined;
    return one && other && one !== other ? `${from} imports the other area ${other}: ${to}` : undefined;
  });
}

/** Imports by which what is deployed would load what it must not know. */
export function outward(graph: Graph): string[] {
  const known: Record<string, string[]> = { shared: ['shared'], functions: ['functions', 'shared'] };
  return arrows(graph, (from, to) => {
    const allowed = known[topOf(from)];
    return allowed && !allowed.includes(topOf(to)) ? `${from} imports ${topOf(to)}/: ${to}` : undefined;
  });
}

/** Imports of `shared/` from a room into one that stands above it, and rooms that the order does not name. */
export function upward(graph: Graph, rooms: readonly string[]): string[] {
  const unknown = [...graph.keys()].filter((file) => topOf(file) === 'shared' && roomOf(file, rooms) === undefined);
  const up = arrows(graph, (from, to) => {
    const [one, other] = [roomOf(from, rooms), roomOf(to, rooms)];
    return one !== undefined && other !== undefined && rooms.indexOf(other) > rooms.indexOf(one)
      ? `${from} imports upward: ${to}`
      : undefined;
  });
  return [...unknown.map((file) => `${file} lies in a room that has no place in the order`), ...up];
}

/** `docs/table.md` is made from whatever modules export as a row or an entity. */
const DECLARED = /^export const \w+ = define(?:Row|Entity)\b/gm;
const EXPORT = /^export (?:declare )?(?:async )?(?:const|let|function\*?|class|type|interface) (\w+)/gm;
/** Lambda finds the entry of a function by its name. */
const isEntry = (file: string, name: string): boolean => name === 'handler' && ENTRY.test(file);
const ENTRY = /^functions\/.*\/index\.ts$|^bench\/cold-start\/bare\.ts$/;

/** Exported names that no other file imports. Test files export nothing; some hold code as text. */
export function unusedExports(sources: Sources): string[] {
  const used = new Map<string, Set<string>>();
  for (const [file, text] of sources)
    for (const { file: imported, names } of importsOf(file, text)) addTo(used, { file: imported, names });
  return [...sources].flatMap(([file, text]) => {
    const names = used.get(file);
    if (names?.has('*') || file.endsWith('.test.ts')) return [];
    const exported = [...text.replace(DECLARED, '').matchAll(EXPORT)].map(([, name = '']) => name);
    const isUsed = (name: string) => names?.has(name) || isEntry(file, name);
    return exported.filter((name) => !isUsed(name)).map((name) => `${file} exports ${name}, which no file imports`);
  });
}

function addTo(used: Map<string, Set<string>>, { file, names }: Import): void {
  used.set(file, new Set([...(used.get(file) ?? []), ...names]));
}

const DOC = /^(.*?)\/\*\*(?:[^*]|\*(?!\/))*\*\/(.*)(?:\n(.*))?/gm;
/** A documentation comment cannot describe nothing, another comment, an import or the end of a block. */
const NOT_DESCRIBED = /^\s*$|^\s*(?:\/\/(?! biome-ignore)|\/\*|import\b|export (?:\*|\{)|[)}\]])/;

/** Documentation comments that describe nothing, because what they described is gone or stands elsewhere. */
export function orphanedComments(sources: Sources): string[] {
  return [...sources].flatMap(([file, text]) =>
    [...text.matchAll(DOC)].flatMap(({ 0: comment, 1: before = '', 2: after = '', 3: next = '', index }) => {
      const isText = /['"`]/.test(before);
      const describes = before.trim() === '' && (after.trim() !== '' || !NOT_DESCRIBED.test(next));
      const line = text.slice(0, index).split('\n').length;
      return isText || describes ? [] : [`${file}:${line} documents nothing: ${comment.trim().split('\n')[0]}`];
    }),
  );
}

/** The first words of comments that name no subject (CONTRIBUTING.md, rule 14). A comment in a text is none. */
const NO_SUBJECT = /^([^'"`]*)(?:\/\*\*?|\/\/|(?<=\/\*\*?\n\s*)\*) (?:What|Whoever|As|So that)\b.*$/gm;

/** Comments from which a reader learns their subject last. */
export function commentsWithoutSubject(sources: Sources): string[] {
  return [...sources].flatMap(([file, text]) =>
    [...text.matchAll(NO_SUBJECT)].map(({ 0: line }) => `${file} has a comment without a subject: ${line.trim()}`),
  );
}

function arrows(graph: Graph, judge: (from: string, to: string) => string | undefined): string[] {
  return [...graph].flatMap(([from, imports]) => imports.flatMap((to) => judge(from, to) ?? []));
}

const topOf = (file: string): string => file.split('/')[0] ?? '';
/** A room is named from below `shared/`: `findings/gate`. */
const roomOf = (file: string, rooms: readonly string[]): string | undefined =>
  rooms.find((room) => file.startsWith(`shared/${room}/`));

/** `functions/platform/tasks/routes.ts` is of the area `platform/tasks`, `functions/workers/imports/close.ts` of `workers/imports`. */
function areaOf(file: string): string | undefined {
  const [top, wing, area, ...rest] = file.split('/');
  return top === 'functions' && rest.length > 0 ? `${wing}/${area}` : undefined;
}
