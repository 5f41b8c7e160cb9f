import * as z from 'zod';
import type { Route } from '#shared/platform/http/route.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { exampleBody } from './every-route.ts';

type Schema = {
  $ref?: string;
  format?: string;
  type?: string;
  const?: unknown;
  default?: unknown;
  enum?: unknown[];
  minimum?: number;
  minItems?: number;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
};

/** Where a list or an object holds itself, the levels end here. */
const MAX_LEVELS = 6;

/**
 * For each place of a body that takes the id of a record, at any depth, the example of the body with an id there.
 * @param idFor the id for a field of this name; an empty text for fields that name no record
 */
export function bodiesNaming(
  route: Route,
  idFor: (name: string) => string,
): { field: string; body: Record<string, unknown> }[] {
  if (!route.body) return [];
  const whole = z.toJSONSchema(route.body, { io: 'input', unrepresentable: 'any' }) as Schema & {
    $defs?: Record<string, Schema>;
  };
  const resolved = (one: Schema): Schema =>
    one.$ref ? resolved(whole.$defs?.[one.$ref.split('/').at(-1) ?? ''] ?? {}) : one;

  function smallest(given: Schema): unknown {
    const one = resolved(given);
    const [form] = formsOf(one);
    if (form) return smallest(form);
    const fixed = one.const ?? one.default ?? one.enum?.[0];
    if (fixed !== undefined) return fixed;
    if (one.type === 'object') return required(one);
    if (one.type === 'array') return one.minItems ? [smallest(one.items ?? {})] : [];
    if (one.type === 'boolean') return false;
    if (one.type === 'string') return one.format === 'uuid' ? newId() : 'example';
    return one.minimum ?? 1;
  }

  const required = ({ required: names = [], properties = {} }: Schema): Record<string, unknown> =>
    Object.fromEntries(names.map((name) => [name, smallest(properties[name] ?? {})]));

  type Named = { path: string; value: unknown };

  function naming(given: Schema, path: string, level: number): Named[] {
    const one = resolved(given);
    if (level > MAX_LEVELS) return [];
    if (one.format === 'uuid') {
      const id = idFor(path.replaceAll('[]', '').split('.').at(-1) ?? '');
      return id ? [{ path, value: id }] : [];
    }
    return [
      ...formsOf(one).flatMap((form) => naming(form, path, level)),
      ...(one.items ? naming(one.items, `${path}[]`, level + 1).map(inList) : []),
      ...Object.entries(one.properties ?? {}).flatMap(([name, inner]) =>
        naming(inner, `${path}.${name}`, level + 1).map((found) => ({
          ...found,
          value: { ...required(one), [name]: found.value },
        })),
      ),
    ];
  }

  const example = route.method === 'PATCH' ? {} : Object(exampleBody(route));
  return naming(whole, '', 0).map(({ path, value }) => {
    const [field, name = ''] = [path.slice(1), path.split(/[.[]/)[1]];
    return { field, body: { ...(name === 'filter' ? withoutIds(example) : example), [name]: Object(value)[name] } };
  });
}

const formsOf = ({ anyOf = [], oneOf = [], allOf = [] }: Schema): Schema[] => [...anyOf, ...oneOf, ...allOf];

const inList = <T extends { value: unknown }>(named: T): T => ({ ...named, value: [named.value] });

/** A request names its records by their ids or by a filter. */
const withoutIds = ({ ids: _, ...example }: Record<string, unknown>) => example;
