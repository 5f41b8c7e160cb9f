import { Link } from 'wouter-preact';
import { percentOf } from '../../parts/format.ts';
import { filtered } from '../../shell/links.ts';
import { texts } from '../../texts.ts';
import { PackOutcome } from '../detections/pack.tsx';
import { importRules, mayBeRules, type Upload, uploads } from './uploads.ts';

const words = texts.imports;

type LinesProps = {
  /** Called when the person follows a link to findings. */
  follow?: () => void;
};

/** The uploads of this page: what each is, how far it is, and what came of it. */
export const UploadLines = ({ follow }: LinesProps) => {
  if (uploads.value.length === 0) return null;
  // many reports often have the same warning
  const warnings = new Set(uploads.value.flatMap((upload) => upload.warnings ?? []));
  return (
    <div class="uploads" aria-live="polite">
      {[...warnings].map((warning) => (
        <p key={warning} class="soft small">
          {warning}
        </p>
      ))}
      <ul>
        {uploads.value.map((upload) => (
          <UploadLine key={upload.key} upload={upload} follow={follow} />
        ))}
      </ul>
    </div>
  );
};

const UploadLine = ({ upload, follow }: { upload: Upload; follow?: (() => void) | undefined }) => {
  const { file, state, sent, format, outcome, rules, error, taskId } = upload;
  return (
    <li class={`upload upload-${state}`}>
      <div class="upload-main">
        <strong class="cut">{file.name}</strong>
        {format && <span class="tag">{words.recognised(format)}</span>}
        <span class="upload-state">
          {outcome ? words.done(outcome.created, outcome.known, outcome.closed) : stateOf(upload)}
        </span>
      </div>
      {error && <p class="overdue">{error}</p>}
      {rules && <PackOutcome task={rules} />}
      {mayBeRules(upload) && (
        <button type="button" class="button" title={words.rulesHint} onClick={() => importRules(upload)}>
          {words.asRules}
        </button>
      )}
      {outcome && taskId && outcome.created > 0 && (
        <Link href={filtered('/findings', `task:${taskId}`)} class="button" onClick={follow}>
          {words.show(outcome.created)}
        </Link>
      )}
      {!outcome && state !== 'failed' && state !== 'done' && (
        <progress aria-label={file.name} value={state === 'sending' ? sent : undefined} />
      )}
    </li>
  );
};

const stateOf = ({ state, sent, progress }: Upload): string => {
  if (state === 'done') return words.rulesDone;
  if (state === 'failed') return words.failed;
  if (state === 'running') return progress ?? words.queued;
  if (state === 'reading') return words.reading;
  if (state === 'sending') return sent === undefined ? words.sending : words.sent(percentOf(sent));
  return words.queued;
};
