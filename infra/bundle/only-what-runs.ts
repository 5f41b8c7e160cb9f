import { readFile } from 'node:fs/promises';
import { type CallExpression, type Expression, type ObjectExpression, type Property, parse } from 'acorn';
import { type Plugin, transform } from 'esbuild';

/**
 * Declarations serve the compiler, the documents and the running service. This plugin removes the parts that the
 * service does not read (summaries, descriptions, purposes, schemas of answers and records). esbuild then drops each
 * unused declaration, because loading one of our files only declares. Making a schema takes processor time at every
 * cold start; the schemas of answers took more time than all other code of an area.
 */
export const onlyWhatRuns: Plugin = {
  name: 'only-what-runs',
  setup(build) {
    build.onLoad({ filter: /\/(shared|functions)\/.*\.ts$/ }, async ({ path }) => {
      const options = { loader: 'ts', target: 'node24', sourcemap: 'inline', sourcefile: path } as const;
      const { code } = await transform(await readFile(path, 'utf8'), options);
      return { contents: leaveOut(code), loader: 'js' };
    });
  },
};

type Edit = { start: number; end: number; text: string };

/** Removes unread parts from the constants of a module. Line numbers stay, so that the source map remains valid. */
export function leaveOut(code: string): string {
  const edits: Edit[] = [];
  for (const statement of parse(code, { ecmaVersion: 'latest', sourceType: 'module' }).body) {
    const declared = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
    if (declared?.type !== 'VariableDeclaration') continue;
    for (const { init } of declared.declarations)
      if (init) edits.push(...outermost([...unread(init), ...textsOfMeta(init)]), ...droppable(init));
  }
  return edits.sort((a, b) => b.start - a.start).reduce(replaced, code);
}

/** The edits without those inside a part that another edit removes. */
const outermost = (edits: readonly Edit[]): Edit[] =>
  edits.filter((one) => !edits.some((other) => other !== one && other.start <= one.start && one.end <= other.end));

function replaced(code: string, { start, end, text }: Edit): string {
  const lines = code.slice(start, end).replace(/[^\n]/g, '');
  return code.slice(0, start) + text + lines + code.slice(end);
}

/**
 * The parts that the service does not read: the schema of an entity, the purpose of a row, texts for the API reference.
 */
function unread(init: Expression): Edit[] {
  if (init.type !== 'CallExpression' || init.callee.type !== 'Identifier') return [];
  const [first] = init.arguments;
  if (!first) return [];
  if (init.callee.name === 'defineEntity') return [{ start: first.start, end: first.end, text: 'undefined' }];
  if (init.callee.name === 'defineRow' && first.type === 'ObjectExpression') return unreadOf(first);
  if (init.callee.name !== 'defineRoutes' || first.type !== 'ObjectExpression') return [];
  return properties(first).flatMap(({ value }) => {
    // `get(path, { ... })`, or the route as it is
    const route = value.type === 'CallExpression' ? value.arguments[1] : value;
    return route?.type === 'ObjectExpression' ? unreadOf(route) : [];
  });
}

const TEXTS: readonly string[] = ['summary', 'description', 'about'];

/** Removes texts and the schema of a JSON answer. An answer of another type keeps its content type. */
function unreadOf(declaration: ObjectExpression): Edit[] {
  return properties(declaration).flatMap(({ start, end, key, value }) => {
    const name = key.type === 'Identifier' ? key.name : '';
    if (TEXTS.includes(name)) return [{ start, end, text: `${name}: ''` }];
    return name === 'response' && value.type !== 'ObjectExpression' ? [{ start, end, text: 'response: {}' }] : [];
  });
}

/** The texts that schemas carry for the API reference: `.meta({ description, example })`. */
function textsOfMeta(node: unknown): Edit[] {
  if (Array.isArray(node)) return node.flatMap(textsOfMeta);
  if (node === null || typeof node !== 'object') return [];
  const inner = Object.values(node).flatMap(textsOfMeta);
  const { type, callee, arguments: [first] = [] } = node as Partial<CallExpression>;
  const isMeta = type === 'CallExpression' && callee?.type === 'MemberExpression' && isNamed(callee.property, 'meta');
  return isMeta && first?.type === 'ObjectExpression' ? [...inner, ...properties(first).flatMap(metaText)] : inner;
}

const metaText = ({ start, end, key }: Property): Edit[] => {
  const name = META_TEXTS.find((one) => isNamed(key, one));
  return name ? [{ start, end, text: `${name}: ''` }] : [];
};

const META_TEXTS = ['description', 'example'] as const;

const isNamed = (node: { type: string }, name: string): boolean =>
  node.type === 'Identifier' && 'name' in node && node.name === name;

const properties = (object: ObjectExpression): Property[] =>
  object.properties.filter((property) => property.type === 'Property');

/** esbuild drops unused functions and plain values without help; other expressions must be marked as pure. */
const MADE: readonly Expression['type'][] = [
  'CallExpression',
  'MemberExpression',
  'ObjectExpression',
  'ArrayExpression',
  'BinaryExpression',
  'ConditionalExpression',
];

function droppable({ type, start, end }: Expression): Edit[] {
  if (!MADE.includes(type)) return [];
  const before = { start, end: start, text: '/* @__PURE__ */ (() => (' };
  return [before, { start: end, end, text: '))()' }];
}
