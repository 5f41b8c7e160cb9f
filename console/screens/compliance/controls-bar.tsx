import { Link } from 'wouter-preact';
import type { Framework } from '../../api/types.ts';
import { ShareBar } from '../../parts/plot.tsx';
import { pageOf } from '../../shell/links.ts';
import { count } from '../../texts/amounts.ts';
import { control } from '../../texts/compliance.ts';

const STATES = ['failed', 'notAssessed', 'passed'] as const;
type State = (typeof STATES)[number];
const COLOURS = { failed: 'bad', notAssessed: 'info', passed: 'good' } as const;

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

/** The states of a framework's controls. */
export const ControlsBar = ({ framework: { controls } }: { framework: Framework }) => (
  <div class="controls-bar">
    <ShareBar
      label={STATES.map((one) => `${control.statuses[one]}: ${count(controls[one])}`).join(', ')}
      parts={(['passed', 'failed', 'notAssessed'] as const).map((one) => ({
        label: control.statuses[one],
        value: controls[one],
        colour: COLOURS[one],
      }))}
    />
  </div>
);
