import { Link } from 'wouter-preact';
import type { Overview } from '../../api/types.ts';
import { SEVERITIES } from '../../parts/marks.tsx';
import { pageOf } from '../../shell/links.ts';
import { count } from '../../texts/amounts.ts';
import { texts } from '../../texts.ts';
import type { Counted } from './counted.ts';

const words = texts.home;

type FigureProps = { amount: number | undefined; label: string; list: string | undefined; isBad?: boolean };

/** A number that opens the list of exactly the counted records. */
const Figure = ({ amount = 0, label, list, isBad }: FigureProps) => {
  const page = pageOf(list);
  const content = (
    <>
      <b class={isBad && amount > 0 ? 'overdue' : ''}>{count(amount)}</b>
      <span>{label}</span>
    </>
  );
  return page ? (
    <Link href={page} class="figure">
      {content}
    </Link>
  ) : (
    <div class="figure">{content}</div>
  );
};

export const Figures = ({ overview: { findings, vulnerabilities, assets } }: { overview: Counted }) => {
  const [found, known, owned] = [findings, vulnerabilities, assets].map((part) => part?.links.list);
  const { figures } = words;
  return (
    <section class="figures" aria-label={figures.label}>
      <Figure amount={findings.open} label={figures.open} list={found?.open} />
      <Figure amount={findings.overdue} label={figures.overdue} list={found?.overdue} isBad />
      <Figure amount={vulnerabilities.kevOpen} label={figures.kev} list={known?.kevOpen} isBad />
      <Figure
        amount={vulnerabilities.epssOver10PercentOpen}
        label={figures.likely}
        list={known?.epssOver10PercentOpen}
      />
      <Figure amount={findings.opened7d} label={figures.opened} list={found?.opened7d} />
      <Figure amount={findings.fixed7d} label={figures.fixed} list={found?.fixed7d} />
      {assets && <Figure amount={assets.internetExposed} label={figures.exposed} list={owned?.internetExposed} />}
      {assets && <Figure amount={assets.unowned} label={figures.unowned} list={owned?.unowned} />}
    </section>
  );
};

/** The open findings by severity: the widths are their parts, and each number opens its list. */
export const SeverityBar = ({ findings: { openBySeverity, open, links } }: Pick<Overview, 'findings'>) => {
  const parts = SEVERITIES.map((severity) => ({
    severity,
    amount: openBySeverity[severity] ?? 0,
    page: pageOf(links.list[`openBySeverity.${severity}`]) ?? '/findings',
  }));
  return (
    <section class="severity-bar">
      <h2>{words.bySeverity}</h2>
      <div class="bar" aria-hidden="true">
        {parts.map(({ severity, amount }) => (
          <i key={severity} class={`fill-${severity}`} style={{ width: `${(100 * amount) / Math.max(1, open)}%` }} />
        ))}
      </div>
      <div class="legend">
        {parts.map(({ severity, amount, page }) => (
          <Link key={severity} href={page} class={`severity severity-${severity}`}>
            <i aria-hidden="true" />
            {texts.severities[severity]} <b>{count(amount)}</b>
          </Link>
        ))}
      </div>
    </section>
  );
};
