/** Accepts files that are dropped anywhere on the console, and shows a hint while a file is dragged over it. */
import { Upload } from 'lucide-preact';
import { useEffect, useState } from 'preact/hooks';
import { useBridge, type Bridge } from '../bridge/bridge.ts';
import { handleDrop } from '../call/input/file-source.ts';
import { showToast } from '../parts/toasts.tsx';
import { t } from '../texts/text.ts';
import { messageOf } from '../../main/failure/failure.ts';

export function DropArea() {
  const bridge = useBridge();
  const [isDragging, setDragging] = useState(false);
  useEffect(() => listenForDrops(bridge, setDragging), [bridge]);
  if (!isDragging) return null;
  return (
    <div class="drop-over">
      <div class="drop-over-text">
        <Upload size={32} strokeWidth={1.5} aria-hidden="true" />
        <p>{t('input.drop.here')}</p>
      </div>
    </div>
  );
}

function listenForDrops(bridge: Bridge, setDragging: (isDragging: boolean) => void): () => void {
  const onOver = (event: DragEvent) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    setDragging(true);
  };
  const onLeave = (event: DragEvent) => {
    // relatedTarget is null only when the pointer leaves the page.
    if (event.relatedTarget === null) setDragging(false);
  };
  const onDrop = (event: DragEvent) => {
    setDragging(false);
    if (!hasFiles(event) || event.dataTransfer === null) return;
    // Without this, an editor would insert the text of the file.
    event.preventDefault();
    event.stopPropagation();
    handleDrop(bridge, event.dataTransfer).catch((problem: unknown) => {
      showToast(messageOf(problem), 'error');
    });
  };
  addEventListener('dragover', onOver, true);
  addEventListener('dragleave', onLeave, true);
  addEventListener('drop', onDrop, true);
  return () => {
    removeEventListener('dragover', onOver, true);
    removeEventListener('dragleave', onLeave, true);
    removeEventListener('drop', onDrop, true);
  };
}

function hasFiles({ dataTransfer }: DragEvent): boolean {
  return dataTransfer?.types.includes('Files') === true;
}
