import type { Document, Operation, Schema } from './document.ts';
import { mutated, type Report } from './reports.ts';
import { anyPart, anything, type Dice, damaged, madeFrom, oneOf } from './values.ts';
import { idsFor, type World, withKnown } from './world.ts';

export type Request = {
  params: Record<string, string>;
  query: Record<string, unknown>;
  body: unknown;
  headers: Record<string, string>;
};

type Context = { dice: Dice; document: Document; world: World; foreign: World };

/** A request to an operation: as the document says, at the edges of it, or wrong in one place. */
export async function requestTo(operation: Operation, context: Context): Promise<Request> {
  const body = await withKnown(context.world, operation, bodyOf(operation, context));
  return {
    params: Object.fromEntries(namesIn(operation.path).map((name) => [name, idOf(operation.path, context)])),
    query: queryOf(operation, context),
    body: body !== undefined && context.dice() < 0.02 ? brokenJson(context.dice, body) : body,
    headers: headersOf(context.dice),
  };
}

const namesIn = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);

function idOf(path: string, { dice, world, foreign }: Context): string {
  const kind = dice();
  if (kind < 0.1) return oneOf(dice, idsFor(foreign, path)) ?? 'none';
  if (kind < 0.16) return oneOf(dice, [...world.ids.values()].flat());
  if (kind < 0.24) return anyPart(dice) || '%20';
  return oneOf(dice, idsFor(world, path)) ?? 'none';
}

function bodyOf({ body, method }: Operation, { dice, document }: Context): unknown {
  if (!body?.schema) return method !== 'GET' && dice() < 0.03 ? anything(dice) : undefined;
  const maker = { dice, resolve: document.resolve };
  const made = madeFrom(maker, body.schema);
  const value = dice() < 0.6 ? withOneOf(dice, body, made, document.resolve(body.schema)) : made;
  const kind = dice();
  if (kind < 0.15) return damaged(dice, value);
  if (kind < 0.2) return damaged(dice, value, () => null);
  if (kind < 0.25) return damaged(dice, value, (part) => ({ ...Object(part), surprise: anything(dice) }));
  return kind < 0.27 ? anything(dice) : value;
}

/** The example with some fields of the made value, so that most requests get past the first check and into the table. */
function withOneOf(dice: Dice, { example }: { example?: unknown }, made: unknown, { properties }: Schema): unknown {
  if (typeof example !== 'object' || example === null || Array.isArray(example) || !properties) return made;
  const changed = Object.entries(Object(made)).filter(() => dice() < 0.4);
  return { ...example, ...Object.fromEntries(changed) };
}

/** A wait would only make the run longer. */
const NEVER_SENT = 'waitSeconds';

function queryOf({ query }: Operation, { dice, document }: Context): Record<string, unknown> {
  const chosen = query.filter(({ name, required }) => name !== NEVER_SENT && (required || dice() < 1.5 / query.length));
  const maker = { dice, resolve: document.resolve };
  const entries = chosen.map(({ name, schema }) => {
    const value = dice() < 0.25 ? anyPart(dice) : madeFrom(maker, schema);
    return [name, typeof value === 'string' ? value.toWellFormed().slice(0, 8_000) : value];
  });
  return Object.fromEntries(dice() < 0.01 ? [...entries, ['surprise', anyPart(dice)]] : entries);
}

const HEADERS: Record<string, string>[] = [
  { 'if-match': '"1"' },
  { 'if-match': '"9007199254740993"' },
  { 'if-match': 'W/"x"' },
  { 'idempotency-key': 'constructor' },
  { 'idempotency-key': 'x'.repeat(300) },
  { 'content-type': 'text/xml' },
  { 'content-type': 'application/json; charset=utf-16' },
  { 'accept-language': '*;q=9' },
];
const headersOf = (dice: Dice): Record<string, string> => (dice() < 0.15 ? oneOf(dice, HEADERS) : {});

function brokenJson(dice: Dice, body: NonNullable<unknown> | null): string {
  const text = JSON.stringify(body);
  return text.slice(0, Math.floor(dice() * text.length));
}

/** An import of a report that was changed, in one of the ways in which a report may be sent. */
export function importRequest(dice: Dice, reports: readonly Report[]): Request {
  const { format, content } = mutated(dice, reports);
  const target = oneOf(dice, [
    'https://shop.example.com',
    '192.0.2.0/24',
    'web-01',
    { type: 'repository', value: 'https://git.example.com/a/b' },
  ]);
  const body = {
    format: dice() < 0.5 ? 'auto' : format,
    content: content.toString('base64'),
    encoding: 'base64',
    target,
    ...(dice() < 0.2 && { closeMissing: false }),
    ...(dice() < 0.2 && { ref: 'main' }),
  };
  return { params: {}, query: { waitSeconds: 10 }, body, headers: {} };
}
