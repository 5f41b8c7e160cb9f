import { useRef } from 'preact/hooks';
import { Link, useLocation } from 'wouter-preact';
import { percentOf } from '../../parts/format.ts';
import { Icon } from '../../parts/icon.tsx';
import { filtered } from '../../shell/links.ts';
import { texts } from '../../texts.ts';
import { Earlier } from './earlier.tsx';
import { Tasks } from './tasks.tsx';
import { importFiles, target, type Upload, uploads } from './uploads.ts';

const words = texts.imports;

/** The page for reports: drop, progress, and what came of it. */
export const Imports = () => (
  <div class="page">
    <h1>{words.title}</h1>
    <p class="soft">{words.lead}</p>
    <DropZone />
    <TargetField />
    {uploads.value.length > 0 && (
      <ul class="uploads" aria-live="polite">
        {uploads.value.map((upload) => (
          <UploadLine key={upload.key} upload={upload} />
        ))}
      </ul>
    )}
    <Tasks />
    <Earlier />
  </div>
);

/** Files are chosen here, or dropped anywhere. */
export function DropZone() {
  const input = useRef<HTMLInputElement>(null);
  const [, go] = useLocation();
  return (
    <div class="drop-zone">
      <Icon name="imports" />
      <strong>{words.dropHere}</strong>
      <span class="soft">{words.formats}</span>
      <button type="button" class="button main" onClick={() => input.current?.click()}>
        {words.choose}
      </button>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label={words.choose}
        onChange={({ currentTarget }) => {
          importFiles([...(currentTarget.files ?? [])]);
          go('/imports');
          currentTarget.value = '';
        }}
      />
    </div>
  );
}

/** Only a scan of a known target proves that a finding is gone. */
const TargetField = () => (
  <label class="target">
    <span>{words.target}</span>
    <input
      value={target.value}
      maxLength={2048}
      spellcheck={false}
      placeholder={words.targetHint}
      onInput={({ currentTarget }) => {
        target.value = currentTarget.value;
      }}
    />
  </label>
);

const UploadLine = ({ upload }: { upload: Upload }) => {
  const { name, state, sent, format, warnings = [], outcome, error, taskId } = upload;
  return (
    <li class={`upload upload-${state}`}>
      <div class="upload-main">
        <strong class="cut">{name}</strong>
        {format && <span class="tag">{words.recognised(format)}</span>}
        <span class="upload-state">
          {outcome ? words.done(outcome.created, outcome.known, outcome.closed) : stateOf(upload)}
        </span>
      </div>
      {error && <p class="overdue">{error}</p>}
      {warnings.map((warning) => (
        <p key={warning} class="soft small">
          {warning}
        </p>
      ))}
      {outcome && taskId && outcome.created > 0 && (
        <Link href={filtered('/findings', `task:${taskId}`)} class="button">
          {words.show(outcome.created)}
        </Link>
      )}
      {!outcome && !error && <progress aria-label={name} value={state === 'sending' ? sent : undefined} />}
    </li>
  );
};

const stateOf = ({ state, sent, progress }: Upload): string => {
  if (state === 'failed') return words.failed;
  if (state === 'running') return progress ?? words.queued;
  if (state === 'reading') return words.reading;
  if (state === 'sending') return sent === undefined ? words.sending : words.sent(percentOf(sent));
  return words.queued;
};

export const parts = { List: Imports };
