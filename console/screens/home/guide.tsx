import { Link } from 'wouter-preact';
import { Dialog } from '../../parts/dialog.tsx';
import { type Step, Steps } from '../../parts/steps.tsx';
import { guides as words } from '../../texts/guides.ts';
import { texts } from '../../texts.ts';

type GuideProps = {
  title: string;
  steps: readonly Step[];
  /** The page that shows what the guide made. */
  page: { href: string; label: string };
  close: () => void;
};

/** A dialog that leads through a task in steps. */
export const Guide = ({ title, steps, page, close }: GuideProps) => {
  const isDone = steps.every((step) => step.isDone);
  const isBegun = steps.some((step) => step.isDone);
  return (
    <Dialog kind="dialog" title={title} close={close}>
      <Steps steps={steps} />
      <div class="dialog-foot">
        {isDone && (
          <Link href={page.href} class="button" onClick={close}>
            {page.label}
          </Link>
        )}
        <button type="button" class={`button${isDone ? ' main' : ''}`} onClick={close}>
          {isDone ? words.done : isBegun ? words.later : texts.cancel}
        </button>
      </div>
    </Dialog>
  );
};

type AwaitedProps = { isThere: boolean; waiting: string; works: string };

/** The last step of a guide: whether the other side has answered. */
export const Awaited = ({ isThere, waiting, works }: AwaitedProps) => (
  <p role="status" class={isThere ? 'good' : 'soft waiting'}>
    {isThere ? works : waiting}
  </p>
);
