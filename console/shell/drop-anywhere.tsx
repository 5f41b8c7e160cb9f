import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { importFiles } from '../screens/imports/uploads.ts';
import { texts } from '../texts.ts';

/** Files that are dropped on any page are imported. */
export function DropAnywhere() {
  const isOver = useSignal(false);
  useEffect(() => {
    const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes('Files') ?? false;
    const onOver = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      isOver.value = true;
    };
    const onLeave = ({ relatedTarget }: DragEvent) => {
      if (relatedTarget === null) isOver.value = false;
    };
    const onDrop = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      isOver.value = false;
      importFiles([...(event.dataTransfer?.files ?? [])]);
    };
    addEventListener('dragover', onOver);
    addEventListener('dragleave', onLeave);
    addEventListener('drop', onDrop);
    return () => {
      removeEventListener('dragover', onOver);
      removeEventListener('dragleave', onLeave);
      removeEventListener('drop', onDrop);
    };
  }, []);
  return isOver.value ? <div class="drop-over">{texts.imports.dropAnywhere}</div> : null;
}
