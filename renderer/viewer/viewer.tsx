/** Shows an output: the pages of a PDF, or an image. A newer output keeps the page and the zoom of the previous one. */
import { useState } from 'preact/hooks';
import { Waiting } from '../parts/waiting.tsx';
import { t } from '../texts/text.ts';
import { openSheets } from './opening.ts';
import { PasswordForm } from './password-form.tsx';
import { PdfProblem } from './pdf/open-pdf.ts';
import { SheetsViewer } from './pages/sheets-viewer.tsx';
import { useSuccession } from './pages/succession.ts';
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

/** Kept while another tab or view is shown. */
const views: Readonly<Record<'pdf' | 'picture', View>> = { pdf: newView(), picture: newView() };

export function Viewer({ blob, type, runNumber }: ViewerProps) {
  // Reused for the next run: with the same options, its PDF has the same password.
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
