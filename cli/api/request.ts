import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { reasonOf, usage } from '../errors.ts';

export const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
type Method = (typeof METHODS)[number];

/** The options of `exposure api`. */
export type ApiOptions = { field?: string[]; input?: string; header?: string[]; contentType?: string; all?: boolean };

/** Request headers that name a credential: other users of the machine see the arguments of a program. */
const SECRET = /^(authorization|cookie|proxy-authorization)$/i;

/** The request of a method, a path and options. @throws Failure for arguments that make none */
export async function requestOf(
  baseUrl: string,
  given: { method: string; path: string },
  options: ApiOptions,
): Promise<Request> {
  const method = METHODS.find((one) => one === given.method.toUpperCase());
  if (!method) throw usage(`${given.method} is no method.`, `Send one of ${METHODS.join(', ')}.`);
  const url = addressOf(baseUrl, given.path);
  const fields = (options.field ?? []).map(fieldOf);
  const headers = headersOf(options.header ?? []);
  if (hasNoBody(method)) {
    if (options.input !== undefined)
      throw usage(`A ${method} has no body.`, 'Leave --input out; --field names parameters.');
    for (const { path, value } of fields) url.searchParams.append(path.join('.'), parameterOf(value));
    return new Request(url, { method, headers });
  }
  if (options.input !== undefined && fields.length > 0) throw usage('Send --field or --input, not both.');
  const body = options.input === undefined ? jsonOf(fields) : await contentOf(options.input);
  if (body === undefined) return new Request(url, { method, headers });
  headers.set('content-type', options.contentType ?? 'application/json');
  return new Request(url, { method, headers, body });
}

/** An operation that deletes takes parameters, as one that reads. */
const hasNoBody = (method: Method): boolean => method === 'GET' || method === 'DELETE';

/** A path of the interface on this service; `findings` is short for `/api/v1/findings`. */
function addressOf(baseUrl: string, path: string): URL {
  const url = new URL(path.startsWith('/') ? path : `/api/v1/${path}`, baseUrl);
  if (url.origin !== baseUrl || /^[a-z]+:/i.test(path))
    throw usage(`${path} is no path of ${baseUrl}.`, 'Send a path such as /api/v1/findings; --url names the service.');
  return url;
}

type Field = { path: string[]; value: unknown };

/** `name=text`, or `name:=JSON` for numbers, lists and the like; `a.b=text` is a field of an object. */
function fieldOf(given: string): Field {
  const [, name = '', json, value = ''] = /^([^=:]+)(:?)=(.*)$/s.exec(given) ?? [];
  if (name === '') throw usage(`${given} is no field.`, 'Send name=text, or name:=JSON.');
  const path = name.split('.');
  if (!json) return { path, value };
  try {
    return { path, value: JSON.parse(value) };
  } catch (error) {
    throw usage(`The value of ${name} is no JSON: ${reasonOf(error)}.`, `Send a text as ${name}=text.`);
  }
}

const parameterOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** The fields as one object. Names come from the user's own arguments; `__proto__` is a field as any other. */
function jsonOf(fields: readonly Field[]): string | undefined {
  if (fields.length === 0) return undefined;
  const entries = Map.groupBy(fields, ({ path }) => path[0] ?? '');
  return `{${[...entries].map(([name, some]) => `${JSON.stringify(name)}:${memberOf(name, some)}`).join(',')}}`;
}

function memberOf(name: string, fields: readonly Field[]): string {
  const [first] = fields;
  if (fields.length === 1 && first?.path.length === 1) return JSON.stringify(first.value);
  if (fields.some(({ path }) => path.length === 1)) throw usage(`The field ${name} is there twice.`);
  return jsonOf(fields.map(({ path, value }) => ({ path: path.slice(1), value }))) ?? '{}';
}

function headersOf(given: readonly string[]): Headers {
  const headers = new Headers();
  for (const header of given) {
    const [, name = '', value = ''] = /^([\w-]+):\s*(.*)$/.exec(header) ?? [];
    if (name === '') throw usage('A --header has the form "Name: value".');
    if (SECRET.test(name))
      throw usage(
        `${name} cannot be sent with --header: other users of the machine see arguments.`,
        'Use EXPOSURE_KEY or "exposure login".',
      );
    headers.append(name, value);
  }
  return headers;
}

/** The text of a file; `-` is standard input. */
export async function contentOf(file: string): Promise<string> {
  if (file === '-') return text(process.stdin);
  return readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw usage(`${file} cannot be read: ${error.code}.`);
  });
}
