import { Link } from 'wouter-preact';
import type { Framework } from '../../api/types.ts';
import { pageOf } from '../../shell/links.ts';
import { count } from '../../texts/amounts.ts';
import { control } from '../../texts/compliance.ts';

const STATES = ['failed', 'notAssessed', 'passed'] as const;
type State = (typeof STATES)[number];

type CountProps = { of: State | 'exceptionsOnly'; framework: Framework };

/** A number of controls that opens them. */
export const ControlCount = ({ of, framework: { controls, exceptionsOnly, links } }: CountProps) => {
  const [amount, list] =
    of === 'exceptionsOnly' ? [exceptionsOnly, links.list[of]] : [controls[of], links.list[`controls.${of}`]];
  const page = pageOf(list);
  if (amount === 0 || !page) return <span class="soft">{count(amount)}</span>;
  return (
    <Link href={page} class={of === 'failed' ? 'overdue' : 'strong'}>
      {count(amount)}
    </Link>
  );
};

/** The states of a framework's controls: the widths are their parts. */
export const ControlsBar = ({ framework: { controls } }: { framework: Framework }) => (
  <div
    class="bar controls-bar"
    role="img"
    aria-label={STATES.map((one) => `${control.statuses[one]}: ${count(controls[one])}`).join(', ')}
  >
    {(['passed', 'failed', 'notAssessed'] as const)
      .filter((one) => controls[one] > 0)
      .map((one) => (
        <i
          key={one}
          class={`fill-${one}`}
          title={`${control.statuses[one]}: ${count(controls[one])}`}
          style={{ width: `${(100 * controls[one]) / Math.max(1, controls.total)}%` }}
        />
      ))}
  </div>
);
