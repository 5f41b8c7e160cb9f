import { LIMITS, type ReportAsset, type ReportEvent } from '../report/report.ts';
import { bounded } from './text.ts';

type Covered = Extract<ReportEvent, { kind: 'covered' }>;

/** More targets than any scan has; further targets are not named, so none of their findings counts as gone. */
const MAX_TARGETS = 200_000;
const MAX_ALIASES = 20;

/** The targets of a report, reported after all of it was read. A failure of a target outweighs its success. */
export class Targets {
  readonly #covered = new Map<string, Covered>();

  reached(target: ReportAsset, names: readonly (string | undefined)[] = []): void {
    const { aliases } = this.#covered.get(target.value) ?? this.#add(target, { outcome: 'reached' });
    for (const name of names) {
      const alias = name?.trim() && bounded(name.trim(), LIMITS.name);
      if (alias && alias !== target.value && aliases.length < MAX_ALIASES && !aliases.includes(alias))
        aliases.push(alias);
    }
  }

  failed(target: ReportAsset, reason: string): void {
    this.#add(target, { outcome: 'failed', reason: bounded(reason, LIMITS.name) });
  }

  *events(): Generator<ReportEvent> {
    yield* this.#covered.values();
  }

  #add({ type, value }: ReportAsset, rest: Pick<Covered, 'outcome' | 'reason'>): Covered {
    const covered: Covered = {
      kind: 'covered',
      target: { type, value: bounded(value, LIMITS.location) },
      aliases: [],
      ...rest,
    };
    if (this.#covered.size < MAX_TARGETS) this.#covered.set(value, covered);
    return covered;
  }
}
