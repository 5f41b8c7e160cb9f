import { Link } from 'wouter-preact';
import type { Overview } from '../../api/types.ts';
import { SEVERITIES } from '../../parts/marks.tsx';
import { ShareBar } from '../../parts/plot.tsx';
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

/** The open findings by severity. Each number opens its list. */
export const SeverityBar = ({ findings: { openBySeverity, links } }: Pick<Overview, 'findings'>) => {
  const parts = SEVERITIES.map((severity) => ({
    severity,
    colour: severity,
    label: texts.severities[severity],
    value: openBySeverity[severity] ?? 0,
    page: pageOf(links.list[`openBySeverity.${severity}`]) ?? '/findings',
  }));
  return (
    <section class="severity-bar">
      <h2>{words.bySeverity}</h2>
      <ShareBar parts={parts} />
      <div class="legend">
        {parts.map(({ severity, label, value, page }) => (
          <Link key={severity} href={page} class={`severity severity-${severity}`}>
            <i aria-hidden="true" />
            {label} <b>{count(value)}</b>
          </Link>
        ))}
      </div>
    </section>
  );
};
