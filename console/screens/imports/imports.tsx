import { useRef } from 'preact/hooks';
import { Link, useLocation } from 'wouter-preact';
import { answerOf, asTyped, client } from '../../api/client.ts';
import { question, refusedBy } from '../../api/question.ts';
import { agoOf } from '../../parts/format.ts';
import { Icon } from '../../parts/icon.tsx';
import { Failed, Loading } from '../../parts/states.tsx';
import { notify } from '../../parts/toasts.tsx';
import { filtered } from '../../shell/links.ts';
import { texts } from '../../texts.ts';
import { importFiles, target, type Upload, undoImport, uploads } from './uploads.ts';

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
  const { name, state, progress, format, warnings = [], outcome, error, taskId } = upload;
  return (
    <li class={`upload upload-${state}`}>
      <div class="upload-main">
        <strong class="cut">{name}</strong>
        {format && <span class="tag">{words.recognised(format)}</span>}
        <span class="upload-state">
          {outcome ? words.done(outcome.created, outcome.known, outcome.closed) : stateOf(state, progress)}
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
      {!outcome && !error && <progress aria-label={name} />}
    </li>
  );
};

const stateOf = (state: Upload['state'], progress: string | undefined): string => {
  if (state === 'failed') return words.failed;
  if (state === 'running') return progress ?? words.queued;
  if (state === 'reading') return words.reading;
  return state === 'sending' ? words.sending : words.queued;
};

const useImports = question((search: string) => answerOf(client.GET('/api/v1/findings/imports', asTyped(search))));

function Earlier() {
  const { data, error, ask } = useImports('paginateSize=25');
  const undo = (taskId: string) => {
    undoImport(taskId).then(
      () => notify(words.undone),
      (refused: unknown) => notify(refusedBy(refused).message, { isError: true }),
    );
  };
  return (
    <section>
      <h2>{words.earlier}</h2>
      {error && <Failed error={error} again={ask} />}
      {!data && !error && <Loading />}
      {data?.totalCount === 0 && <p class="soft">{words.none}</p>}
      <ul class="lines">
        {data?.data.map((one) => (
          <li key={one.id} class="line">
            <span class="tag">{one.format}</span>
            <span class="cut">{words.from(one.tools.join(', '), one.target?.value)}</span>
            <span class="soft">
              {one.error
                ? one.error.message
                : words.done(one.counts.created, one.counts.updated + one.counts.unchanged, one.counts.closed)}
            </span>
            <span class="soft small">{agoOf(one.receivedAt)}</span>
            {one.status === 'undone' && <span class="tag">{words.undone}</span>}
            {one.links.undo && one.status !== 'undone' && (
              <button type="button" class="link" onClick={() => undo(one.taskId)}>
                {words.undo}
              </button>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
