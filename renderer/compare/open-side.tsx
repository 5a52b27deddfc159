/** Opens one side of a comparison, or explains why the output cannot be opened. */
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Empty } from '../parts/empty.tsx';
import { FileWarning } from 'lucide-preact';
import { Waiting } from '../parts/waiting.tsx';
import { t } from '../texts/text.ts';
import { openSheets } from '../viewer/open-sheets.ts';
import { PasswordForm } from '../viewer/password-form.tsx';
import { PdfProblem } from '../viewer/pdf/open-pdf.ts';
import type { Sheets } from '../viewer/pages/sheets.ts';
import { useDoubleBuffer } from '../viewer/pages/double-buffer.ts';
import { blobOf, choiceOf, type ComparedSide } from './sides.ts';

export interface OpenSide {
  readonly sheets: Sheets | undefined;
  readonly bytes: number | undefined;
  /** Shown until the sheets are open: a loading indicator, a password form, or an error. */
  readonly placeholder: ComponentChildren;
}

export function useOpenSide(side: ComparedSide | undefined): OpenSide {
  const [password, setPassword] = useState<string>();
  const [bytes, setBytes] = useState<number>();
  const open = async () => {
    if (side === undefined) throw new Error('No output is chosen.');
    const { blob, type } = await blobOf(side);
    setBytes(blob.size);
    return openSheets(blob, type, password);
  };
  const opened = useDoubleBuffer(open, [side && choiceOf(side), password]);
  const { shown, next, problem, swap } = opened;
  useEffect(() => {
    if (next !== undefined) swap(next);
  }, [next]);
  const placeholder =
    problem === undefined ? <Opening /> : <Problem problem={problem} onPassword={setPassword} />;
  return { sheets: shown, bytes, placeholder };
}

interface ProblemProps {
  readonly problem: Error;
  readonly onPassword: (password: string) => void;
}

function Problem({ problem, onPassword }: ProblemProps) {
  if (problem instanceof PdfProblem && problem.kind !== 'broken')
    return <PasswordForm wasWrong={problem.kind === 'wrong password'} onPassword={onPassword} />;
  return (
    <Empty icon={FileWarning} title={t('compare.openFailed')}>
      {problem.message}
    </Empty>
  );
}

function Opening() {
  return <Waiting>{t('viewer.opening')}</Waiting>;
}
