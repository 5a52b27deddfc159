/** Shows an output: the pages of a PDF, or an image. A newer output keeps the position and the zoom of the previous one. */
import { useState } from 'preact/hooks';
import { Waiting } from '../parts/waiting.tsx';
import { t, size } from '../texts/text.ts';
import { openSheets, TooLarge, ImageProblem } from './open-sheets.ts';
import { PasswordForm } from './password-form.tsx';
import { PdfProblem } from './pdf/open-pdf.ts';
import { SheetsViewer } from './pages/sheets-viewer.tsx';
import { useDoubleBuffer } from './pages/double-buffer.ts';
import { newDocumentView, type DocumentView } from './document-view.ts';
import './viewer.css';
import './sheets.css';
import './sidebar/sidebar.css';
import { Download, FileWarning, ImageOff, Weight } from 'lucide-preact';
import { Button } from '../parts/button.tsx';
import { Empty } from '../parts/empty.tsx';

interface ViewerProps {
  readonly blob: Blob;
  /** Media type. */
  readonly type: string;
  /** Saves the output. */
  readonly onSave: () => void;
}

/** The zoom and position for each kind of output. They are kept while another tab or view is shown. */
const views: Readonly<Record<'pdf' | 'image', DocumentView>> = {
  pdf: newDocumentView(),
  image: newDocumentView(),
};

export function Viewer({ blob, type, onSave }: ViewerProps) {
  // The password is kept for the next run, whose PDF has the same password unless the options change.
  const [password, setPassword] = useState<string>();
  const open = () => openSheets(blob, type, password);
  const { shown, next, problem, swap } = useDoubleBuffer(open, [blob, type, password]);
  if (problem instanceof PdfProblem && problem.kind !== 'broken')
    return <PasswordForm wasWrong={problem.kind === 'wrong password'} onPassword={setPassword} />;
  if (problem !== undefined) return <ViewerError problem={problem} blob={blob} type={type} onSave={onSave} />;
  if (shown === undefined) return <Opening />;
  return (
    <SheetsViewer shown={shown} next={next} onSave={onSave} onNextDrawn={swap} view={views[shown.kind]} />
  );
}

function Opening() {
  return <Waiting>{t('viewer.opening')}</Waiting>;
}

interface ViewerErrorProps extends ViewerProps {
  readonly problem: Error;
}

function ViewerError({ problem, blob, type, onSave }: ViewerErrorProps) {
  const save = (
    <Button icon={Download} onClick={onSave}>
      {t('viewer.save')}
    </Button>
  );
  if (problem instanceof TooLarge)
    return (
      <Empty icon={Weight} title={t('viewer.large.title')} actions={save}>
        {t('viewer.large.sentence', { size: size(blob.size) })}
      </Empty>
    );
  if (problem instanceof ImageProblem)
    return (
      <Empty icon={ImageOff} title={t('viewer.unsupported.title')} actions={save}>
        {t('viewer.unsupported.sentence', { type })}
      </Empty>
    );
  return (
    <Empty icon={FileWarning} title={t('viewer.broken.title')} actions={save}>
      {t('viewer.broken.sentence')} <span class="faint">{problem.message}</span>
    </Empty>
  );
}
