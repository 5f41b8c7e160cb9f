import { type ScimPatchOperation, type ScimResource, scimPatch } from 'scim-patch';
import { ApiError, invalid } from '#shared/platform/runtime/errors.ts';
import { parsedFilter } from './list.ts';
import type { PatchOperation } from './resources.ts';

/** The attributes that are kept, by their names in small letters: SCIM's names are the same in any letter case. */
const named = (...names: string[]): ReadonlyMap<string, string> =>
  new Map(names.map((name) => [name.toLowerCase(), name]));
const ATTRIBUTES = named(
  ...['userName', 'externalId', 'displayName', 'active', 'name', 'emails', 'members'],
  ...['preferredLanguage', 'locale', 'timezone'],
);
const PARTS = named('givenName', 'familyName', 'formatted', 'value', 'type', 'primary');

const PATH = /^(?:urn:ietf:params:scim:schemas:core:2\.0:(?:user|group):)?(\w[\w$-]*)(?:\[(.*)\])?(?:\.(\w[\w$-]*))?$/i;
const EXTENSION = /^urn:/i;

type Resource = Record<string, unknown>;

/**
 * Applies the operations of a PATCH to a resource. Operations on attributes that are not kept do nothing (RFC 7643 lets a
 * service leave attributes out). @throws validation_failed, invalid_request, unsupported_filter
 */
export function patched(resource: Resource, operations: readonly PatchOperation[]): Resource {
  let current: Resource = structuredClone(resource);
  for (const operation of operations.flatMap(plainOperations)) {
    // the library drops a list with its last value, and then finds no list to look in
    const meta = { created: new Date(0), lastModified: new Date(0) };
    const whole: ScimResource & Resource = { ...current, schemas: [], meta, ...listsOf(current) };
    current = { ...applied(whole, operation) };
  }
  return { ...current, ...listsOf(current) };
}

const listsOf = ({ members, emails }: Resource) => ({ members: members ?? [], emails: emails ?? [] });

function applied(resource: ScimResource & Resource, operation: ScimPatchOperation): Resource {
  try {
    return scimPatch(resource, [ofWholeList(resource, operation)]);
  } catch (error) {
    throw new ApiError('invalid_request', `${operation.path}: ${error instanceof Error ? error.message : 'no target'}`);
  }
}

/** Adds and removes members by their ids: the library compares each with each, and groups have thousands. */
function ofWholeList({ members }: Resource, operation: ScimPatchOperation): ScimPatchOperation {
  const { op, path, value } = operation;
  if (path !== 'members' || op === 'replace' || !Array.isArray(value) || !Array.isArray(members)) return operation;
  const idsOf = (list: { value?: unknown }[]) => new Set(list.map((one) => one.value));
  const [has, given] = [idsOf(members), idsOf(value)];
  const ids = op === 'add' ? new Set([...has, ...given]) : [...has].filter((id) => !given.has(id));
  return { op: 'replace', path, value: [...ids].map((id) => ({ value: id })) };
}

/** An operation with a path for each attribute: the spellings of identity providers are one from here on. */
function plainOperations({ op, path, value }: PatchOperation): ScimPatchOperation[] {
  const verb = op.toLowerCase();
  if (verb !== 'add' && verb !== 'replace' && verb !== 'remove')
    throw invalid('Operations.op', 'must be add, replace or remove');
  if (path === undefined || path === '') {
    if (verb === 'remove') throw new ApiError('invalid_request', 'An operation remove needs a path.');
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw invalid('Operations.value', 'must be an object of attributes, where the operation has no path');
    return Object.entries(value).flatMap(([name, one]) => plainOperations({ op, path: name, value: one }));
  }
  const plain = plainPath(path);
  if (!plain) return [];
  const held = plain === 'members' ? membersIn(value) : value;
  if (verb === 'remove') return [{ op: verb, path: plain, ...(held !== undefined && { value: held }) }];
  if (held === undefined) throw invalid('Operations.value', `is required to ${verb} ${plain}`);
  return [{ op: verb, path: plain, value: held }];
}

/** The path in the names that are kept; undefined for an attribute that is not. */
function plainPath(path: string): string | undefined {
  const [, attribute = '', filter, part] = PATH.exec(path.trim()) ?? [];
  if (attribute === '') {
    if (EXTENSION.test(path)) return undefined;
    throw new ApiError('invalid_request', `${path} is no path of an attribute.`);
  }
  const name = ATTRIBUTES.get(attribute.toLowerCase());
  const inner = part === undefined ? undefined : PARTS.get(part.toLowerCase());
  if (!name || (part !== undefined && !inner)) return undefined;
  return `${name}${filter === undefined ? '' : `[${plainFilter(filter)}]`}${inner ? `.${inner}` : ''}`;
}

function plainFilter(filter: string): string {
  const parsed = parsedFilter(filter);
  const name = parsed?.op === 'eq' && 'compValue' in parsed ? PARTS.get(parsed.attrPath.toLowerCase()) : undefined;
  if (!parsed || !('compValue' in parsed) || !name)
    throw new ApiError('unsupported_filter', 'The filter of a path is value, type or primary with eq and a value.');
  return `${name} eq ${JSON.stringify(parsed.compValue)}`;
}

/** Members by their ids alone, so that the same member is the same with a name and without. */
function membersIn(value: unknown): unknown {
  if (value === undefined || value === null) return undefined;
  return [value].flat().map((one: unknown) => ({
    value: typeof one === 'object' && one !== null && 'value' in one ? one.value : one,
  }));
}
