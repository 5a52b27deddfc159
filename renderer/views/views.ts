/** The table of views: the title, icon, component and permission of each view. */
import {
  Columns2,
  FlaskConical,
  Info,
  ListOrdered,
  Server,
  Settings2,
  Users,
  type LucideIcon,
} from 'lucide-preact';
import type { ComponentType } from 'preact';
import type { ViewName } from '../state/current-view.ts';
import type { TextKey } from '../texts/text.ts';
import { AboutView } from './about.tsx';
import { AccountsView } from './accounts.tsx';
import { CompareView } from './compare.tsx';
import { JobsView } from './jobs.tsx';
import { NodesView } from './nodes.tsx';
import { SettingsView } from './settings.tsx';
import { TryView } from './try.tsx';

interface ViewRow {
  readonly title: TextKey;
  readonly icon: LucideIcon;
  readonly view: ComponentType;
  /** Whether only operators see the view. */
  readonly operator?: true;
  /** Whether only consoles of a service that may share its database have the view. */
  readonly shared?: true;
  /** Whether the view is at the end of the navigation. */
  readonly last?: true;
}

export const views: Readonly<Record<ViewName, ViewRow>> = {
  try: { title: 'nav.try', icon: FlaskConical, view: TryView },
  compare: { title: 'nav.compare', icon: Columns2, view: CompareView },
  jobs: { title: 'nav.jobs', icon: ListOrdered, view: JobsView },
  accounts: { title: 'nav.accounts', icon: Users, view: AccountsView, operator: true },
  nodes: { title: 'nav.nodes', icon: Server, view: NodesView, operator: true, shared: true },
  settings: { title: 'nav.settings', icon: Settings2, view: SettingsView, operator: true },
  about: { title: 'nav.about', icon: Info, view: AboutView, last: true },
};
