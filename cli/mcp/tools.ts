import type { Tool } from '@modelcontextprotocol/sdk/types.js';
import { usage } from '../errors.ts';
import { nearest } from '../suggest.ts';
import { alone, type Operation, type Schema, type Schemas } from './document.ts';

/** The groups whose operations that only read are tools; names, parameters and texts come from the document of the service. */
const SUBJECTS: readonly string[] = ['findings', 'vulnerabilities', 'assets', 'dashboards', 'filters'];
/** Lists find words by their filters, and a model reads no files. */
const IN_OTHER_TOOLS = /\/(?:search|exports?)(?:\/|$)/;
/** The changes that a model may make are decided here, operation by operation. */
const WRITE: readonly string[] = ['updateFinding', 'updateFindings', 'createFindingComment', 'updateVulnerability'];
/** The groups of operations about credentials and sign-ins, which are no work of a model. */
const SECRET: readonly string[] = [
  'credentials',
  'token',
  'sign-in',
  'users',
  'scim',
  'link',
  'scan-credentials',
  'public-apex',
  'webhook-endpoints',
];

const isSecret = (operation: Operation): boolean =>
  operation['x-answers-secret'] || operation.tags.some((tag) => SECRET.includes(tag));

const isRead = (operation: Operation): boolean => operation['x-use'] === 'read';

const isUsual = (operation: Operation): boolean =>
  isRead(operation) &&
  !isSecret(operation) &&
  !IN_OTHER_TOOLS.test(operation.path) &&
  operation.tags.some((tag) => SUBJECTS.includes(tag));

type Chosen = { allowWrites: boolean; more: readonly string[] };

/**
 * The operations that a model may call.
 * @throws Failure for an operation that the service does not have, or that is no tool
 */
export function chosenOperations(all: ReadonlyMap<string, Operation>, { allowWrites, more }: Chosen): Operation[] {
  const written = allowWrites ? WRITE.flatMap((id) => all.get(id) ?? []) : [];
  const usual = [...[...all.values()].filter(isUsual), ...written];
  const asked = more.map((id) => {
    const operation = all.get(id);
    if (!operation)
      throw usage(
        `The service has no operation ${id}${nearest(id, [...all.keys()])}`,
        'Its document /api/v1/openapi.json names all (operationId).',
      );
    if (isSecret(operation)) throw usage(`${id} is about credentials, and never a tool.`);
    if (!isRead(operation) && !allowWrites) throw usage(`${id} changes records.`, 'Add --allow-writes.');
    return operation;
  });
  return [...new Set([...usual, ...asked])];
}

/** A list with a filter needs none of the parameters that are its short form: each costs a model attention. */
const OF_FILTERED_LISTS: readonly string[] = ['filter', 'filterId', 'sort', 'ids', 'paginateFrom', 'paginateSize'];

/** The parameters of a tool: those of its operation, without headers, and its body as `body`. */
export function parametersOf({ parameters }: Operation): Operation['parameters'] {
  const shown = parameters.filter((one) => one.in === 'path' || one.in === 'query');
  const isFiltered = shown.some(({ name }) => name === 'filter');
  return isFiltered ? shown.filter(({ name }) => OF_FILTERED_LISTS.includes(name)) : shown;
}

/** A page has 20 records unless the model asks for more: 50 findings are 12,000 tokens. */
export const PAGE_SIZE = 20;

/** An operation as a tool of the Model Context Protocol. */
export function toolOf(operation: Operation, schemas: Schemas): Tool {
  const { operationId, summary, description, method, requestBody } = operation;
  const parameters = parametersOf(operation);
  const body = requestBody?.content['application/json']?.schema;
  const properties: Record<string, Schema> = Object.fromEntries(
    parameters.map(({ name, description: text, schema }) => [
      name,
      { ...schema, ...(text && { description: text }), ...(name === 'paginateSize' && { default: PAGE_SIZE }) },
    ]),
  );
  const required = [...parameters.filter((one) => one.required).map(({ name }) => name), ...(body ? ['body'] : [])];
  const inputSchema = alone(
    { type: 'object', properties: { ...properties, ...(body && { body }) }, required, additionalProperties: false },
    schemas,
  );
  return {
    name: operationId,
    // what follows the first paragraph is about roles
    description: `${summary}. ${description.split('\n\n', 1)[0]}`.trim(),
    inputSchema: { ...inputSchema, type: 'object' },
    annotations: {
      title: summary,
      readOnlyHint: isRead(operation),
      destructiveHint: method === 'DELETE',
      openWorldHint: true,
    },
  };
}
