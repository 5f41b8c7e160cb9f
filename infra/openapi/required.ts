import type { ApiDocument } from './tidy.ts';

type Schema = { required?: string[]; properties?: Record<string, { readOnly?: boolean }> };
type Body = { content: Record<string, { schema?: { $ref?: string } }> };

/**
 * A PATCH sends only the fields that change, so the record of its body requires no field that a caller sets. An operation
 * that creates the record requires those fields beside its reference.
 */
export function requireOnlyWhereCreated(document: ApiDocument): ApiDocument {
  const bodies = bodiesOf(document);
  const patched = bodies.filter(({ method }) => method === 'patch').flatMap(({ media }) => namesIn(media));
  for (const name of new Set(patched)) {
    const record = document.components?.schemas?.[name] as Schema | undefined;
    const [set = [], made = []] = record?.required
      ? [record.required.filter((field) => record.properties?.[field]?.readOnly), writableIn(record)]
      : [];
    if (!record || made.length === 0) continue;
    if (set.length > 0) record.required = set;
    else delete record.required;
    const $ref = `#/components/schemas/${name}`;
    for (const { method, media } of bodies)
      for (const one of Object.values(media))
        if (method !== 'patch' && one.schema?.$ref === $ref)
          Object.assign(one, { schema: { allOf: [{ $ref }], required: made } });
  }
  return document;
}

const writableIn = ({ required = [], properties }: Schema): string[] =>
  required.filter((field) => !properties?.[field]?.readOnly);

const namesIn = (media: Body['content']): string[] =>
  Object.values(media).flatMap(({ schema }) => schema?.$ref?.split('/').at(-1) ?? []);

const bodiesOf = ({ paths = {} }: ApiDocument): { method: string; media: Body['content'] }[] =>
  Object.values(paths).flatMap((item) =>
    Object.entries({ ...item }).flatMap(([method, operation]) => {
      const body = Object(operation).requestBody as Body | undefined;
      return body ? [{ method, media: body.content }] : [];
    }),
  );
