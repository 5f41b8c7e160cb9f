import { type ApiDocument, nameOf } from './tidy.ts';

type Operation = { operationId: string; responses: { 200: Response } };
type Response = { content?: Record<string, { schema?: Schema }>; links?: Record<string, object> };
type Schema = {
  $ref?: string;
  properties?: Record<string, unknown>;
  allOf?: Schema[];
  anyOf?: Schema[];
  oneOf?: Schema[];
};
type Methods = Partial<Record<'get' | 'post' | 'patch' | 'delete', Operation>>;

/**
 * Adds the links from an answer to the operations that take its ids: from the creation of a record to its reading, change and
 * deletion, and from a queued operation to its task.
 */
export function withLinks(document: ApiDocument): ApiDocument {
  const paths = document.paths as Record<string, Methods>;
  const { schemas } = document.components as { schemas: Record<string, Schema> };
  for (const [path, { post, patch, delete: removal }] of Object.entries(paths))
    for (const operation of [post, patch, removal]) {
      const answer = operation?.responses[200];
      const fields = fieldsOf(answer?.content?.['application/json']?.schema, schemas);
      const links = {
        ...(operation === post && fields.has('id') && linksToRecord(path, paths)),
        ...(fields.has('taskId') && {
          getTask: { operationId: 'getTask', parameters: { id: '$response.body#/taskId' } },
        }),
      };
      if (answer && Object.keys(links).length > 0) answer.links = links;
    }
  return document;
}

/** Links to the operations on one record, whose path is the list's path and an id. */
function linksToRecord(path: string, paths: Record<string, Methods>): Record<string, object> {
  const found = Object.keys(paths).find(
    (other) => /^\/\{\w+\}$/.test(other.slice(path.length)) && other.startsWith(path),
  );
  if (found === undefined) return {};
  const names = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const outer = names(path).map((name) => [name, `$request.path.${name}`]);
  const inner = names(found.slice(path.length)).map((name) => [name, '$response.body#/id']);
  const parameters = Object.fromEntries([...outer, ...inner]);
  const { get, patch, delete: removal } = paths[found] ?? {};
  return Object.fromEntries(
    [get, patch, removal].flatMap((to) => (to ? [[to.operationId, { operationId: to.operationId, parameters }]] : [])),
  );
}

/** The field names of an answer; with several forms, the names of all forms. */
function fieldsOf(schema: Schema | undefined, schemas: Record<string, Schema>): Set<string> {
  if (!schema) return new Set();
  const { $ref, properties = {}, allOf = [], anyOf = [], oneOf = [] } = schema;
  const inner = [...allOf, ...anyOf, ...oneOf, ...($ref ? [schemas[nameOf($ref)] ?? {}] : [])];
  return new Set([...Object.keys(properties), ...inner.flatMap((one) => [...fieldsOf(one, schemas)])]);
}
