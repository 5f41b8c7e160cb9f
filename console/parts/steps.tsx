import type { ComponentChildren } from 'preact';

export type Step = {
  title: string;
  state: 'done' | 'now' | 'later';
  /** A step that is done keeps its content, so that its values can be read again. */
  content?: ComponentChildren;
};

/** A task in numbered steps. */
export const Steps = ({ steps }: { steps: readonly Step[] }) => (
  <ol class="steps">
    {steps.map(({ title, state, content }) => (
      <li key={title} class={`step step-${state}`} aria-current={state === 'now' ? 'step' : undefined}>
        <h3>{title}</h3>
        {content}
      </li>
    ))}
  </ol>
);

/** The states of steps of which some are done: the next one is the current one. */
export const stateAt = (done: number, index: number): Step['state'] =>
  index < done ? 'done' : index === done ? 'now' : 'later';
