import { type ContextBudget, newContextBudget, spend } from '../../readers/context-budget.ts';
import type { FindingDraft } from '../../readers/finding.ts';
import { fieldAt, indexAt, type JsonObject, listAt, textAt, textsAt } from '../../readers/json.ts';
import { packageProblem } from '../../readers/package-problem.ts';
import { purlOf } from '../../readers/purl.ts';
import { findCwes, pathInTree } from '../../readers/text.ts';
import type { Severity } from '../../report/report.ts';

/** How close the vulnerable code is, with the level that the tool writes into its SARIF. */
const REACHES = [
  { word: 'required', level: 'note', severity: 'low' },
  { word: 'imported', level: 'warning', severity: 'medium' },
  { word: 'called', level: 'error', severity: 'high' },
] as const satisfies { word: string; level: string; severity: Severity }[];

/** A vulnerability in a module: the farthest that any message of it reaches, and by which trace. */
type Problem = { id: string; module: string; reach: number; trace: unknown[]; fixed?: string; packages: Set<string> };

type Scan = {
  /** A message that only this tool writes was seen. */
  isKnown: boolean;
  version?: string;
  problems: Map<string, Problem>;
  records: Map<string, JsonObject>;
  budget: ContextBudget;
};

export const newScan = (): Scan => ({
  isKnown: false,
  problems: new Map(),
  records: new Map(),
  budget: newContextBudget(),
});

/** False for an unusable finding. Other messages report progress or list the modules. */
export function addMessage(scan: Scan, message: JsonObject): boolean {
  if (fieldAt(message, 'config') !== undefined) {
    scan.isKnown = true;
    scan.version = textAt(message, 'config', 'scanner_version');
  }
  addRecord(scan, fieldAt(message, 'osv'));
  return fieldAt(message, 'finding') === undefined || addFinding(scan, fieldAt(message, 'finding'));
}

/** Newer versions write the records of all modules, also of unaffected versions. */
function addRecord({ records, budget }: Scan, record: unknown): void {
  const id = textAt(record, 'id');
  if (!id) return;
  const kept = {
    summary: textAt(record, 'summary'),
    details: textAt(record, 'details'),
    aliases: textsAt(record, 'aliases'),
    cwes: findCwes(...textsAt(record, 'database_specific', 'cwe_ids')),
    references: [
      ...textsAt(record, 'database_specific', 'url'),
      ...listAt(record, 'references').flatMap((reference) => textsAt(reference, 'url')),
    ],
  };
  spend(budget, 2 * JSON.stringify(kept).length);
  records.set(id, kept);
}

function addFinding({ problems, budget }: Scan, finding: unknown): boolean {
  const [id, module] = [textAt(finding, 'osv'), textAt(finding, 'trace', 0, 'module')];
  if (!id || !module) return false;
  const trace = listAt(finding, 'trace').slice(0, MAX_FRAMES);
  const reach = textAt(trace[0], 'function') ? 2 : textAt(trace[0], 'package') ? 1 : 0;
  const key = JSON.stringify([id, module]);
  const problem = problems.get(key) ?? { id, module, reach: -1, trace: [], packages: new Set() };
  if (!problems.has(key)) spend(budget, 1000);
  problems.set(key, problem);
  problem.fixed ??= textAt(finding, 'fixed_version');
  for (const name of textsAt(trace[0], 'package')) if (problem.packages.size < MAX_PACKAGES) problem.packages.add(name);
  if (reach > problem.reach) {
    spend(budget, 2 * JSON.stringify(trace).length);
    Object.assign(problem, { reach, trace });
  }
  return true;
}

const MAX_FRAMES = 50;
const MAX_PACKAGES = 20;

export function draftOf({ records }: Scan, { id, module, reach, trace, fixed, packages }: Problem): FindingDraft {
  const record = records.get(id);
  const version = textAt(trace[0], 'version');
  const { word, level, severity } = REACHES[reach] ?? REACHES[0];
  const problem = packageProblem({
    id,
    aliases: textsAt(record, 'aliases'),
    summary: textAt(record, 'summary'),
    component: {
      name: module,
      version,
      purl: purlOf('golang', { name: module, version }),
      fixedVersions: fixed ? [fixed] : [],
    },
    place: '',
  });
  return {
    ...problem,
    severity,
    toolSeverity: level,
    description: textAt(record, 'details'),
    cwes: textsAt(record, 'cwes'),
    asset: null,
    location: placeOf(trace),
    evidence: [
      { kind: 'text', content: [...packages].join('\n') },
      { kind: 'text', content: reach === 2 ? [...trace].reverse().map(printed).join('\n') : '' },
    ],
    references: textsAt(record, 'references'),
    tags: [word, ...problem.tags],
  };
}

/** The trace begins in the vulnerable module and ends in the code that was scanned. */
function placeOf(trace: readonly unknown[]): FindingDraft['location'] {
  const own = trace.length > 1 ? trace.at(-1) : undefined;
  const file = textAt(own, 'position', 'filename');
  return file ? { path: pathInTree(file), line: indexAt(own, 'position', 'line') } : {};
}

function printed(frame: unknown): string {
  const name = [textAt(frame, 'package'), textAt(frame, 'receiver'), textAt(frame, 'function')].filter((part) => part);
  const line = indexAt(frame, 'position', 'line');
  return `${name.join('.')} ${textAt(frame, 'position', 'filename') ?? ''}${line ? `:${line}` : ''}`.trim();
}
