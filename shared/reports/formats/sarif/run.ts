import { withoutTrailing } from '#shared/platform/runtime/texts.ts';
import { type ContextBudget, spend } from '../../readers/context-budget.ts';
import { fieldAt, indexAt, isObject, listAt, textAt, textsAt } from '../../readers/json.ts';
import type { JsonValue } from '../../readers/json-stream.ts';
import { parseValue } from '../../readers/json-stream.ts';
import { isGivenUp } from '../../readers/semgrep.ts';
import { bounded, cleanPath, pathOfFileUri } from '../../readers/text.ts';
import { LIMITS, ReportError } from '../../report/report.ts';
import { Rule } from './rule.ts';

/** The context of one SARIF run, to which its results refer. Tools write it before or after the results. */
export type Run = {
  tool: { name: string; version?: string; category?: string };
  /** Absent or null results mean that the tool failed to compute them (SARIF 2.1.0, 3.14.23). */
  hasResults: boolean;
  /** The results are in files beside the report (3.15), which nobody sent. */
  hasResultsElsewhere: boolean;
  failures: string[];
  driver: Component;
  extensions: Component[];
  taxonomies: string[];
  artifacts: ArtifactLocation[];
  bases: Map<string, ArtifactLocation>;
  /** Absolute directories of the scanning machine, with a slash at the end; paths below them become relative. */
  roots: string[];
  /** Lists of the run whose entries results name by index: steps of data flows, names, requests and responses. */
  flowSteps: unknown[];
  logicalLocations: (string | undefined)[];
  webRequests: unknown[];
  webResponses: unknown[];
  overrides: LevelOverride[];
  repository?: string;
  commit?: string;
  image?: string;
};
type Component = { name?: string; guid?: string; rules: Rule[]; byId: Map<string, Rule>; messages: unknown };
/** A level that an invocation gives to a rule (3.20.5), by the invocation's index. */
type LevelOverride = { invocation: number; descriptor: unknown; level: string };
type ArtifactLocation = { uri?: string; uriBaseId?: string };

const newComponent = (): Component => ({ rules: [], byId: new Map(), messages: undefined });

export function newRun(): Run {
  return {
    tool: { name: 'unknown' },
    hasResults: false,
    hasResultsElsewhere: false,
    failures: [],
    driver: newComponent(),
    extensions: [],
    taxonomies: [],
    artifacts: [],
    bases: new Map(),
    roots: [],
    flowSteps: [],
    logicalLocations: [],
    webRequests: [],
    webResponses: [],
    overrides: [],
  };
}

/** The parts whose entries take memory until the end; artifacts and rules are charged by their size. */
const KEPT = new Set<unknown>(['tool', 'taxonomies', 'originalUriBaseIds']);

/** Adds one value below `runs[i]`; `path` starts behind the run's index. */
export function addToRun(run: Run, value: JsonValue, budget: ContextBudget): void {
  const [part, key] = value.path.slice(2);
  if (part === 'results') {
    if (value.opens === 'array') run.hasResults = true;
    return;
  }
  if (value.opens) return;
  const content = parseValue(value);
  if (KEPT.has(part)) spend(budget, 500);
  if (part === 'tool') addToTool(run, value.path.slice(3), { content, budget });
  else if (part === 'artifacts') addArtifact(run, content, budget);
  else if (part === 'taxonomies') run.taxonomies.push(short(content, 'name') ?? '');
  else if (part === 'originalUriBaseIds') addBase(run, String(key), content);
  else if (part === 'versionControlProvenance') addProvenance(run, content);
  else if (part === 'invocations') {
    addInvocation(run, content);
    addOverrides(run, content, { invocation: Number(key), budget });
  } else if (typeof key === 'number' && isNamedByIndex(part)) addNamed(run, part, { key, content, budget });
  else if (part === 'automationDetails' && key === 'id') addCategory(run, short(content));
  else if (part === 'externalPropertyFileReferences' && key === 'results')
    run.hasResultsElsewhere = listAt(content).length > 0;
  else if (part === 'properties' && key === 'imageName') run.image = short(content);
}

function addToTool(
  run: Run,
  path: JsonValue['path'],
  { content, budget }: { content: unknown; budget: ContextBudget },
): void {
  if (path[0] === 'driver') addToComponent(run.driver, path.slice(1), { content, budget });
  if (path[0] === 'driver' && path[1] === 'name') run.tool.name = short(content) ?? run.tool.name;
  if (path[0] === 'driver' && path[1] === 'semanticVersion') run.tool.version = short(content);
  if (path[0] === 'driver' && path[1] === 'version') run.tool.version ??= short(content);
  if (path[0] !== 'extensions' || typeof path[1] !== 'number') return;
  if (path[1] >= MAX_EXTENSIONS) throw tooManyExtensions();
  const extension = run.extensions[path[1]] ?? newComponent();
  run.extensions[path[1]] = extension;
  addToComponent(extension, path.slice(2), { content, budget });
}

/** Each result's rule is searched in all of them; CodeQL names about ten. */
const MAX_EXTENSIONS = 200;

const tooManyExtensions = (): ReportError =>
  new ReportError(
    'too_large',
    `A run of the SARIF names over ${MAX_EXTENSIONS} extensions of its tool: split it by run.`,
  );

function addToComponent(
  component: Component,
  [key, index]: JsonValue['path'],
  { content, budget }: { content: unknown; budget: ContextBudget },
): void {
  if (key === 'name') component.name = short(content);
  else if (key === 'guid') component.guid = short(content);
  else if (key === 'globalMessageStrings') {
    spend(budget, JSON.stringify(content).length * 2);
    component.messages = content;
  } else if (key === 'rules' && typeof index === 'number') {
    const rule = Rule(content, budget);
    component.rules[index] = rule;
    if (!component.byId.has(rule.id)) component.byId.set(rule.id, rule);
  }
}

