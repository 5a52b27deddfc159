/** Explains why an output cannot be shown, and offers a download. */
import { Download, FileWarning, ImageOff, Weight } from 'lucide-preact';
import { useBridge } from '../bridge/bridge.ts';
import { Button } from '../parts/button.tsx';
import { Empty } from '../parts/empty.tsx';
import { size, t } from '../texts/text.ts';
import { TooLarge } from './opening.ts';
import { PictureProblem } from './picture/open-picture.ts';
import { saveOutput, type Savable } from './save-output.ts';

interface TroubleProps extends Savable {
  readonly problem: Error;
}

export function Trouble({ problem, ...output }: TroubleProps) {
  const bridge = useBridge();
  const save = (
    <Button icon={Download} onClick={() => void saveOutput(bridge, output)}>
      {t('viewer.save')}
    </Button>
  );
  if (problem instanceof TooLarge)
    return (
      <Empty icon={Weight} title={t('viewer.large.title')} actions={save}>
        {t('viewer.large.sentence', { size: size(output.blob.size) })}
      </Empty>
    );
  if (problem instanceof PictureProblem)
    return (
      <Empty icon={ImageOff} title={t('viewer.unshown.title')} actions={save}>
        {t('viewer.unshown.sentence', { type: output.type })}
      </Empty>
    );
  return (
    <Empty icon={FileWarning} title={t('viewer.broken.title')} actions={save}>
      {t('viewer.broken.sentence')} <span class="faint">{problem.message}</span>
    </Empty>
  );
}
