import type * as z from 'zod';
import { workers } from '#functions/workers/contract.ts';
import { results as codeScanResults } from '#shared/code/code-scans/results.ts';
import type { Results } from '#shared/platform/jobs/results.ts';
import { results as machineResults } from '#shared/scanning/leases/results.ts';
import type { ApiDocument } from './tidy.ts';

/** The declared results of all operations that leave a task. */
export const declaredResults: Results = Object.assign(
  {},
  machineResults,
  codeScanResults,
  ...workers.map(({ results }) => results),
);

/** The operations of each result, by the name of its schema. */
const operationsOf = Map.groupBy(Object.keys(declaredResults), (operation) => nameOf(resultOf(operation)));

function resultOf(operation: string): z.ZodType {
  const result = declaredResults[operation as keyof Results];
  if (!result) throw new Error(`${operation} has no result`);
  return result;
}

function nameOf(result: z.ZodType): string {
  const { id } = result.meta() ?? {};
  if (id === undefined) throw new Error('a result of an operation has no name');
  return id;
}

/** The schemas of the results, for the components of the document. */
export const schemasOfResults = Object.fromEntries(
  Object.keys(declaredResults).map((operation) => [nameOf(resultOf(operation)), resultOf(operation)]),
);

type Properties = Record<string, object>;
type Schema = { properties?: Properties };

const refTo = (name: string) => `#/components/schemas/${name}`;

/** Makes the task a union: the operation of a task shows a generated client the type of its result. */
export function withResults(document: ApiDocument): ApiDocument {
  const { Task, ...schemas } = { ...document.components?.schemas };
  const { properties, ...task } = Task as Schema & object;
  const variants = [...operationsOf].map(([name, operations]) => {
    const typed = { operation: { type: 'string', enum: operations }, result: { $ref: refTo(name) } };
    return {
      name: `${name.replace(/Result$/, '')}Task`,
      operations,
      schema: { ...task, properties: { ...properties, ...typed } },
    };
  });
  const mapping = variants.flatMap(({ name, operations }) => operations.map((operation) => [operation, refTo(name)]));
  const anyTask = {
    description: 'A queued operation with its progress; `operation` names the type of its `result`.',
    oneOf: variants.map(({ name }) => ({ $ref: refTo(name) })),
    discriminator: { propertyName: 'operation', mapping: Object.fromEntries(mapping) },
  };
  const named = Object.fromEntries(variants.map(({ name, schema }) => [name, schema]));
  const all = { ...schemas, Task: anyTask, ...named } as typeof schemas;
  return { ...document, components: { ...document.components, schemas: all } };
}
