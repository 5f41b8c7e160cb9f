import { Link } from 'wouter-preact';
import type { Severity } from '../../api/types.ts';
import { SEVERITIES } from '../../parts/marks.tsx';
import { pageOf } from '../../shell/links.ts';
import { count } from '../../texts/amounts.ts';
import { texts } from '../../texts.ts';

type OpenProps = {
  counts: Partial<Record<Severity, number>>;
  /** The lists of the record, and the name of these counts in them: then each count opens its list. */
  lists?: Readonly<Record<string, string>> | undefined;
  name?: 'openFindings' | 'openBySeverity';
};

/** Open findings or vulnerabilities, worst first; severities without any are left out. */
export const OpenCounts = ({ counts, lists, name = 'openFindings' }: OpenProps) => {
  const some = SEVERITIES.flatMap((severity) => (counts[severity] ? { severity, amount: counts[severity] } : []));
  if (some.length === 0) return <span class="soft">–</span>;
  return (
    <span class="open-counts">
      {some.map(({ severity, amount }) => {
        const list = pageOf(lists?.[`${name}.${severity}`]);
        const look = `severity severity-${severity}`;
        const shown = (
          <>
            <i aria-hidden="true" />
            {count(amount)}
            <span class="unseen"> {texts.severities[severity]}</span>
          </>
        );
        return list ? (
          <Link key={severity} href={list} class={look}>
            {shown}
          </Link>
        ) : (
          <span key={severity} class={look}>
            {shown}
          </span>
        );
      })}
    </span>
  );
};
