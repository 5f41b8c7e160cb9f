import { hash } from 'node:crypto';
import { newContextBudget, spend } from '../../readers/context-budget.ts';
import { arrayOrLineEntries, readEntries } from '../../readers/entries.ts';
import type { FindingDraft } from '../../readers/finding.ts';
import type { JsonObject } from '../../readers/json.ts';
import type { OpenReport, ReportEvent } from '../../report/report.ts';
import { draftOf, extractedIn } from './match.ts';

/**
 * Nuclei's JSON lines (-jsonl, -jsonl-export) or JSON array (-json-export). It writes matches only: no targets, no end
 * mark. A file of lines that was cut exactly between two lines looks complete, so the sender must say whether the scan
 * covered its target.
 */
export async function* read(open: OpenReport): AsyncGenerator<ReportEvent> {
  yield { kind: 'tool', name: 'nuclei' };
  const extracted = await extractedOf(open);
  const draftsOf = (match: JsonObject) => {
    const draft = draftOf(match);
    return draft === undefined || Array.isArray(draft)
      ? draft
      : withExtracted(draft, extracted.get(keyOf(draft)) ?? extractedIn(match));
  };
  yield* readEntries(arrayOrLineEntries(open), draftsOf, 'the entry has no template-id or says not where it matched');
}

type Extracted = Map<string, Set<string>>;

/** A template may write a match for each text that it extracts at one place: a problem has the texts of all. */
async function extractedOf(open: OpenReport): Promise<Extracted> {
  const all: Extracted = new Map();
  const budget = newContextBudget();
  for await (const { value } of arrayOrLineEntries(open)) {
    const texts = value && extractedIn(value);
    const draft = texts?.length ? draftOf(value ?? {}) : undefined;
    if (!draft || Array.isArray(draft)) continue;
    const key = keyOf(draft);
    const known = all.get(key) ?? new Set();
    const added = (texts ?? []).filter((text) => !known.has(text) && known.size < MAX_EXTRACTED);
    if (added.length === 0) continue;
    spend(budget, 200 + 2 * added.join('').length);
    if (budget.bytes <= 0) break;
    for (const text of added) known.add(text);
    all.set(key, known);
  }
  return all;
}

/** A finding shows no more. */
const MAX_EXTRACTED = 1_000;

const keyOf = ({ asset, identity }: FindingDraft): string => hash('sha1', JSON.stringify([asset, identity]), 'base64');

function withExtracted(draft: FindingDraft, texts: Iterable<string>): FindingDraft {
  return { ...draft, evidence: [{ kind: 'text', content: [...texts].join('\n') }, ...(draft.evidence ?? [])] };
}
