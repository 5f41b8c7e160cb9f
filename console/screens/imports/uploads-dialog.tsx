import { Link, useLocation } from 'wouter-preact';
import { Dialog } from '../../parts/dialog.tsx';
import { filtered } from '../../shell/links.ts';
import { texts } from '../../texts.ts';
import { UploadLines } from './upload-lines.tsx';
import { areUploadsOpen, uploads } from './uploads.ts';

const words = texts.imports;

/** Reports that were dropped on any page: the person sees what comes of them, and stays where they are. */
export function UploadsDialog() {
  const [path] = useLocation();
  if (!areUploadsOpen.value || path === '/imports') return null;
  const close = () => {
    areUploadsOpen.value = false;
  };
  const created = uploads.value.filter(({ outcome }) => outcome && outcome.created > 0);
  const amount = created.reduce((sum, { outcome }) => sum + (outcome?.created ?? 0), 0);
  const waiting = uploads.value.filter(({ state }) => state !== 'done' && state !== 'failed').length;
  return (
    <Dialog kind="dialog" title={words.dialog} close={close}>
      <p class="soft" role="status">
        {waiting > 0 ? words.waiting(waiting) : words.all(amount)}
      </p>
      <UploadLines follow={close} />
      <div class="dialog-foot">
        {created.length > 1 && (
          <Link
            href={filtered('/findings', `task:${created.map(({ taskId }) => taskId).join(',')}`)}
            class="button"
            onClick={close}
          >
            {words.show(amount)}
          </Link>
        )}
        <button type="button" class="button main" onClick={close}>
          {waiting > 0 ? words.goOn : texts.close}
        </button>
      </div>
    </Dialog>
  );
}
