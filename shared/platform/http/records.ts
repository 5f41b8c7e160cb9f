import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { ApiError, invalid, versionConflict } from '../runtime/errors.ts';
import { shortened } from '../runtime/texts.ts';
import { check, unwrapped } from './validate.ts';

/** The schema of an object that the API reference knows by this name. */
export const objectNamed = <S extends z.ZodRawShape>(id: string, shape: S) => z.object(shape).meta({ id });

/** A text of at least one and at most so many characters. */
export const text = (max: number) => z.string().min(1).max(max);
/** The same without white space around it. */
export const trimmedText = (max: number) => z.string().trim().min(1).max(max);

/** Characters that end a line, and those that show a text in another order than it has (Unicode, bidirectional formatting). */
const NOT_IN_NAMES = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_C}]+/gu;
/** A name that letters and the audit log show: nobody writes further lines into them. */
export const nameText = (max: number) =>
  trimmedText(max).regex(/^[^\p{Cc}\p{Zl}\p{Zp}\p{Bidi_C}]*$/u, 'must be one line of text');
/** A name that another system sends, as one that `nameText` takes. */
export function plainName(said: string, max: number): string {
  const plain = said.replaceAll(NOT_IN_NAMES, ' ').trim();
  return plain.length <= max ? plain : shortened(plain, max - 1);
}

/** The author of a record or a change. */
export const Actor = z
  .object({ kind: z.enum(['user', 'api_key', 'machine', 'system']), id: z.string(), name: z.string() })
  .meta({ id: 'Actor' });

/** Marks a field as read-only for the compiler; no value has it. */
declare const mark: unique symbol;
type Marked = { readonly [mark]: true };
type ReadOnly<T> = T & Marked;

/** Marks a field that the server sets; OpenAPI shows it as `readOnly`. */
export function readOnly<T extends z.ZodType>(schema: T): ReadOnly<T> {
  // The copy carries no name: two schemas of one name would collide in the document.
  const { id: _id, ...meta } = schema.meta() ?? {};
  return schema.meta({ ...meta, readOnly: true }) as ReadOnly<T>;
}

const liveFields = new WeakSet<z.ZodType>();

/**
 * Marks a read-only field that changes without a new version of the record: a patch may contain an outdated value of
 * such a field. Make this the outermost call: schemas derived from the marked one are not marked.
 */
export function live<T extends z.ZodType>(schema: T): ReadOnly<T> {
  const marked = readOnly(schema);
  liveFields.add(marked);
  return marked;
}

export const Id = z.uuid().meta({ description: 'UUIDv7' });
const DATE = /^\d{4}-\d{2}-\d{2}$/;

/**
 * A time may come with any offset, or as a date, which is its first moment in UTC. It is stored and answered in UTC in
 * the form of `clock.ts`: such times compare as text.
 */
export const Timestamp = z
  .string()
  .overwrite((time) => (DATE.test(time) ? `${time}T00:00:00.000Z` : time))
  .check(z.iso.datetime({ offset: true, error: 'must be an RFC 3339 time such as 2026-01-15T08:00:00Z, or a date' }))
  .overwrite((time) => inUtc(time))
  .meta({ description: 'RFC 3339, UTC; a date sent instead is its beginning in UTC' });

/**
 * The time in UTC. An invalid time stays as it is, and so does one outside the years 0 to 9999, which has no such form.
 */
function inUtc(time: string): string {
  const moment = Date.parse(time);
  const utc = Number.isNaN(moment) ? time : new Date(moment).toISOString();
  return utc.length === 24 ? utc : time;
}

/** The answer to a DELETE. */
export const Deletion = z.object({ id: Id, deletedAt: Timestamp });
export type Deletion = z.infer<typeof Deletion>;

/** Spread into the schema of every stored record. */
export const recordFields = {
  id: readOnly(Id),
  version: readOnly(z.int().positive()),
  createdAt: readOnly(Timestamp),
  updatedAt: readOnly(Timestamp),
  createdBy: readOnly(Actor),
};

/** The record from which a body was derived, and the one after which the API reference names the body. */
type Source = { record: z.ZodObject; named: z.ZodObject };

const sources = new WeakMap<z.ZodType, Source>();

/** @returns undefined for a body with a schema of its own */
export const sourceOf = (body: z.ZodType): Source | undefined => sources.get(body);

export const isReadOnly = (field: z.ZodType): boolean => field.meta()?.readOnly === true;

type Shape = z.core.$ZodLooseShape;

type Writable<S> = { [K in keyof S as S[K] extends Marked ? never : K]: S[K] };

/** The fields of a record that a caller may set. */
export function writableFields<S extends Shape>(record: z.ZodObject<S>): (keyof S & string)[] {
  return Object.keys(record.shape).filter((name) => !isReadOnly(record.shape[name] as z.ZodType));
}

/** The body that creates a record: its writable fields; unknown fields are refused. */
export function createBody<S extends Shape, F extends Shape = Record<never, never>>(
  record: z.ZodObject<S>,
  fields: F = {} as F,
) {
  const mask = Object.fromEntries(writableFields(record).map((field) => [field, true]));
  const body = record
    .pick(mask as never)
    .extend(fields)
    .strict() as unknown as z.ZodObject<Omit<Writable<S>, keyof F> & F, z.core.$strict>;
  sources.set(body, { record, named: record });
  return body;
}

/**
 * The body of a PATCH (JSON Merge Patch, RFC 7396): writable fields, each absent (unchanged), null (cleared) or new.
 * Read-only fields may be sent back unchanged; `mergePatch` refuses changed ones. `named` is the record with the body's
 * name in the API reference, if the interface names the change.
 */