/**
 * A report names each file once; when its share is used up, results must contain their paths themselves, as most do.
 */
function addArtifact(run: Run, content: unknown, budget: ContextBudget): void {
  if (budget.bytes < 0) return;
  const place = { uri: short(content, 'location', 'uri'), uriBaseId: short(content, 'location', 'uriBaseId') };
  spend(budget, 100 + (place.uri?.length ?? 0));
  run.artifacts.push(place);
}

function addBase(run: Run, name: string, content: unknown): void {
  const base = { uri: short(content, 'uri'), uriBaseId: short(content, 'uriBaseId') };
  run.bases.set(name, base);
  if (base.uri) addRoot(run, base.uri);
}

/** All of the id but its last part, which names the single run (3.17.3); without a slash there is no category. */
function addCategory(run: Run, id: string | undefined): void {
  const category = id?.slice(0, Math.max(id.lastIndexOf('/'), 0));
  if (category) run.tool.category = bounded(category, LIMITS.tag);
}

function addProvenance(run: Run, content: unknown): void {
  run.repository ??= short(content, 'repositoryUri');
  run.commit ??= short(content, 'revisionId');
}

function addInvocation(run: Run, content: unknown): void {
  const directory = short(content, 'workingDirectory', 'uri');
  if (directory) addRoot(run, directory);
  if (!isObject(content) || run.failures.length >= MAX_FAILURES) return;
  const serious = NOTIFICATIONS.flatMap((list) => listAt(content, list)).filter(isSerious);
  if (content.executionSuccessful !== false && serious.length === 0) return;
  const [said] = [...serious, ...listAt(content, NOTIFICATIONS[0])].flatMap((one) => messageOf(one) ?? []);
  const reason = short(content, 'exitCodeDescription') ?? said;
  run.failures.push(reason ?? 'the tool reports that it did not finish successfully');
}

const NOTIFICATIONS = ['toolExecutionNotifications', 'toolConfigurationNotifications'] as const;

/** An error halted the analysis, or made its results incorrect or incomplete (3.58.6); after it a tool may still end well. */
const isSerious = (notification: unknown): boolean =>
  textAt(notification, 'level') === 'error' || isGivenUp(textAt(notification, 'descriptor', 'id'));

const messageOf = (notification: unknown): string | undefined => short(notification, 'message', 'text');

const MAX_FAILURES = 20;
const MAX_ROOTS = 50;

/** An absolute directory of the machine that scanned, as a URI or, from some tools, as its path. */
export const isDirectory = (uri: string): boolean => /^(?:file:|\/|[a-z]:[\\/])/i.test(uri);

/** Each result's path is compared with all of them. */
function addRoot(run: Run, uri: string): void {
  if (!isDirectory(uri)) return;
  const path = /^file:/i.test(uri) ? pathOfFileUri(uri) : uri;
  const root = `${withoutTrailing('/', cleanPath(path))}/`;
  if (root !== '/' && run.roots.length < MAX_ROOTS && !run.roots.includes(root)) run.roots.push(root);
}

function addOverrides(
  run: Run,
  content: unknown,
  { invocation, budget }: { invocation: number; budget: ContextBudget },
): void {
  for (const override of listAt(content, 'ruleConfigurationOverrides')) {
    const level = short(override, 'configuration', 'level');
    const descriptor = fieldAt(override, 'descriptor');
    if (!level || !descriptor) continue;
    spend(budget, 500 + JSON.stringify(descriptor).length);
    run.overrides.push({ invocation, descriptor, level });
  }
}

const NAMED_BY_INDEX = ['threadFlowLocations', 'logicalLocations', 'webRequests', 'webResponses'] as const;
type NamedByIndex = (typeof NAMED_BY_INDEX)[number];
const isNamedByIndex = (part: unknown): part is NamedByIndex => NAMED_BY_INDEX.some((one) => one === part);

/** Keeps an object that results name by its index; when the budget is used up, results must contain the object themselves. */
function addNamed(
  run: Run,
  part: NamedByIndex,
  { key, content, budget }: { key: number; content: unknown; budget: ContextBudget },
): void {
  if (budget.bytes < 0) return;
  if (part === 'logicalLocations') {
    const name = short(content, 'fullyQualifiedName') ?? short(content, 'name');
    spend(budget, 100 + (name?.length ?? 0));
    run.logicalLocations[key] = name;
    return;
  }
  const kept = part === 'threadFlowLocations' ? fieldAt(content, 'location') : content;
  spend(budget, 100 + 2 * JSON.stringify(kept ?? null).length);
  const list = part === 'threadFlowLocations' ? run.flowSteps : run[part];
  list[key] = kept;
}

/** The object itself, or the entry of the run's list that it names by its index. */
export const entryOf = (list: readonly unknown[], named: unknown): unknown =>
  list[indexAt(named, 'index') ?? -1] ?? named;

function short(content: unknown, ...path: (string | number)[]): string | undefined {
  const text = textAt(content, ...path);
  return text === undefined ? undefined : bounded(text, LIMITS.location);
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

/** CWE ids of the taxa that a rule's relationships or a result name; a taxon has only `79` and its taxonomy. */
export function taxaOf(run: Run, references: unknown[]): string[] {
  return references.flatMap((reference) => {
    const id = textAt(reference, 'id') ?? '';
    const index = indexAt(reference, 'toolComponent', 'index');
    const taxonomy = textAt(reference, 'toolComponent', 'name') ?? (index === undefined ? '' : run.taxonomies[index]);
    return /^cwe$/i.test(taxonomy ?? '') && /^\d+$/.test(id) ? [`CWE-${id}`] : [id];
  });
}
