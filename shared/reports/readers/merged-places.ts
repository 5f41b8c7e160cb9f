import type { ReportLocation } from '../report/report.ts';
import type { Entry } from './entries.ts';
import type { FindingDraft } from './finding.ts';

/** More problems than a web scanner knows; further problems come one by one. */
const MAX_PROBLEMS = 20_000;
/** A finding keeps some hundred places. */
const MAX_PLACES = 500;

/** One finding for the entries with the same asset and identity: the others become further places of the first. */
export async function* mergedPlaces(
  entries: AsyncIterable<Entry<FindingDraft | null>>,
): AsyncGenerator<Entry<FindingDraft>> {
  const problems = new Map<string, { value: FindingDraft; where: string }>();
  for await (const { value, ...rest } of entries) {
    if (value === null) continue;
    const key = value && JSON.stringify([value.asset, value.identity]);
    const known = key && problems.get(key);
    if (value && known)
      for (const place of [value.location, ...(value.otherLocations ?? [])]) addPlace(known.value, place);
    else if (value && key && problems.size < MAX_PROBLEMS) problems.set(key, { value, ...rest });
    else yield { ...(value && { value }), ...rest };
  }
  yield* problems.values();
}

function addPlace(draft: FindingDraft, place: ReportLocation): void {
  draft.otherLocations ??= [];
  if (draft.otherLocations.length < MAX_PLACES) draft.otherLocations.push(place);
}
