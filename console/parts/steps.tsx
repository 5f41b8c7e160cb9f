import type { ComponentChildren } from 'preact';

export type Step = { title: string; isDone: boolean; content?: ComponentChildren };

/** A task in numbered steps: the first that is not done is the current one. */
export const Steps = ({ steps }: { steps: readonly Step[] }) => {
  const current = steps.findIndex(({ isDone }) => !isDone);
  return (
    <ol class="steps">
      {steps.map(({ title, isDone, content }, index) => (
        <li
          key={title}
          class={`step step-${isDone ? 'done' : index === current ? 'now' : 'later'}`}
          aria-current={index === current ? 'step' : undefined}
        >
          <h3>{title}</h3>
          {content}
        </li>
      ))}
    </ol>
  );
};
