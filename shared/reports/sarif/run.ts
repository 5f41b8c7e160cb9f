import { indexAt, isObject, textAt, textsAt } from '../json.ts';
import type { JsonValue } from '../json-stream.ts';
import { parseValue } from '../json-stream.ts';
import { Rule, type RuleBudget } from './rule.ts';

/** What the results of one SARIF run refer to. Producers write it before or after the results, as they like. */
export type Run = {
  tool: { name: string; version?: string };
  /** Absent or null results mean that the tool failed to compute them (SARIF 2.1.0, 3.14.23). */
  hasResults: boolean;
  failures: string[];
  driver: Component;
  extensions: Component[];
  taxonomies: string[];
  artifacts: ArtifactPlace[];
  bases: Map<string, ArtifactPlace>;
  /** Absolute directories of the machine that scanned; paths below them are given relative to them. */
  roots: string[];
  repository?: string;
  commit?: string;
  image?: string;
};
export type Component = { name?: string; guid?: string; rules: Rule[]; byId: Map<string, Rule>; messages: unknown };
export type ArtifactPlace = { uri?: string; uriBaseId?: string };

/** A report names each file once; beyond this the results must carry their paths themselves, as nearly all do. */
const MAX_ARTIFACTS = 250_000;

const newComponent = (): Component => ({ rules: [], byId: new Map(), messages: undefined });

export function newRun(): Run {
  return {
    tool: { name: 'unknown' },
    hasResults: false,
    failures: [],
    driver: newComponent(),
    extensions: [],
    taxonomies: [],
    artifacts: [],
    bases: new Map(),
    roots: [],
  };
}

/** Takes in one value below `runs[i]`; `path` starts behind the run's index. */
export function addToRun(run: Run, value: JsonValue, budget: RuleBudget): void {
  const [part, key] = value.path.slice(2);
  if (part === 'results') {
    if (value.opens === 'array') run.hasResults = true;
    return;
  }
  if (value.opens) return;
  const content = parseValue(value);
  if (part === 'tool') addToTool(run, value.path.slice(3), { content, budget });
  else if (part === 'artifacts') addArtifact(run, content);
  else if (part === 'taxonomies') run.taxonomies.push(textAt(content, 'name') ?? '');
  else if (part === 'originalUriBaseIds') addBase(run, String(key), content);
  else if (part === 'versionControlProvenance') addProvenance(run, content);
  else if (part === 'invocations') addInvocation(run, content);
  else if (part === 'properties' && key === 'imageName') run.image = textAt(content);
}

function addToTool(
  run: Run,
  path: JsonValue['path'],
  { content, budget }: { content: unknown; budget: RuleBudget },
): void {
  if (path[0] === 'driver') addToComponent(run.driver, path.slice(1), { content, budget });
  if (path[0] === 'driver' && path[1] === 'name') run.tool.name = textAt(content) ?? run.tool.name;
  if (path[0] === 'driver' && path[1] === 'semanticVersion') run.tool.version = textAt(content);
  if (path[0] === 'driver' && path[1] === 'version') run.tool.version ??= textAt(content);
  if (path[0] !== 'extensions' || typeof path[1] !== 'number') return;
  const extension = run.extensions[path[1]] ?? newComponent();
  run.extensions[path[1]] = extension;
  addToComponent(extension, path.slice(2), { content, budget });
}

function addToComponent(
  component: Component,
  [key, index]: JsonValue['path'],
  { content, budget }: { content: unknown; budget: RuleBudget },
): void {
  if (key === 'name') component.name = textAt(content);
  else if (key === 'guid') component.guid = textAt(content);
  else if (key === 'globalMessageStrings') component.messages = content;
  else if (key === 'rules' && typeof index === 'number') {
    const rule = Rule(content, budget);
    component.rules[index] = rule;
    if (!component.byId.has(rule.id)) component.byId.set(rule.id, rule);
  }
}

function addArtifact(run: Run, content: unknown): void {
  if (run.artifacts.length >= MAX_ARTIFACTS) return;
  run.artifacts.push({ uri: textAt(content, 'location', 'uri'), uriBaseId: textAt(content, 'location', 'uriBaseId') });
}

function addBase(run: Run, name: string, content: unknown): void {
  const base = { uri: textAt(content, 'uri'), uriBaseId: textAt(content, 'uriBaseId') };
  run.bases.set(name, base);
  if (base.uri?.startsWith('file:') && /[^/]/.test(base.uri.slice(5))) run.roots.push(base.uri);
}

function addProvenance(run: Run, content: unknown): void {
  run.repository ??= textAt(content, 'repositoryUri');
  run.commit ??= textAt(content, 'revisionId');
}

function addInvocation(run: Run, content: unknown): void {
  const directory = textAt(content, 'workingDirectory', 'uri');
  if (directory?.startsWith('file:')) run.roots.push(directory.replace(/\/*$/, '/'));
  if (!isObject(content) || content.executionSuccessful !== false) return;
  const said =
    textAt(content, 'exitCodeDescription') ?? textAt(content, 'toolExecutionNotifications', 0, 'message', 'text');
  run.failures.push(said ?? 'the tool reports that it did not finish successfully');
}

/** The rule of a result: by component and index, else by id, else by the id without its last part (3.27.5). */
export function findRule(run: Run, result: unknown): Rule | undefined {
  const id = textAt(result, 'ruleId') ?? textAt(result, 'rule', 'id');
  const index = indexAt(result, 'ruleIndex') ?? indexAt(result, 'rule', 'index');
  const component = componentOf(run, result);
  const byIndex = index === undefined ? undefined : component.rules[index];
  if (byIndex && (id === undefined || id === byIndex.id || id.startsWith(`${byIndex.id}/`))) return byIndex;
  if (id === undefined) return undefined;
  const parent = id.includes('/') ? id.slice(0, id.lastIndexOf('/')) : id;
  for (const candidate of [component, run.driver, ...run.extensions]) {
    const rule = candidate?.byId.get(id) ?? candidate?.byId.get(parent);
    if (rule) return rule;
  }
  return undefined;
}

export function componentOf(run: Run, result: unknown): Component {
  const index = indexAt(result, 'rule', 'toolComponent', 'index');
  if (index !== undefined) return run.extensions[index] ?? run.driver;
  const names = [
    ...textsAt(result, 'rule', 'toolComponent', 'guid'),
    ...textsAt(result, 'rule', 'toolComponent', 'name'),
  ];
  const named = run.extensions.find((extension) =>
    names.some((name) => name === extension?.guid || name === extension?.name),
  );
  return named ?? run.driver;
}

/** CWE ids of the taxa that a rule's relationships or a result name; a taxon says only `79` beside its taxonomy. */
export function taxaOf(run: Run, references: unknown[]): string[] {
  return references.flatMap((reference) => {
    const id = textAt(reference, 'id') ?? '';
    const index = indexAt(reference, 'toolComponent', 'index');
    const taxonomy = textAt(reference, 'toolComponent', 'name') ?? (index === undefined ? '' : run.taxonomies[index]);
    return /^cwe$/i.test(taxonomy ?? '') && /^\d+$/.test(id) ? [`CWE-${id}`] : [id];
  });
}
