import type { Severity } from '../../api/types.ts';
import { SEVERITIES } from '../../parts/marks.tsx';
import { count } from '../../texts/amounts.ts';
import { texts } from '../../texts.ts';

/** The open findings of an asset, worst first; severities without any are left out. */
export const OpenCounts = ({ counts }: { counts: Partial<Record<Severity, number>> }) => {
  const some = SEVERITIES.flatMap((severity) => (counts[severity] ? { severity, amount: counts[severity] } : []));
  if (some.length === 0) return <span class="soft">–</span>;
  return (
    <span class="open-counts">
      {some.map(({ severity, amount }) => (
        <span key={severity} class={`severity severity-${severity}`}>
          <i aria-hidden="true" />
          {count(amount)}
          <span class="unseen"> {texts.severities[severity]}</span>
        </span>
      ))}
    </span>
  );
};
