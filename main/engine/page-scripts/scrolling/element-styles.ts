/** Reads and sets styles of an element. Runs inside pages. */

/** Returns whether the element is displayed: neither hidden nor transparent. */
export function isVisible(element: Element): boolean {
  return element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
}

/** Sets inline styles that override the styles of the page. */
export function setImportantStyles(element: HTMLElement, styles: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(styles)) element.style.setProperty(name, value, 'important');
}

/** Global variables of the isolated world, which exist until the page is unloaded. */
interface KeptStyles {
  platenKeptStyles?: WeakMap<HTMLElement, KeptState>;
}

interface KeptState {
  readonly styles: Record<string, string>;
  /** How often the page may still change the styles. */
  changesLeft: number;
}

/** A page that changes its styles whenever they change would otherwise never end. */
const maxChanges = 100;

/** Sets inline styles like `setImportantStyles`, and sets them again whenever the page replaces them, as frameworks do. */
export function keepImportantStyles(element: HTMLElement, styles: Readonly<Record<string, string>>): void {
  const states = ((globalThis as KeptStyles).platenKeptStyles ??= new WeakMap());
  const state = states.get(element) ?? keptStateOf(element);
  states.set(element, state);
  Object.assign(state.styles, styles);
  setImportantStyles(element, styles);
}

/** Stops `keepImportantStyles` for the element, and returns the styles. They stay until something changes them. */
export function releaseStyles(element: HTMLElement): Readonly<Record<string, string>> {
  const states = (globalThis as KeptStyles).platenKeptStyles;
  const styles = states?.get(element)?.styles ?? {};
  states?.delete(element);
  return styles;
}

function keptStateOf(element: HTMLElement): KeptState {
  const state: KeptState = { styles: {}, changesLeft: maxChanges };
  const observer = new MutationObserver(() => {
    const isReleased = (globalThis as KeptStyles).platenKeptStyles?.get(element) !== state;
    if (isReleased || state.changesLeft === 0) {
      observer.disconnect();
      return;
    }
    const { style } = element;
    const lost = Object.entries(state.styles).filter(
      ([name]) => style.getPropertyPriority(name) !== 'important',
    );
    if (lost.length === 0) return;
    state.changesLeft -= 1;
    setImportantStyles(element, Object.fromEntries(lost));
  });
  observer.observe(element, { attributes: true, attributeFilter: ['style'] });
  return state;
}
