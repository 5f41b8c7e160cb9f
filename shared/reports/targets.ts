import { LIMITS, type ReportAsset, type ReportEvent } from './report.ts';
import { bounded } from './text.ts';

type Covered = Extract<ReportEvent, { kind: 'covered' }>;

/** More targets than any scan has; those after them are not named, so nothing on them is taken for gone. */
const MAX_TARGETS = 200_000;
const MAX_ALIASES = 20;

/** The targets of a report, which are told once all of it was read. The worst outcome of a target counts. */
export class Targets {
  readonly #covered = new Map<string, Covered>();

  reached(target: ReportAsset, aliases: readonly (string | undefined)[] = []): void {
    const known = this.#covered.get(target.value);
    if (!known) this.#add(target, aliases, { outcome: 'reached' });
  }

  failed(target: ReportAsset, reason: string, outcome: 'failed' | 'down' = 'failed'): void {
    this.#covered.delete(target.value);
    this.#add(target, [], { outcome, reason: bounded(reason, LIMITS.name) });
  }

  *events(): Generator<ReportEvent> {
    yield* this.#covered.values();
  }

  #add(
    { type, value }: ReportAsset,
    aliases: readonly (string | undefined)[],
    rest: Pick<Covered, 'outcome' | 'reason'>,
  ) {
    if (this.#covered.size >= MAX_TARGETS) return;
    const target = { type, value: bounded(value, LIMITS.location) };
    const names = aliases.flatMap((alias) => (alias?.trim() ? [bounded(alias.trim(), LIMITS.name)] : []));
    const others = [...new Set(names)].filter((alias) => alias !== value).slice(0, MAX_ALIASES);
    this.#covered.set(value, { kind: 'covered', target, aliases: others, ...rest });
  }
}
