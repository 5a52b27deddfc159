/** Navigation between the views, with the service state below. */
import { service, connectionError } from '../state/service-state.ts';
import { t } from '../texts/text.ts';
import { views } from '../views/views.ts';
import mark from '../style/mark.svg';
import { show, view, viewNames, type ViewName } from '../state/current-view.ts';

export function Navigation() {
  const isOperator = service.value?.account.operator === true;
  const isShared = service.value?.isDatabaseShared === true;
  const visibleViews = viewNames.filter(
    (name) => (isOperator || !views[name].operator) && (isShared || !views[name].shared),
  );
  return (
    <nav class="rail" aria-label={t('nav.label')}>
      <img class="rail-mark" src={mark} alt="Platen" />
      {visibleViews
        .filter((name) => !views[name].last)
        .map((name) => (
          <Item key={name} name={name} />
        ))}
      <div class="rail-space" />
      {visibleViews
        .filter((name) => views[name].last)
        .map((name) => (
          <Item key={name} name={name} />
        ))}
      <ServiceStatus />
    </nav>
  );
}

function Item({ name }: { readonly name: ViewName }) {
  const { icon: Icon, title } = views[name];
  return (
    <button
      type="button"
      class="rail-item"
      aria-current={view.value === name ? 'page' : undefined}
      onClick={() => {
        show(name);
      }}
    >
      <Icon size={19} strokeWidth={1.75} aria-hidden="true" />
      {t(title)}
    </button>
  );
}

function ServiceStatus() {
  const state = service.value;
  const status = connectionError.value !== undefined ? 'silent' : (state?.status ?? 'unknown');
  return (
    <div class="rail-state" role="status" aria-label={t('state.label')}>
      <span class="dot" data-status={status} />
      <span>{t(`state.${status}`, { working: state?.working ?? 0 })}</span>
      {state !== undefined && state.waiting > 0 && (
        <span>{t('state.waiting', { waiting: state.waiting })}</span>
      )}
    </div>
  );
}