export function patchBody<S extends Shape>(record: z.ZodObject<S>, named: z.ZodObject = record) {
  const fields = Object.entries(record.shape).map(([name, field]) => {
    const schema = field as z.ZodType;
    return [name, isReadOnly(schema) ? z.unknown() : patchField(schema)];
  });
  const body = z.strictObject(Object.fromEntries(fields)).partial() as unknown as z.ZodType<
    Patch<z.output<z.ZodObject<S>>>
  >;
  sources.set(body, { record, named });
  return body;
}

type Patch<T> = { [K in keyof T]?: T[K] | null };

/**
 * The field of a merge patch. A patch also names only the changed fields of an object within the record. A write-only
 * field must be sent whole, because no answer shows the value into which a part would be merged.
 */
export function patchField(field: z.ZodType): z.ZodType {
  const schema = unwrapped(field);
  if (schema instanceof z.ZodUnknown) return schema.optional();
  if (schema.meta()?.writeOnly === true) return schema.nullable().optional();
  if (schema instanceof z.ZodObject) {
    const fields = Object.entries(schema.shape).map(([name, inner]) => [name, patchField(inner as z.ZodType)]);
    const { catchall } = schema.def;
    const patch = z.strictObject(Object.fromEntries(fields));
    const isOpen = catchall && !(catchall instanceof z.ZodNever);
    return (isOpen ? patch.catchall(patchField(catchall as z.ZodType)) : patch).nullable().optional();
  }
  if (schema instanceof z.ZodRecord)
    return z.partialRecord(schema.keyType as z.core.$ZodRecordKey, patchField(schema.valueType as z.ZodType)).nullish();
  return schema.nullable().optional();
}

type Versioned = { version: number };

/** In the body of a decision: the version of the record that the caller decided about. */
export const VersionRead = z.int().positive().optional().meta({
  description:
    'The `version` of the record that you read, also accepted as `If-Match`. Another version is refused as `conflict`.',
});

/** @throws conflict, with the present record, when the given version (If-Match, otherwise the body's) is another */
export function assertVersion(current: Versioned, body: object, ifMatch: string | undefined): void {
  const version = versionRead(body, ifMatch);
  if (version !== undefined && version !== current.version) throw versionConflict(current);
}

/**
 * The changes that a patch makes to a record. Cleared fields get their defaults, merged objects are checked again, live
 * fields are skipped. Without changes the result is `undefined`.
 * @throws read_only for a changed server field, conflict for another version (If-Match, otherwise the body's),
 * validation_failed
 */
export function mergePatch<S extends Shape, T extends Versioned>(
  record: z.ZodObject<S>,
  current: T,
  { patch, ifMatch }: { patch: object; ifMatch?: string },
): Partial<T> | undefined {
  assertVersion(current, patch, ifMatch);
  const changes: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(patch)) {
    const field = record.shape[name] as z.ZodType | undefined;
    const before: unknown = Reflect.get(current, name);
    if (!field || liveFields.has(field) || isDeepStrictEqual(before ?? null, value ?? null)) continue;
    if (isReadOnly(field)) throw readOnlyError(name);
    const next = value === null ? cleared(name, field) : merged(name, field, { before, value });
    if (!isDeepStrictEqual(before, next)) changes[name] = next;
  }
  return Object.keys(changes).length === 0 ? undefined : (changes as Partial<T>);
}

type Merging = { before: unknown; value: unknown };

/** The new value of a field. An object is merged with the stored one (RFC 7396, section 2). */
function merged(name: string, field: z.ZodType, { before, value }: Merging): unknown {
  const schema = unwrapped(field);
  if (!(schema instanceof z.ZodObject || schema instanceof z.ZodRecord)) return value;
  return check(z.object({ [name]: schema }), { [name]: mergeInto(schema, before, value) }, 'body')[name];
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function mergeInto(field: z.ZodType | undefined, before: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const schema = field && unwrapped(field);
  const next = isObject(before) ? { ...before } : {};
  for (const [name, value] of Object.entries(patch)) {
    const inner = schema instanceof z.ZodObject ? (schema.shape[name] as z.ZodType | undefined) : undefined;
    if (value !== null) next[name] = mergeInto(inner, next[name], value);
    else if (inner && !inner.safeParse(undefined).success) next[name] = null;
    else delete next[name];
  }
  return next;
}

const ENTITY_TAG = /^(?:W\/)?"?(\d+)"?$/;

/** The version that the caller read, if it sends one; `If-Match: *` accepts any (RFC 9110, section 13.1.1). */
function versionRead(patch: object, ifMatch: string | undefined): number | undefined {
  if (ifMatch === undefined) {
    const version: unknown = Reflect.get(patch, 'version');
    if (version === undefined || typeof version === 'number') return version;
    throw invalid('version', 'must be the version that you read, as a number');
  }
  if (ifMatch.trim() === '*') return undefined;
  const [, version] = ENTITY_TAG.exec(ifMatch.trim()) ?? [];
  if (version === undefined) throw invalid('If-Match', 'must be the version that you read, as a number, or *');
  return Number(version);
}

/** Whether null in a patch clears the field. */
export const isClearable = (field: z.ZodType): boolean =>
  field.safeParse(undefined).success || field.safeParse(null).success;

function cleared(name: string, field: z.ZodType): unknown {
  const empty = field.safeParse(undefined);
  if (empty.success) return empty.data;
  if (isClearable(field)) return null;
  throw invalid(name, 'must have a value and cannot be cleared');
}

const readOnlyError = (path: string): ApiError =>
  new ApiError('read_only', `${path} is set by the server: leave it out or send it back unchanged.`, {
    details: [{ path, message: 'read-only' }],
  });
