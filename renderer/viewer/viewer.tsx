/** Shows what a run made: the pages of a PDF, or a picture. A newer one takes the place of an older at the same page and size. */
import { useState } from 'preact/hooks';
import { Waiting } from '../parts/waiting.tsx';
import { t } from '../texts/text.ts';
import { openSheets } from './opening.ts';
import { PasswordForm } from './password-form.tsx';
import { PdfProblem } from './pdf/open-pdf.ts';
import { SheetsViewer } from './sheets-viewer.tsx';
import { useSuccession } from './succession.ts';
import { Trouble } from './trouble.tsx';
import { newView, type View } from './view.ts';
import './viewer.css';
import './sheets.css';
import './strip.css';

export interface ViewerProps {
  readonly blob: Blob;
  /** Media type. */
  readonly type: string;
  readonly runNumber: number;
}

/** Kept while another tab or view is shown, so that coming back finds everything where it was. */
const views: Readonly<Record<'pdf' | 'picture', View>> = { pdf: newView(), picture: newView() };

export function Viewer({ blob, type, runNumber }: ViewerProps) {
  // Kept for the next run: with the same options it is locked with the same word.
  const [password, setPassword] = useState<string>();
  const open = () => openSheets(blob, type, password);
  const { shown, next, problem, arrive } = useSuccession(open, [blob, type, password]);
  if (problem instanceof PdfProblem && problem.is !== 'broken')
    return <PasswordForm wasWrong={problem.is === 'wrong password'} onPassword={setPassword} />;
  if (problem !== undefined) return <Trouble {...{ problem, blob, type, runNumber }} />;
  if (shown === undefined) return <Opening />;
  const save = { blob, type, runNumber };
  return <SheetsViewer {...{ shown, next, save }} onArrive={arrive} view={views[shown.kind]} />;
}

function Opening() {
  return <Waiting>{t('viewer.opening')}</Waiting>;
}
