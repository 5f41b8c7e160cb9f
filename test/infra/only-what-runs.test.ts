import { beforeAll, describe, expect, test } from 'vitest';
import { type Bundles, bundle } from '#infra/bundle/bundle.ts';
import { leaveOut } from '#infra/bundle/only-what-runs.ts';
import { service } from '#infra/service.ts';
import type { Route, Routes } from '#shared/platform/http/route.ts';

let bundles: Bundles;
beforeAll(async () => {
  const files = service.areas.map(({ name, wing }) => [`routes/${name}`, `functions/${wing}/${name}/routes.ts`]);
  bundles = await bundle(Object.fromEntries(files));
});

/** The routes of an area in its bundle. */
function routesIn(name: string): Routes {
  const module: { exports: Record<string, Routes> } = { exports: {} };
  const code = Buffer.from(bundles.functions.get(`routes/${name}`)?.code ?? '').toString('utf8');
  new Function('module', 'exports', 'require', code)(module, module.exports, process.getBuiltinModule);
  const found = Object.entries(module.exports).find(([exported]) => exported.endsWith('Routes'));
  return found?.[1] ?? expect.fail(`no routes in the bundle of ${name}`);
}

type Def = { shape?: object; innerType?: Schema; element?: Schema; options?: Schema[] };
type Schema = { type: string; def: Def };

/** The fields of a schema, to the innermost. */
function fieldsOf({ type, def }: Schema): unknown {
  const { shape, innerType, element, options } = def;
  if (shape) return Object.fromEntries(Object.entries(shape).map(([name, field]) => [name, fieldsOf(field)]));
  const inner = innerType ?? element;
  return inner ? [type, fieldsOf(inner)] : options ? [type, ...options.map(fieldsOf)] : type;
}

/** The fields of a route that the service reads. */
const read = ({ summary: _, description: __, query, file, body, response, ...rest }: Route) => ({
  ...rest,
  file: file && fieldsOf(file.query as never),
  query: query && fieldsOf(query as never),
  body: body && fieldsOf(body as never),
  contentType: 'contentType' in response ? response.contentType : undefined,
});

describe.each(service.areas)('the bundle of $name', ({ name, routes }) => {
  test('has every route with all fields that the service reads', () => {
    const bundled = Object.entries(routesIn(name)).map(([route, value]) => [route, read(value)]);
    expect(Object.fromEntries(bundled)).toEqual(
      Object.fromEntries(Object.entries(routes).map(([route, value]) => [route, read(value)])),
    );
  });
});

test('does not make the schemas of answers', () => {
  const answers = Object.values(routesIn('scanners')).map(({ response }) => response);
  expect(answers.filter((response) => 'safeParse' in response)).toEqual([]);
});

test('texts for the API reference are removed, and line numbers stay', () => {
  const route = `
const Thing = z.object({ description: z.string() });
export const thingRoutes = defineRoutes({
  made: make({ description: Thing }),
  getIt: get('/it', {
    summary: 'Read it',
    description: 'One: two, ' +
      'three',
    query: Paging.meta({ id: 'Page', description: 'how ' + 'many' }),
    response: z.object({
      id: Id.meta({ description: 'which one' })
    })
  }),
  getPage: { description, response: { contentType: 'text/html' } }
});`;
  expect(leaveOut(route)).toBe(`
const Thing = /* @__PURE__ */ (() => (z.object({ description: z.string() })))();
export const thingRoutes = /* @__PURE__ */ (() => (defineRoutes({
  made: make({ description: Thing }),
  getIt: get('/it', {
    summary: '',
    description: ''
,
    query: Paging.meta({ id: 'Page', description: '' }),
    response: {}


  }),
  getPage: { description: '', response: { contentType: 'text/html' } }
})))();`);
});

test.each([
  ['const A = z.string().min(1);', 'const A = /* @__PURE__ */ (() => (z.string().min(1)))();'],
  ['const o = { a: z.int() };', 'const o = /* @__PURE__ */ (() => ({ a: z.int() }))();'],
  [
    "export const all = defineEntity(z.object({}), { name: 'thing' });",
    "export const all = /* @__PURE__ */ (() => (defineEntity(undefined, { name: 'thing' })))();",
  ],
  [
    "const notes = defineRow({ name: 'note', about: 'a note', key: ({ id }) => [id] });",
    "const notes = /* @__PURE__ */ (() => (defineRow({ name: 'note', about: '', key: ({ id }) => [id] })))();",
  ],
])('an unused declaration can be dropped: %s', (source, marked) => {
  expect(leaveOut(source)).toBe(marked);
});

test.each([
  'export const f = (a) => a.b(1);',
  'const f = async (a) => {};',
  'const n = 12;',
  'const s = new Set();',
  'const client = await connect();',
  'import { a } from "b"; a.start();',
  'function inner() { const s = z.string(); }',
])('code that acts when a module is loaded, or that esbuild drops by itself, stays unchanged: %s', (source) => {
  expect(leaveOut(source)).toBe(source);
});
