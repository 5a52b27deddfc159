/** Short messages that screen readers announce and that disappear after a while. */
import { signal } from '@preact/signals';
import { CircleAlert, CircleCheck } from 'lucide-preact';

interface Toast {
  readonly id: number;
  readonly tone: 'good' | 'error';
  readonly text: string;
}

const toasts = signal<readonly Toast[]>([]);
let lastId = 0;

/** The time that a toast is shown. */
const durationMs = { good: 3500, error: 9000 };

export function showToast(text: string, tone: Toast['tone'] = 'good'): void {
  lastId += 1;
  const toast = { id: lastId, tone, text };
  toasts.value = [...toasts.value.slice(-2), toast];
  setTimeout(() => {
    toasts.value = toasts.value.filter(({ id }) => id !== toast.id);
  }, durationMs[tone]);
}

export function Toasts() {
  return (
    <div class="toasts" role="status">
      {toasts.value.map(({ id, tone, text }) => (
        <div class="toast" data-tone={tone} key={id}>
          {tone === 'good' ? (
            <CircleCheck size={16} aria-hidden="true" />
          ) : (
            <CircleAlert size={16} aria-hidden="true" />
          )}
          {text}
        </div>
      ))}
    </div>
  );
}
