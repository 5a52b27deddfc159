/** Shows what prevents a run, with a link to it. */
import { CircleAlert } from 'lucide-preact';
import { invalidOptions } from '../call/call.ts';
import { blocker, type Blocker } from '../call/blocker.ts';
import { t } from '../texts/text.ts';
import { callTab, showOption } from '../views/try-tabs.ts';

export function ObstacleNote() {
  const why = blocker.value;
  if (why === undefined) return null;
  const says = obstacleText(why);
  if (!leads(why))
    return (
      <span class="run-summary cut" title={says} role="status">
        {says}
      </span>
    );
  return (
    <button
      type="button"
      class="run-obstacle cut"
      title={says}
      onClick={() => {
        overcome(why);
      }}
    >
      <CircleAlert size={14} aria-hidden="true" />
      <span class="cut">{says}</span>
    </button>
  );
}

export function obstacleText(why: Blocker): string {
  return t(`run.obstacle.${why}`, { count: invalidOptions.value.length });
}

/** Goes to the place where the user can fix it. */
export function overcome(why: Blocker): void {
  const [first] = invalidOptions.value;
  if (why === 'options' && first !== undefined) showOption(first);
  else if (leads(why)) callTab.value = 'input';
}

function leads(why: Blocker): boolean {
  return ['input', 'address', 'tooLarge', 'options'].includes(why);
}
